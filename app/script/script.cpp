#include "app/script/script.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

using Verb = ScriptCommand::Verb;
using Op = ScriptCommand::Op;

/// The words of one line, and its position for messages.
class Line {
public:
    Line(const std::string& source, std::string where) : where_(std::move(where)) { split(source); }

    bool empty() const { return words_.empty(); }
    bool more() const { return at_ < words_.size(); }
    /// The next word. Throws Error saying what is missing if there is none.
    const std::string& next(const char* what) {
        if (!more()) fail(N_("missing {1} at the end of the line"), what);
        return words_[at_++];
    }
    bool accept(const std::string& word) {
        if (!more() || words_[at_] != word) return false;
        ++at_;
        return true;
    }
    double number(const char* what) {
        const std::string& word = next(what);
        const std::optional<double> value = to_number(word);
        if (!value) fail(N_("\"{1}\" is not a number ({2})"), word, what);
        return *value;
    }
    void finish() {
        if (more()) fail(N_("\"{1}\" was not expected; put labels with spaces in double quotes"), words_[at_]);
    }
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        throw Error("{1}: {2}", where_, filled_with(pattern, places...));
    }

    static std::optional<double> to_number(const std::string& word) {
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        if (word.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
        return value;
    }

private:
    void split(const std::string& source) {
        size_t i = 0;
        const auto is_space = [&](char c) { return c == ' ' || c == '\t' || c == '\r'; };
        while (i < source.size()) {
            if (is_space(source[i])) {
                ++i;
            } else if (source[i] == '#') {
                return;
            } else if (source[i] == '"') {
                words_.push_back(quoted(source, i));
            } else {
                const size_t start = i;
                while (i < source.size() && !is_space(source[i])) ++i;
                words_.push_back(source.substr(start, i - start));
            }
        }
    }

    std::string quoted(const std::string& source, size_t& i) {
        std::string word;
        for (++i; i < source.size() && source[i] != '"'; ++i) {
            // No other backslash is special, so that Windows' paths can be written as they are.
            if (source[i] == '\\' && i + 1 < source.size() && (source[i + 1] == '"' || source[i + 1] == '\\')) ++i;
            word += source[i];
        }
        if (i >= source.size()) fail(N_("the quote that starts \"{1} is not closed"), word);
        ++i;
        return word;
    }

    std::string where_;
    std::vector<std::string> words_;
    size_t at_ = 0;
};

const std::map<std::string, Verb> verbs = {{"click", Verb::click},
                                           {"double_click", Verb::double_click},
                                           {"right_click", Verb::right_click},
                                           {"hover", Verb::hover},
                                           {"drag", Verb::drag_by},
                                           {"scroll", Verb::scroll},
                                           {"key", Verb::key},
                                           {"type", Verb::type},
                                           {"frames", Verb::frames},
                                           {"wait", Verb::wait},
                                           {"expect", Verb::expect},
                                           {"expect_item", Verb::expect_item},
                                           {"expect_no_item", Verb::expect_no_item},
                                           {"expect_text", Verb::expect_text},
                                           {"lesson", Verb::lesson},
                                           {"shot", Verb::shot},
                                           {"print", Verb::print}};

const std::map<std::string, Op> ops = {{"==", Op::equal},      {"!=", Op::not_equal}, {"<", Op::less},
                                       {"<=", Op::less_equal}, {">", Op::greater},    {">=", Op::greater_equal},
                                       {"~", Op::contains}};

void parse_key(Line& line, ScriptCommand& command) {
    std::string name = line.next(N_("a key"));
    const std::string whole = name;
    const auto prefix = [&](const std::string& word) {
        if (name.size() <= word.size() || name.compare(0, word.size(), word) != 0) return false;
        name.erase(0, word.size());
        return true;
    };
    for (bool again = true; again;) {
        again = false;
        if (prefix("Ctrl+")) command.ctrl = again = true;
        if (prefix("Shift+")) command.shift = again = true;
    }
    const std::optional<Key> key = key_from_name(name);
    if (!key) line.fail(N_("there is no key called \"{1}\"; e.g. Tab, Left, PageDown, F5, a, Ctrl++"), whole);
    command.key = *key;
}

