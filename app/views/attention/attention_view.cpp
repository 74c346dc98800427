#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/common/long_sentence.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_paint.h"
#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/views/attention/attention_parts.h"
#include "app/views/view.h"

namespace glassformer::app::views::attention {

namespace {

// Pixels at 100 %.
constexpr float row_least = 20, row_most = 26, cell_least = 14, cell_most = 24, cell_limit = 64, section_gap = 8,
                worksheet_row_most = 32;
constexpr float view_side = 12;      // free space left and right of a view
constexpr float side_by_side = 700;  // from this width on, if height is short, the pattern is beside the worksheet

/// Heights of a row of the worksheet and of the pattern.
struct Rows {
    float row, cell;
};

/// `t` goes from 0, the lowest rows, to 1, the tallest.
Rows rows_between(const Ui& ui, float t) {
    return {std::floor(ui.scale * std::lerp(row_least, row_most, t)),
            std::floor(ui.scale * std::lerp(cell_least, cell_most, t))};
}

float stacked_height(const Frame& frame, const HeadTrace& head, const Rows& rows) {
    return worksheet_size(frame.ui, rows.row).total(head.keys) + frame.ui.px(section_gap) +
           pattern_heading(frame, head) + rows.cell * to_float(head.n) + frame.ui.px(4);
}

/// Gives the room that a short sentence leaves to the pattern.
Rows grown(const Frame& frame, const HeadTrace& head, Rows rows, float height) {
    const float spare = height - stacked_height(frame, head, rows), n = to_float(head.n);
    rows.cell = std::min(rows.cell + std::floor(spare / n), std::floor(frame.ui.scale * cell_limit));
    return rows;
}

/// The tallest rows with which everything is visible at once; the lowest if none are (then the card scrolls).
Rows stacked_rows(const Frame& frame, const HeadTrace& head, float height) {
    constexpr int steps = 20;
    for (int step = steps; step >= 0; --step) {
        const Rows rows = rows_between(frame.ui, to_float(step) / steps);
        if (stacked_height(frame, head, rows) <= height) return step == steps ? grown(frame, head, rows, height) : rows;
        if (step == 0) return rows;
    }
    return {};
}

/// Returns the bottom of the pattern.
float draw_pattern_and_norm(const Frame& frame, const HeadTrace& head, const PatternLayout& layout) {
    draw_pattern(frame, head, layout);
    draw_layer_norm(frame, head, layout);
    return layout.grid.y + layout.pitch.y * to_float(head.n);
}

/// For an audience, if both do not fit: the whole worksheet alone, and the pattern below what is visible at first. Rows
/// that are cut off help nobody, and nobody scrolls in front of a class to reach the last word. Returns the bottom.
float draw_one_by_one(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const float least = ui.px(cell_least);
    float row = ui.px(worksheet_row_most);
    while (row > least && worksheet_size(ui, row).total(head.keys) > height) --row;
    draw_worksheet(frame, head, box, row);
    const float y = box.min.y + std::max(height, worksheet_size(ui, row).total(head.keys) + ui.px(section_gap));
    const float cell = std::clamp(std::floor((height - pattern_heading(frame, head)) / to_float(head.n)),
                                  ui.px(cell_least), ui.px(cell_limit));
    return draw_pattern_and_norm(frame, head, pattern_layout(frame, head, box.below(y), cell)) + ui.px(4);
}

/// Draws worksheet and pattern one below the other; returns the bottom.
float draw_stacked(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const Rows rows = stacked_rows(frame, head, height);
    const float needed = stacked_height(frame, head, rows);
    if (frame.state.presenter && needed > height) return draw_one_by_one(frame, head, box, height);
    const float spare = std::clamp((height - needed) / 2, 0.0f, ui.px(16));
    draw_worksheet(frame, head, box, rows.row);
    const float y = box.min.y + worksheet_size(ui, rows.row).total(head.keys) + ui.px(section_gap) + spare;
    draw_pattern_and_norm(frame, head, pattern_layout(frame, head, box.below(y), rows.cell));
    return box.min.y + needed + spare;
}

/// Draws worksheet and pattern side by side, each as tall as it needs to be; returns the bottom.
float draw_beside(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const float n = to_float(head.n), middle = std::round(box.min.x + box.width() * 0.54f);
    const float fixed = worksheet_size(ui, 0).total(0) + ui.px(12), heading = pattern_heading(frame, head);
    const float keys = to_float(head.keys);
    const float least = ui.px(frame.state.presenter ? cell_least : row_least);
    const float row = std::clamp(std::floor((height - fixed) / (keys + 1)), least, ui.px(worksheet_row_most));
    const float cell = std::clamp(std::floor((height - heading) / n), ui.px(cell_least), ui.px(30));
    draw_worksheet(frame, head, box.left_of(middle - ui.px(16)), row);
    const float bottom =
        draw_pattern_and_norm(frame, head, pattern_layout(frame, head, box.right_of(middle + ui.px(8)), cell));
    return std::max(box.min.y + worksheet_size(ui, row).total(head.keys), bottom);
}

/// For a long sentence: scrolls the keys, and shows the pattern through a window. Returns the bottom.
float draw_long(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const float row = ui.px(row_least + 2), fixed = worksheet_size(ui, row).total(0);
    const float least_keys = fixed + 4 * row, least_pattern = ui.px(260);
    const bool beside = box.width() >= ui.px(side_by_side);
    const float all = std::max(
        height, beside ? std::max(least_keys, least_pattern) : least_keys + least_pattern + ui.px(section_gap));
    Box keys = box.top(all), pattern = keys;
    if (beside) {
        const float middle = std::round(box.min.x + box.width() * 0.54f);
        keys.max.x = middle - ui.px(16), pattern.min.x = middle + ui.px(8);
    } else {
        keys.max.y = box.min.y + std::max(least_keys, std::floor(all * 0.4f));
        pattern.min.y = keys.max.y + ui.px(section_gap);
    }
    draw_worksheet(frame, head, keys, row);
    draw_pattern_and_norm(frame, head, pattern_window(frame, head, pattern));
    return box.min.y + all;
}

/// For a model without attention: draws the hidden states that are passed from word to word. Returns the bottom.
float draw_states(const Frame& frame, const Trace& trace, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    float y = box.min.y;
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(),
                            tr("This model has no attention: it passes a hidden state from word to word. Each row is "
                               "that state after a word, at the end of the chosen block."),
                            {FontRole::small, ui.theme->text_muted}) +
         ui.px(8);
    int node = hooked_node(frame.state, trace, "rnn.hook_state");
    if (node < 0) node = hooked_node(frame.state, trace, "hook_resid_post");
    if (node < 0) return y;
    const std::span<const float> values = trace.values(node);
    const float range = largest_size(values);
    const std::size_t width = trace.shape(node).back();
    const float words = widest_word(frame, slot);
    const float x = box.min.x + std::min(words, box.width() * 0.25f) + ui.px(10), row = ui.px(row_most);
    const float top = y;
    const SeenRows seen = seen_rows(ui, top, row, trace.positions());
    for (int p = seen.begin; p < seen.end; ++p) {
        y = top + row * to_float(p);
        const bool chosen = p == frame.state.token[slot];
        draw::text_in(ui, {{box.min.x, y}, {x - ui.px(6), y + row}}, frame.word(slot, p),
                      {chosen ? FontRole::small_bold : FontRole::small, 0});
        const std::size_t first = static_cast<std::size_t>(p) * width;
        traced_strip(frame, slot, {{node, static_cast<std::int64_t>(first)}, values.subspan(first, width), range, 1},
                     ui.items->of_card(slot, "state %d", p), {{x, y + ui.px(5)}, {box.max.x, y + row - ui.px(5)}});
    }
    return top + row * to_float(trace.positions());
}

/// For a model with two sides: draws the choice of the words that the chosen word reads. Returns its bottom.
float draw_cross_choice(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    if (!frame.model().translates()) return box.min.y;
    static constexpr std::array<std::string_view, 2> names = {N_("to the source"), N_("to itself")};
    bool itself = !frame.state.cross_attention;
    const float right = std::min(box.max.x, box.min.x + ui.px(220)), bottom = box.min.y + ui.px(24);
    if (segmented(ui, ui.items->of_card(slot, "attention"), {box.min, {right, bottom}}, names, itself)) {
        frame.state.cross_attention = !itself;
        frame.state.follow_strongest = true;
    }
    return bottom + ui.px(6);
}

/// True if the box is wide enough, and a sentence on screen is too long for worksheet and pattern one below the other
/// in rows of a good height. Looks at both sentences, so that A and B have the same layout.
bool stand_beside(const Frame& frame, const Box& box, int slot, float height) {
    const Ui& ui = frame.ui;
    const Rows good = rows_between(ui, 0.5f);
    const auto is_too_high = [&](int one) {
        const Trace* const trace = frame.trace(one);
        if (!trace || !has_attention(frame.state, *trace)) return false;
        const HeadTrace head(frame, *trace, one);
        return !is_long(std::max(head.n, head.keys)) && stacked_height(frame, head, good) > height;
    };
    return box.width() >= ui.px(side_by_side) && (is_too_high(slot) || (frame.state.compare && is_too_high(1 - slot)));
}

/// Returns the bottom.
float draw_attention(const Frame& frame, const Trace& trace, const Box& box, int slot, float height) {
    const HeadTrace head(frame, trace, slot);
    if (is_long(std::max(head.n, head.keys))) return draw_long(frame, head, box, height);
    const bool beside = stand_beside(frame, box, slot, height);
    return beside ? draw_beside(frame, head, box, height) : draw_stacked(frame, head, box, height);
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(slot);
    const float side = ui.px(view_side);
    ChildWindow window(ui, slot == 0 ? "##sentence A" : "##sentence B", box, ChildWindow::Kind::scrolls);
    const ImVec2 at = window.start();
    const Box inside{{at.x + side, at.y + ui.px(2)}, {at.x + box.width() - side, at.y + box.height()}};
    const float top = draw_cross_choice(frame, inside, slot), height = box.height() - ui.px(6) - (top - inside.min.y);
    const Box body = inside.below(top);
    const float bottom = has_attention(frame.state, trace) ? draw_attention(frame, trace, body, slot, height)
                                                           : draw_states(frame, trace, body, slot);
    window.reaches({at.x + 1, bottom + ui.px(2) + 1});
    if (slot == frame.state.slot && std::exchange(frame.state.own<RowPainting>().draft.reveal, false))
        window.scroll_to(ui.items->of_card(slot, "paint focus"));
}

}  // namespace

extern constinit const View view{
    .name = N_("Attention"),
    .meaning = N_("What the chosen word attends to in one head, number by number."),
    .also = "worksheet weights scores softmax q k v by hand",
    .draw = draw_view,
    .header = draw_painting_bar,
    .of_head = true,
};

}  // namespace glassformer::app::views::attention
