#include <algorithm>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"
#include "core/text/words.h"
#include "core/worlds/grammar.h"
#include "core/worlds/word_lists.h"

namespace glassformer {
namespace {

constexpr std::size_t max_sections = 128;
constexpr std::size_t max_templates = 128;  // per section

/// A definition as in the file: the text to the left and right of "=".
struct Definition {
    std::string key;
    std::string value;
    int line;
};

/// A section before its symbols are resolved. The shared section has no homonym.
struct Section {
    std::string title;  // "bat / animal"
    Sense sense;
    int line = 0;
    std::vector<Definition> lists;
    std::vector<Definition> templates;
    std::map<std::string, std::size_t, std::less<>> symbols;  // name → index in Grammar::symbols
};

class Parser {
public:
    explicit Parser(const std::string& file_name) { grammar_.file_name = file_name; }

    Grammar parse(std::string_view text) {
        read_lines(text);
        for (Section& section : sections_) declare_lists(section);
        for (const Section& section : sections_) define_lists(section);
        for (const Section& section : sections_) {
            if (!section.sense.homonym.empty()) add_sense(section);
        }
        return std::move(grammar_);
    }

private:
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        throw Error("{1}:{2}: {3}", grammar_.file_name, line_, filled_with(pattern, places...));
    }

    // First pass: from lines to sections.

    void read_lines(std::string_view text) {
        line_ = 1;  // for an empty file
        for_each_line(text, grammar_.file_name, [this](std::string_view line, int number) {
            line_ = number;
            read_line(line);
        });
        const auto is_sense = [](const Section& s) { return !s.sense.homonym.empty(); };
        if (std::ranges::none_of(sections_, is_sense))
            fail("the file has no section [homonym / sense], such as [bat / animal]");
    }

    void read_line(std::string_view line) {
        if (line.empty()) return;
        if (line.front() == '[') return begin_section(line);
        const std::size_t equals = line.find('=');
        const std::string_view key = trimmed(line.substr(0, equals));
        const bool is_name = !key.empty() && key.find_first_of(" \t{}|*[]") == std::string_view::npos;
        if (equals == std::string_view::npos || !is_name)
            fail("line not understood: {1}; expected [homonym / sense] or name = words", in_single_quotes(line));
        const std::string_view value = trimmed(line.substr(equals + 1));
        if (value.empty()) fail("{1} is empty", in_single_quotes(key));
        add_definition({std::string(key), std::string(value), line_});
    }

    void begin_section(std::string_view line) {
        if (line.back() != ']') fail("section without ]: {1}", in_single_quotes(line));
        Section section;
        section.line = line_;
        section.title = trimmed(line.substr(1, line.size() - 2));
        if (section.title != "shared") section.sense = parse_sense(section.title);
        if (section.title != "shared") section.title = section.sense.homonym + " / " + section.sense.name;
        for (const Section& other : sections_) {
            if (other.title != section.title) continue;
            fail("section [{1}] is already in line {2}", section.title, other.line);
        }
        if (sections_.size() == max_sections) fail("more than {1} sections", max_sections);
        sections_.push_back(std::move(section));
    }

    Sense parse_sense(std::string_view title) const {
        const std::size_t slash = title.find('/');
        const std::vector<std::string> homonym = split_words(title.substr(0, slash));
        const bool has_name = slash != std::string_view::npos && !trimmed(title.substr(slash + 1)).empty();
        if (!has_name || homonym.size() != 1 || title.find_first_of("[]{}|*") != std::string_view::npos)
            fail("section not understood: {1}; expected [shared] or [homonym / sense]", in_single_quotes(title));
        return {homonym[0], std::string(trimmed(title.substr(slash + 1)))};
    }

    void add_definition(Definition definition) {
        const std::string& key = definition.key;
        if (key == "title") return set_title(definition.value);
        if (key == "unit" && sections_.empty()) return set_unit(definition.value);
        if (sections_.empty()) fail("{1} comes before the first section", in_single_quotes(key));
        Section& section = sections_.back();
        if (key == "train" || key == "held-out" || key == "sample") {
            if (key == "sample" && section.sense.homonym.empty()) fail("a sample belongs to a sense, not to [shared]");
            if (section.templates.size() == max_templates)
                fail("more than {1} templates in [{2}]", max_templates, section.title);
            section.templates.push_back(std::move(definition));
        } else {
            section.lists.push_back(std::move(definition));
        }
    }

    void set_title(const std::string& title) {
        if (!sections_.empty()) fail("the title must come before the first section");
        if (!grammar_.title.empty()) fail("the title appears twice");
        grammar_.title = title;
    }

    void set_unit(const std::string& unit) {
        if (unit != "words" && unit != "characters")
            fail("unknown unit {1}; expected words or characters", in_single_quotes(unit));
        grammar_.by_character = unit == "characters";
    }

    // Second pass: lists become symbols. First their names are declared, then their entries, so their order does not
    // matter.