void parse_comparison(Line& line, ScriptCommand& command) {
    const std::string& word = line.next(N_("a comparison (== != < <= > >= ~)"));
    const auto op = ops.find(word);
    if (op == ops.end()) line.fail(N_("\"{1}\" is not a comparison; use == != < <= > >= or ~"), word);
    command.op = op->second;
    command.text = line.next(N_("a value to compare with"));
    const std::optional<double> value = Line::to_number(command.text);
    command.numeric = value.has_value() && command.op != Op::contains;
    command.x = value.value_or(0);
    const bool ordered = command.op != Op::equal && command.op != Op::not_equal && command.op != Op::contains;
    if (ordered && !value) line.fail(N_("\"{1}\" is not a number; {2} compares numbers"), command.text, word);
}

double timeout(Line& line) {
    constexpr double longest = 86'400.0;
    const double seconds = line.number(N_("a timeout in seconds"));
    if (seconds < 0.0 || seconds > longest) line.fail(N_("a timeout must be between 0 and 86400 seconds"));
    return seconds;
}

void parse_wait(Line& line, ScriptCommand& command) {
    command.limit = 10;
    command.item = line.next(N_("an item"));
    const bool bare = !line.more() || line.accept("timeout");
    if (bare) {
        command.verb = Verb::wait_item;
        if (line.more()) command.limit = timeout(line);
        return;
    }
    parse_comparison(line, command);
    if (line.accept("timeout")) command.limit = timeout(line);
}

void parse_drag(Line& line, ScriptCommand& command) {
    command.item = line.next(N_("an item"));
    if (line.accept("to")) {
        command.verb = Verb::drag_to;
        command.text = line.next(N_("an item to drag to"));
        return;
    }
    command.x = line.number(N_("pixels to the right"));
    command.y = line.number(N_("pixels down"));
}

void parse_arguments(Line& line, ScriptCommand& command) {
    switch (command.verb) {
        case Verb::drag_by:
            parse_drag(line, command);
            break;
        case Verb::key:
            parse_key(line, command);
            break;
        case Verb::type:
            command.text = line.next(N_("a text"));
            break;
        case Verb::wait:
            parse_wait(line, command);
            break;
        case Verb::shot:
            command.item = line.next(N_("a file"));
            break;
        case Verb::frames:
            command.x = line.number(N_("a count of frames"));
            if (command.x < 1 || command.x > 1e6) line.fail(N_("frames must be between 1 and 1000000"));
            break;
        case Verb::lesson:
            command.item = line.next(N_("a lesson"));
            command.x = line.more() ? line.number(N_("a step")) : 1;
            if (command.x < 1 || command.x > 1e6) line.fail(N_("a lesson's step must be between 1 and 1000000"));
            break;
        case Verb::scroll:
            command.item = line.next(N_("an item"));
            command.x = line.number(N_("lines"));
            break;
        case Verb::expect:
            command.item = line.next(N_("an item"));
            parse_comparison(line, command);
            if (line.accept("tolerance")) command.limit = line.number(N_("a tolerance"));
            break;
        case Verb::expect_text:
            command.item = line.next(N_("an item"));
            command.text = line.next(N_("a text"));
            break;
        default:
            command.item = line.next(N_("an item"));
            break;
    }
}

}  // namespace

Script parse_script(const std::string& source, const std::string& name) {
    Script script{name, {}};
    std::istringstream lines(source);
    std::string text;
    for (int number = 1; std::getline(lines, text); ++number) {
        Line line(text, name + ":" + std::to_string(number));
        if (line.empty()) continue;
        const std::string& word = line.next(N_("a command"));
        const auto verb = verbs.find(word);
        if (verb == verbs.end()) line.fail(N_("there is no command \"{1}\""), word);
        ScriptCommand command;
        command.verb = verb->second;
        command.line = number;
        const size_t first = text.find_first_not_of(" \t");
        command.source = text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
        parse_arguments(line, command);
        line.finish();
        script.commands.push_back(std::move(command));
    }
    return script;
}

Script load_script(const std::string& path) { return parse_script(read_file(path, most_script_bytes), path); }

}  // namespace glassformer::app
