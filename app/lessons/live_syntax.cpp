#include "app/lessons/live_syntax.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/trimmed.h"

namespace glassformer::app {

namespace {

/// Parses an expression from the front. Every function leaves `rest_` without leading blanks.
class Front {
public:
    explicit Front(std::string_view text) : rest_(trimmed(text)) {}

    bool done() const { return rest_.empty(); }
    std::string rest() const { return std::string(rest_); }
    bool accept(std::string_view token) {
        if (!rest_.starts_with(token)) return false;
        skip(token.size());
        return true;
    }
    std::string_view name() {
        std::size_t n = 0;
        while (n < rest_.size() && ((rest_[n] >= 'a' && rest_[n] <= 'z') || rest_[n] == '_')) ++n;
        const std::string_view word = rest_.substr(0, n);
        skip(n);
        return word;
    }
    /// Parses "la", "la"#2, @3, or @last.
    WordName word() {
        WordName word;
        if (accept("@")) {
            word.place = accept("last") ? last_place : count();
            return word;
        }
        const std::size_t end = rest_.find('"', 1);
        if (end == std::string_view::npos) throw Error("a word in double quotes is not closed: {1}", rest_);
        word.text = rest_.substr(1, end - 1);
        skip(end + 1);
        if (accept("#")) word.nth = count();
        if (word.nth < 1) throw Error("the n-th of equal words is counted from 1");
        return word;
    }
    int count() {
        int n = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
        if (error != std::errc() || n < 0) throw Error("\"{1}\" was not expected", rest_);
        skip(static_cast<std::size_t>(end - rest_.data()));
        return n;
    }
    bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }

private:
    void skip(std::size_t n) { rest_ = trimmed(rest_.substr(n)); }
    std::string_view rest_;
};

int index_in_brackets(Front& front) {
    int index = 0;
    if (front.accept("embedding"))
        index = embedding_layer;
    else if (front.accept("last"))
        index = last_layer;
    else
        index = front.count();
    if (!front.accept("]")) throw Error("a [ is not closed by ]");
    return index;
}

}  // namespace

Expression parse_expression(std::string_view source, int line) {
    Expression e;
    e.source = trimmed(source);
    e.line = line;
    Front front(source);
    if (front.accept("B:"))
        e.slot = 1;
    else
        front.accept("A:");
    e.unaltered = front.accept("unaltered ");
    e.cross = front.accept("cross ");
    const std::string_view name = front.name();
    if (name.empty()) throw Error("{{1}} has no name of a number in it", e.source);
    e.name = live::name_index(name);
    if (front.accept("[")) e.layer = index_in_brackets(front);
    if (front.accept("[")) e.head = index_in_brackets(front);
    while (!front.done()) {
        if (front.next_is('"') || front.next_is('@'))
            e.words.push_back(front.word());
        else if (front.accept("→") || front.accept("->"))
            e.strongest = front.accept("top");
        else if (front.accept("."))
            e.decimals = front.count();
        else if (front.accept("%"))
            e.percent = true;
        else if (e.count < 0)
            e.count = front.count();
        else
            throw Error("\"{1}\" was not expected", front.rest());
    }
    if (e.decimals.value_or(0) > 8) throw Error("prints at most 8 decimals: .{1}", *e.decimals);
    live::require_complete(e);
    return e;
}

LiveText parse_live_text(std::string_view source, int line) {
    LiveText text;
    text.line = line;
    while (!source.empty()) {
        const std::size_t open = source.find('{');
        if (open > 0) text.pieces.push_back({std::string(source.substr(0, open)), {}});
        if (open == std::string_view::npos) break;
        const std::size_t close = source.find('}', open);
        if (close == std::string_view::npos) throw Error("a { is not closed by }");
        text.pieces.push_back({{}, parse_expression(source.substr(open + 1, close - open - 1), line)});
        source.remove_prefix(close + 1);
    }
    return text;
}

std::optional<double> printed_number(std::string_view text) {
    constexpr std::string_view minus = "−";
    constexpr std::size_t group = 3;  // digits after a comma
    text = trimmed(text);
    const bool percent = text.ends_with('%');
    if (percent) text = trimmed(text.substr(0, text.size() - 1));
    const bool negative = text.starts_with(minus);
    if (negative) text.remove_prefix(minus.size());
    std::string plain;
    for (;;) {
        const std::size_t comma = text.find(',');
        plain += text.substr(0, comma);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const bool begun = plain.find_first_of("123456789") != std::string::npos;
        if (!begun || plain.find('.') != std::string::npos || digits != group) return {};  // "0,5" is no such number
    }
    char* end = nullptr;
    const double number = std::strtod(plain.c_str(), &end);
    if (plain.empty() || *end != '\0') return {};
    return (negative ? -number : number) / (percent ? 100 : 1);
}

namespace {

/// Returns the position of a text outside braces, or npos: words inside braces may contain anything.
std::size_t find_outside(std::string_view source, std::string_view wanted) {
    int depth = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '{') ++depth;
        if (source[i] == '}') --depth;
        if (depth <= 0 && source.substr(i).starts_with(wanted)) return i;
    }
    return std::string_view::npos;
}

Condition::Comparison parse_comparison(std::string_view source, int line) {
    for (const std::string_view sign : {"<=", ">=", "!=", "<", ">", "="}) {
        const std::size_t at = find_outside(source, sign);
        if (at == std::string_view::npos) continue;
        Condition::Comparison c{parse_live_text(trimmed(source.substr(0, at)), line),
                                parse_live_text(trimmed(source.substr(at + sign.size())), line), std::string(sign)};
        if (c.left.empty() || c.right.empty()) throw Error("a comparison needs something on both sides");
        for (const LiveText* side : {&c.left, &c.right})
            if (sign != "=" && sign != "!=" && side->pieces.size() == 1 && !side->pieces[0].live &&
                !printed_number(side->pieces[0].text))
                throw Error("\"{1}\" is not a number, so {2} cannot compare it; write e.g. 0.95, 12,345 or 95 %",
                            side->pieces[0].text, sign);
        return c;
    }
    throw Error("\"{1}\" compares nothing; write e.g. {accuracy[last]} > 0.9", source);
}

}  // namespace

Condition parse_condition(std::string_view source, int line) {
    Condition condition;
    condition.source = trimmed(source);
    condition.line = line;
    constexpr std::string_view joint = " and ";
    for (;;) {
        const std::size_t end = find_outside(source, joint);
        condition.all.push_back(parse_comparison(trimmed(source.substr(0, end)), line));
        if (end == std::string_view::npos) return condition;
        source.remove_prefix(end + joint.size());
    }
}

}  // namespace glassformer::app
