#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/lessons/live_reader.h"

namespace glassformer::app {

using live::Kind;
using live::Reader;

void keep_back(const Expression& e, const LivePlace& place, LessonSecrets& secrets) {
    constexpr std::size_t words_listed = 8;  // in the Words panel
    const Reader r(e, place);
    const Kind kind = live::kind_of(e);
    const LiveValue value = evaluate(e, place);
    const bool classes = r.model().config.output == OutputKind::classes;
    if (kind == Kind::row && r.position(0) >= 0)
        secrets.rows.push_back({e.slot, {r.layer, r.head}, r.position(0), e.cross});
    // Also each of its weights by itself, except values that appear everywhere.
    if (kind == Kind::row) {
        const SliceView row = r.pattern_row();
        for (const float weight : row.values())
            if (weight > 0.001f && weight < 0.999f) secrets.numbers.push_back(static_cast<double>(weight));
    }
    if (kind == Kind::said) secrets.said.push_back({e.slot, classes ? -1 : r.position(0)});
    if (kind == Kind::near)
        for (const Neighbor& near : r.near(words_listed)) secrets.numbers.push_back(static_cast<double>(near.cosine));
    // One point of a curve follows from the others.
    for (const double point : r.curve()) secrets.numbers.push_back(point);
    // Counts and the like appear everywhere.
    if (value.number && std::round(*value.number) != *value.number) secrets.numbers.push_back(*value.number);
}

namespace {

/// Prints values as plausible as `right`. Neither its place among them nor how it is printed may tell which one is
/// right: how many are smaller depends on its digits.
template <class Add>
void add_other_numbers(const Reader& r, const LiveValue& right, std::size_t count, const Add& add) {
    const double x = *right.number;
    if (!std::isfinite(x)) return;
    constexpr double most_counted = 1e15;  // far below the largest integer
    const bool whole = x >= 0 && x < most_counted && right.shown == Reader::whole(std::llround(x)).shown;
    if (x >= 0 && x <= 1 && !whole) {
        for (const double other : {0.25, 0.5, 0.75, 0.12, 0.37})
            add((right.shown.ends_with('%') ? r.share(std::fmod(x + other, 1.0)) : r.number(std::fmod(x + other, 1.0)))
                    .shown);
        return;
    }
    std::size_t digits = 0;
    for (const char c : right.shown)
        if (c >= '0' && c <= '9') digits += static_cast<std::size_t>(c - '0');
    const int smaller = static_cast<int>(digits % (count + 1)), all = static_cast<int>(count);
    const auto add_other = [&](int steps) {
        const double other = x + steps * (whole ? std::max(1.0, std::round(x / 8)) : 0.15 * x);
        if (whole && other < 0) return;
        add((whole                        ? Reader::whole(std::llround(other))
             : right.shown.ends_with('%') ? r.share(other)
                                          : r.number(other))
                .shown);
    };
    for (int i = 1; i <= smaller; ++i) add_other(-i);
    for (int i = 1; i <= 4 * all; ++i) add_other(i);  // some may be printed alike
}

}  // namespace

std::vector<std::string> distractors(const Expression& e, const LivePlace& place, std::size_t count) {
    const Reader r(e, place);
    const LiveValue right = evaluate(e, place);
    const Kind kind = live::kind_of(e);
    std::vector<std::string> others;
    const auto add = [&](const std::string& text) {
        if (others.size() < count && text != right.shown && std::ranges::find(others, text) == others.end())
            others.push_back(text);
    };
    if (right.number) {
        add_other_numbers(r, right, count, add);
    } else if (kind == Kind::said) {
        for (const int id : r.likeliest(count + 2)) add(r.name_of(id));
    } else if (kind == Kind::near) {
        for (const Neighbor& near : r.near(count + 2)) add(r.s.model->token_text(near.id));
    } else {
        const SliceView part = r.pattern_row();
        std::vector<std::pair<float, std::size_t>> keys;
        for (std::size_t i = 0; i < part.values().size(); ++i) keys.emplace_back(-part.values()[i], i);
        std::ranges::sort(keys);
        for (const auto& [weight, i] : keys)
            add(e.cross ? r.sentence().source[i].text : live::token_name(r.sentence(), static_cast<int>(i)));
    }
    return others;
}

std::string evaluate(const LiveText& text, const LivePlace& place) {
    std::string all;
    for (const LiveText::Piece& piece : text.pieces)
        all += piece.live ? evaluate(*piece.live, place).shown : piece.text;
    return all;
}

namespace {

/// One side of a comparison. `written`: the lesson's own text, without a {…}.
struct Side {
    LiveValue value;
    bool written = false;
};

Side side(const LiveText& text, const LivePlace& place) {
    if (text.pieces.size() == 1 && text.pieces[0].live) return {evaluate(*text.pieces[0].live, place)};
    const std::string plain = evaluate(text, place);
    return {{printed_number(plain), plain, {}, true},
            std::ranges::none_of(text.pieces, [](const LiveText::Piece& piece) { return piece.live.has_value(); })};
}

std::optional<bool> holds(const Condition::Comparison& c, const LivePlace& place) {
    const auto [a, a_written] = side(c.left, place);
    const auto [b, b_written] = side(c.right, place);
    if (!a.known || !b.known) return {};
    const bool numbers = a.number && b.number;
    // A number that is written in the lesson is also the one that is printed like it. A class name is shown in the
    // chosen language; the lesson has it in English.
    const bool alike = a.shown == b.shown || a.shown == tr_sentence(b.shown);
    const bool equal = (numbers && *a.number == *b.number) || ((!numbers || a_written || b_written) && alike);
    if (c.sign == "=") return equal;
    if (c.sign == "!=") return !equal;
    if (!numbers) return {};
    if (c.sign == "<") return *a.number < *b.number;
    if (c.sign == "<=") return *a.number <= *b.number;
    return c.sign == ">" ? *a.number > *b.number : *a.number >= *b.number;
}

}  // namespace

std::optional<bool> holds(const Condition& condition, const LivePlace& place) {
    bool all = true;
    for (const Condition::Comparison& c : condition.all) {
        const std::optional<bool> one = holds(c, place);
        if (!one) return {};
        all = all && *one;
    }
    return all;
}

std::string evaluate(const Condition::Comparison& c, const LivePlace& place) {
    return evaluate(c.left, place) + " " + c.sign + " " + evaluate(c.right, place);
}

}  // namespace glassformer::app
