#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/views/what_if/what_if_pages.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::what_if {

namespace {

constexpr int of_each = 5;  // of the likeliest words of either row
constexpr float row_height = 24, least_word = 48, widest_word = 110, bar_half = 4, gap = 8;  // pixels at 100 %

/// The likeliest words of either row, likeliest first.
std::vector<int> rows_of(const SaidWords& said) {
    std::vector<int> rows = likeliest(said.now, of_each);
    if (!said.changed()) return rows;
    for (const int id : likeliest(said.before, of_each))
        if (std::ranges::find(rows, id) == rows.end()) rows.push_back(id);
    const auto size = [&](int id) { return std::max(said.now[id], said.before[id]); };
    std::ranges::sort(rows, [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
    return rows;
}

/// Two decimals; a number that would become 0.00 gets two significant digits: "0.25", "0.0004".
std::string chance(double p) {
    constexpr double least = 0.01;
    return p > 0 && p < least ? typographic(significant(p, 2)) : typographic(with_decimals(p, 2));
}

/// The decimals that give a row's change two significant digits, so that its numbers add up; 0 if these are more than
/// six.
int decimals_for(double change) {
    constexpr int most = 6;
    const int wanted = change == 0 ? 2 : 1 - static_cast<int>(std::floor(std::log10(std::abs(change))));
    return wanted > most ? 0 : std::max(wanted, 2);
}

/// Draws one sentence's list; lives for one call.
class Effects {
public:
    Effects(const Frame& frame, const Box& box, int slot, const SaidWords& said)
        : frame_(frame), ui_(frame.ui), box_(box), slot_(slot), said_(said) {}
    float draw();

private:
    void title();
    void followed();
    int followed_word() const;
    void legend();
    void row(int index, int word);
    void bars(const Box& box, float before, float now) const;
    double now(int word) const { return said_.now[word]; }
    double before(int word) const { return said_.before[word]; }
    float width(std::string_view text, FontRole font = FontRole::small) const {
        return std::ceil(draw::text_size(ui_, text, font).x);
    }
    double by(int word) const { return now(word) - before(word); }
    /// A number of the word's row.
    std::string rounded(int word, double number) const {
        const int decimals = said_.changed() ? decimals_for(by(word)) : 0;
        return decimals > 0 ? typographic(with_decimals(number, decimals)) : chance(number);
    }
    /// "+0.12", "−0.0003"; "±0" if nothing changes.
    std::string change(int word) const {
        return by(word) == 0 ? "±0" : (by(word) < 0 ? "−" : "+") + rounded(word, std::abs(by(word)));
    }
    std::string numbers(int word) const {
        return (said_.changed() ? rounded(word, before(word)) + " → " : "") + rounded(word, now(word));
    }

    const Frame& frame_;
    const Ui& ui_;
    Box box_;  // what is left of the box
    int slot_;
    const SaidWords& said_;
    float words_ = 0, numbers_ = 0, changes_ = 0;  // widths of the widest ones
};

/// Says what the list is about.
void Effects::title() {
    const std::string word = frame_.word(slot_, frame_.state.token[slot_]);
    const Guess guess = guess_of(frame_.model(slot_));
    std::string_view text = tr("The sentence is");
    if (guess == Guess::next) text = ui_.items->format(tr("After “%s” comes"), word.c_str());
    if (guess == Guess::masked) {
        const auto& tokens = frame_.sentence(slot_).tokens;
        const std::size_t at = frame_.state.token[slot_];
        const bool hidden = at < tokens.size() && is_mask(frame_.model(slot_), tokens[at].id);
        text = said_.node < 0 ? ui_.items->format(tr("With “%s” masked, it predicts"), word.c_str())
               : hidden       ? std::string_view(tr("At ▢ it predicts"))
                              : ui_.items->format(tr("At “%s”, not masked, it predicts"), word.c_str());
    }
    draw::label(ui_, box_.cut_top(ui_.line(FontRole::body_bold), ui_.px(2)), text, {FontRole::body_bold},
                {ui_.items->of_card(slot_, "what if/about")});
}

/// The word whose probability is explained, if it is one of these; else the likeliest word before the changes.
int Effects::followed_word() const {
    const std::vector<TracedCell>& trail = frame_.state.trail;
    if (!trail.empty() && trail.back().slot == slot_ && said_.node >= 0 && trail.back().cell.node == said_.node) {
        const std::int64_t word = trail.back().cell.offset - said_.first;
        if (word >= 0 && word < static_cast<std::int64_t>(said_.now.size())) return static_cast<int>(word);
    }
    const std::vector<int> before = likeliest(said_.before, 1);
    return before.empty() ? 0 : before[0];  // no word is likeliest if the numbers of a training have diverged
}

void Effects::followed() {
    const Theme& t = *ui_.theme;
    if (!said_.changed()) {
        const std::string_view hint =
            is_altered(frame_, slot_)
                ? tr("Switch something off above to see what changes.")
                : tr("The switches above change only A’s model. This is another model, unchanged.");
        box_.cut_top(draw::label_wrapped(ui_, box_.min, box_.width(), hint, {FontRole::small, t.text_muted},
                                         {ui_.items->of_card(slot_, "what if/hint")}),
                     ui_.px(4));
        return;
    }
    if (std::ranges::equal(said_.now, said_.before)) {
        box_.cut_top(
            draw::label_wrapped(ui_, box_.min, box_.width(), tr("No effect: every probability is exactly the same."),
                                {FontRole::small, t.text_muted}, {ui_.items->of_card(slot_, "what if/no effect")}),
            ui_.px(4));
        return legend();
    }
    const Box row = box_.cut_top(ui_.line(FontRole::body), ui_.px(2));
    const int word = followed_word();
    const std::string name = said_name(frame_, word);
    const std::string moved = change(word);
    const std::string text = "P(" + name + ") " + numbers(word);
    const float number = width(moved, FontRole::body_bold);
    draw::text_in(ui_, row.left_of(row.max.x - number - ui_.px(gap)), text, {FontRole::body, t.text});
    const float at = std::min(width(text, FontRole::body) + ui_.px(10), box_.width() - number);
    draw::text_in(ui_, row.between_x(box_.min.x + at, row.max.x + 1), moved, {FontRole::body_bold, t.selection_text});
    ui_.items->add(ui_.items->of_card(slot_, "what if/chosen"), row, by(word), name);
    legend();
}

/// Says which bar is which.
void Effects::legend() {
    const Theme& t = *ui_.theme;
    const Box line = box_.cut_top(ui_.line(FontRole::small), ui_.px(3));
    const float side = ui_.px(8), middle = std::round(line.middle_y());
    float x = line.min.x;
    const auto entry = [&](ImU32 colour, std::string_view text) {
        draw::rounded_box(ui_, {{x, middle - side / 2}, {x + side, middle + side / 2}}, colour, 0, 2);
        x += side + ui_.px(5);
        draw::text(ui_, {x, line.min.y}, text, {FontRole::small, t.text_muted});
        x += width(text) + ui_.px(14);
    };
    entry(with_alpha(t.text_muted, 0.55f), tr("original"));
    entry(t.attention_colour(0.6f), tr("altered"));
}

/// Draws `before` above `now`, on one track.
void Effects::bars(const Box& box, float before, float now) const {
    const Theme& t = *ui_.theme;
    if (box.width() < ui_.px(24)) return;  // too short to compare
    const float half = ui_.px(bar_half), middle = std::round(box.middle_y());
    const auto bar = [&](float top, float bottom, float value, ImU32 colour) {
        draw::bar(ui_, box.between_y(top, bottom), value, colour, t.track);
    };
    if (before < 0) return bar(middle - half, middle + half, now, t.attention_colour(0.6f));
    bar(middle - 2 * half, middle - ui_.px(1), before, with_alpha(t.text_muted, 0.55f));
    bar(middle + ui_.px(1), middle + 2 * half, now, t.attention_colour(0.6f));
}

void Effects::row(int index, int word) {
    const Theme& t = *ui_.theme;
    const Box row = box_.cut_top(ui_.px(row_height));
    const bool changed = said_.changed(), link = said_.node >= 0;
    const std::string name = said_name(frame_, word);
    const char* letter = Frame::letter(slot_);
    const Response r =
        link_area(ui_, ui_.items->format("%s/what if/word %d", letter, index), row, now(word), name, link);
    if (r.hovered) draw::rounded_box(ui_, row.inset(-ui_.px(4), 0), t.hover, 0, 4);
    const float moved = changes_;
    const float left = std::min(words_, row.width() * 0.3f), right = row.max.x - moved - (changed ? ui_.px(gap) : 0);
    const bool cut = draw::text_in(ui_, row.left(left), name, {FontRole::small, link ? t.attention_text : t.text});
    bars(row.between_x(row.min.x + left + ui_.px(gap), right - numbers_ - ui_.px(gap)),
         changed ? to_float(before(word)) : -1, to_float(now(word)));
    draw::text_in(ui_, row.between_x(right - numbers_ - 1, right), numbers(word),
                  {FontRole::small, t.text_muted, draw::Align::right});
    if (changed) {
        const double size = std::abs(by(word));
        const bool moves = size >= 0.005 || size >= 0.1 * std::max(now(word), before(word));
        draw::text_in(
            ui_, row.right_of(row.max.x - moved - 1), change(word),
            {moves ? FontRole::small_bold : FontRole::small, moves ? t.text : t.text_faint, draw::Align::right});
        ui_.items->addf(row, before(word), "%s/what if/before %d", letter, index);
        ui_.items->addf(row, by(word), "%s/what if/change %d", letter, index);
    }
    if (cut && draw::hovered(row)) draw::tooltip(ui_, name);
    if (r.clicked) explain(frame_.state, {slot_, said_.cell(word)});
}

float Effects::draw() {
    title();
    followed();
    const std::vector<int> rows = rows_of(said_);
    for (const int word : rows) {
        words_ = std::max(words_, width(said_name(frame_, word)));
        numbers_ = std::max(numbers_, width(numbers(word)));
        if (said_.changed()) changes_ = std::max(changes_, width(change(word), FontRole::small_bold));
    }
    words_ = std::clamp(words_, ui_.px(least_word), ui_.px(widest_word));
    for (std::size_t i = 0; i < rows.size(); ++i) row(static_cast<int>(i), rows[i]);
    return box_.min.y;
}

/// For a model that predicts numbers: draws each one before and now. Returns the bottom.
float draw_numbers(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(slot);
    const Trace* original = frame.sentence(slot).original.get();
    const int token = frame.state.token[slot], node = trace.model().logits;
    const std::size_t width = trace.shape(node).back();
    const float line = ui.line(FontRole::body);
    const std::string word = frame.word(slot, token);
    const bool vectors = frame.model(slot).config.output == OutputKind::vectors;
    draw::text_in(ui, box.top(line),
                  ui.items->format(vectors ? tr("Last vector of %s") : tr("At %s it predicts"), word.c_str()),
                  {FontRole::body_bold});
    float y = box.min.y + line + ui.px(4);
    for (std::size_t i = 0; i < std::min<std::size_t>(width, 6); ++i, y += line + ui.px(2)) {
        const std::size_t cell = static_cast<std::size_t>(token) * width + i;
        const Box row = box.between_y(y, y + line);
        const double now = trace.values(node)[cell];
        std::string text = precise(now);
        if (original) {
            const double before = original->values(original->model().logits)[cell];
            text = precise(before) + " → " + text;
            ui.items->add(ui.items->of_card(slot, "what if/before %zu", i), row, before);
        }
        draw::text_in(ui, row, text, {FontRole::body, ui.theme->text});
        ui.items->add(ui.items->of_card(slot, "what if/word %zu", i), row, now);
    }
    return y;
}

}  // namespace

float draw_what_if_effects(const Frame& frame, const Box& box, int slot) {
    if (frame.model(slot).config.outputs_numbers()) return draw_numbers(frame, box, slot);
    const std::optional<SaidWords> said = said_words(frame, slot);
    return said ? Effects(frame, box, slot, *said).draw() : box.min.y;
}

}  // namespace glassformer::app::views::what_if