    void declare_lists(Section& section) {
        for (const Definition& list : section.lists) {
            line_ = list.line;
            const auto [earlier, is_new] = section.symbols.emplace(list.key, grammar_.symbols.size());
            if (!is_new)
                fail("the list {1} is already in line {2}", in_single_quotes(list.key),
                     grammar_.symbols[earlier->second].line);
            grammar_.symbols.push_back({list.key, list.line, {}});
        }
    }

    void define_lists(const Section& section) {
        for (const Definition& list : section.lists) {
            line_ = list.line;
            Symbol& symbol = grammar_.symbols[section.symbols.find(list.key)->second];
            for_each_piece(list.value, '|', [&](std::string_view entry) {
                symbol.entries.push_back(parse_phrase(entry, section));
                if (symbol.entries.back().empty()) fail("the list {1} has an empty entry", in_single_quotes(list.key));
                if (stars(symbol.entries.back()) > 0)
                    fail("the list {1} contains a *, which belongs only in templates", in_single_quotes(list.key));
            });
        }
    }

    // Third pass: templates.

    void add_sense(const Section& section) {
        SenseRules rules{section.sense, section.line, {}, {}, {}};
        for (const Section& shared : sections_) {
            if (shared.sense.homonym.empty()) add_templates(shared.templates, section, rules);
        }
        add_templates(section.templates, section, rules);
        // Keeps the senses of a homonym adjacent, wherever their sections are.
        const auto same = [&](const SenseRules& other) { return other.sense.homonym == section.sense.homonym; };
        const auto last = std::find_if(grammar_.senses.rbegin(), grammar_.senses.rend(), same);
        grammar_.senses.insert(last == grammar_.senses.rend() ? grammar_.senses.end() : last.base(), std::move(rules));
    }

    void add_templates(const std::vector<Definition>& templates, const Section& section, SenseRules& rules) {
        for (const Definition& definition : templates) {
            line_ = definition.line;
            if (definition.value.find('|') != std::string::npos)
                fail("{1} contains a |, which belongs only in lists", in_single_quotes(definition.key));
            Template parsed{parse_phrase(definition.value, section), line_};
            if (stars(parsed.phrase) == 0)
                fail("the template {1} has no *, which marks the homonym", in_single_quotes(definition.value));
            if (stars(parsed.phrase) > 1)
                fail("the template {1} has more than one *", in_single_quotes(definition.value));
            const bool is_sample = definition.key == "sample";
            if (is_sample && definition.value.find('{') != std::string::npos)
                fail("the sample {1} contains a list; a sample is a finished sentence",
                     in_single_quotes(definition.value));
            (is_sample                   ? rules.samples
             : definition.key == "train" ? rules.train
                                         : rules.held_out)
                .push_back(std::move(parsed));
        }
    }

    static std::ptrdiff_t stars(const Phrase& phrase) {
        return std::count_if(phrase.begin(), phrase.end(),
                             [](const Piece& piece) { return piece.kind == Piece::Kind::homonym; });
    }

    /// Splits text into words, {lists} and *. List names are looked up in the section, then in [shared].
    Phrase parse_phrase(std::string_view text, const Section& section) const {
        Phrase phrase;
        while (!text.empty()) {
            const std::size_t special = std::min(text.find_first_of("{}*"), text.size());
            for (std::string& word : split_words(text.substr(0, special))) add_word(phrase, std::move(word));
            text.remove_prefix(special);
            if (text.empty()) break;
            if (text.front() == '}') fail("a } without its {");
            std::size_t length = 1;
            if (text.front() == '*') {
                phrase.push_back({Piece::Kind::homonym, {}, 0});
            } else {
                length = text.find('}');
                const bool nested = text.find('{', 1) < length;
                if (length == std::string_view::npos || nested) fail("a { without its }");
                phrase.push_back({Piece::Kind::symbol, {}, symbol_named(trimmed(text.substr(1, length - 1)), section)});
                ++length;
            }
            text.remove_prefix(length);
        }
        if (phrase.size() > Grammar::max_words)  // every piece says at least one word
            fail("more than {1} words in a row", Grammar::max_words);
        return phrase;
    }

    /// Adds the word as it is, or character by character if the script has no blanks between words.
    void add_word(Phrase& phrase, std::string word) const {
        const std::u32string characters = code_points(word);
        if (grammar_.by_character && std::ranges::all_of(characters, is_unspaced_script))
            for (const char32_t c : characters) phrase.push_back({Piece::Kind::word, to_utf8({&c, 1}), 0});
        else
            phrase.push_back({Piece::Kind::word, std::move(word), 0});
    }

    std::size_t symbol_named(std::string_view name, const Section& section) const {
        const auto local = section.symbols.find(name);
        if (local != section.symbols.end()) return local->second;
        for (const Section& shared : sections_) {
            if (!shared.sense.homonym.empty()) continue;
            if (const auto found = shared.symbols.find(name); found != shared.symbols.end()) return found->second;
        }
        fail("unknown list {{1}} in [{2}]", name, section.title);
    }

    Grammar grammar_;
    std::vector<Section> sections_;
    int line_ = 0;
};

}  // namespace

Grammar parse_grammar(std::string_view text, const std::string& file_name) { return Parser(file_name).parse(text); }

}  // namespace glassformer
