#include <algorithm>
#include <cmath>
#include <string>

#include "app/common/head_picture.h"
#include "app/common/head_summaries.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/panels/model_map/model_map_view.h"

namespace glassformer::app {

namespace {

constexpr int most_rectangles = 16 * 16;  // in a pattern; a larger one becomes a picture
constexpr int most_words = 32;            // up to here the pattern itself is drawn

/// Returns the cell of largest magnitude in the chosen word's row of a node; in the whole node if it has no row per
/// word.
Cell representative(const Trace& trace, int node, int token) {
    const Shape shape = trace.shape(node);
    const bool by_word = shape.rank() > 0 && shape[0] == trace.positions() && token >= 0 && token < trace.positions();
    const SliceView part = trace.part(node, by_word ? Slices{token, 1} : trace.slices(node).all());
    const auto largest = std::ranges::max_element(part.values(), {}, [](float v) { return std::abs(v); });
    return {node, part.first() + (largest - part.values().begin())};
}

/// Returns the cell of a head's largest weight.
Cell strongest_weight(const Trace& trace, int pattern, int head) {
    const SliceView weights = trace.part(pattern, {head, 1});
    return {pattern, weights.first() + (std::ranges::max_element(weights.values()) - weights.values().begin())};
}

/// Draws one square per cell. If there are more words than squares, a square shows the mean weight of the words that
/// share it.
void draw_pattern(const Ui& ui, const Box& box, const HeatMatrix& pattern) {
    ui.list()->AddRectFilled(box.min, box.max, ui.theme->attention_zero);
    const int queries = pattern.rows, keys = pattern.columns;
    if (queries * keys > most_rectangles) return draw_heat(ui, pattern, box);
    const auto cells = [&](float pixels) { return std::max(1, static_cast<int>(pixels / 2)); };
    const PatternPicture picture =
        pattern_picture(pattern.values, queries, keys, cells(std::min(box.width(), box.height())));
    const auto edge = [](float a, float b, int i, int n) {
        return std::round(a + (b - a) * to_float(i) / to_float(n));
    };
    for (int r = 0; r < picture.rows; ++r)
        for (int c = 0; c < picture.columns; ++c)
            ui.list()->AddRectFilled(
                {edge(box.min.x, box.max.x, c, picture.columns), edge(box.min.y, box.max.y, r, picture.rows)},
                {edge(box.min.x, box.max.x, c + 1, picture.columns), edge(box.min.y, box.max.y, r + 1, picture.rows)},
                ui.theme->attention_colour(picture.weights[r * picture.columns + c]));
}

}  // namespace

/// Adds the clickable area of an element, with its tooltip. A click explains its largest number for the chosen word.
Response MapView::area(const MapElement& e, const Box& box) const {
    const std::string_view label = ui_.items->format("map/%s", e.label.c_str());
    const Response r = click_area(ui_, label, box, item_state(&e == lit_ ? 1 : 0), e.title);
    if (r.clicked && trace_) explain(frame_.state, {slot_, representative(*trace_, e.main, frame_.state.token[slot_])});
    if (ui_.focus->offer(label)) draw::rounded_box(ui_, box.inset(-ui_.px(2)), 0, ui_.theme->focus, 8, 2);
    if (!r.hovered) return r;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui_, map_tooltip(e, model()));
    return r;
}

void MapView::draw_element(int index) const {
    const MapElement& e = map_.elements[index];
    if (e.kind == PartKind::residual_add)
        draw_add(e, span(index));
    else if (e.kind == PartKind::attention)
        draw_attention(e, span(index));
    else
        draw_box(e, span(index));
}

void MapView::draw_box(const MapElement& e, const MapSpan& s) const {
    const Theme& t = *ui_.theme;
    // Inside a block, a part on the stream replaces it, so its box covers the spine.
    const bool across = e.on_stream && e.kind != PartKind::embed;
    const Box box{{across ? x(map_column::spine - map_column::spine_width) : left(), y(s.top)}, {right(), y(s.bottom)}};
    const bool lit = &e == lit_;
    const Response r = area(e, box);
    const ImU32 fill = lit ? t.selection_tint : r.hovered ? t.hover : t.card;
    draw::rounded_box(ui_, box, fill, lit ? t.selection : wire_colour(e), 6, lit ? 2.0f : 1.5f);
    draw_words(e, box.inset(ui_.px(8), 0));
    if (e.kind != PartKind::mlp || e.encoder || !shows_mlp_off(frame_, slot_, e.block)) return;
    draw_crossed_out(ui_, box);
    ui_.items->addf(box, std::nullopt, "map/%d/mlp off", e.block);
}

// Draws title and sizes. If both do not fit, the sizes lose their blanks, or else are left to the tooltip.
void MapView::draw_words(const MapElement& e, const Box& box) const {
    const Theme& t = *ui_.theme;
    const auto width = [&](std::string_view text) { return draw::text_size(ui_, text, FontRole::small).x; };
    const float room = box.width() - width(e.title) - ui_.px(4);
    std::string detail = e.detail;
    if (width(detail) > room) std::erase(detail, ' ');
    if (width(detail) > room) detail.clear();
    const float taken = detail.empty() ? 0 : std::ceil(width(detail)) + ui_.px(1);
    draw::text_in(ui_, box.left_of(box.max.x - taken), e.title,
                  {FontRole::small, e.kind == PartKind::mlp ? t.mlp_text : t.text});
    draw::text_in(ui_, box.right(taken), detail, {FontRole::small, t.text_muted, draw::Align::right});
}

void MapView::draw_add(const MapElement& e, const MapSpan& s) const {
    const Theme& t = *ui_.theme;
    const float radius = ui_.px(8), cy = y(s.middle()), cx = x(map_column::spine), arm = ui_.px(4.5f),
                width = ui_.px(1.5f);
    const float text_x = left() + ui_.px(map_column::wire + 7),
                text_width = draw::text_size(ui_, e.title, FontRole::small).x;
    const bool lit = &e == lit_;
    const Response r =
        area(e, {{cx - radius, y(s.top)}, {std::min(right(), text_x + text_width + ui_.px(4)), y(s.bottom)}});
    const ImU32 ink = lit ? t.selection : t.residual;
    ui_.list()->AddCircleFilled({cx, cy}, radius, lit ? t.selection_tint : r.hovered ? t.hover : t.card);
    ui_.list()->AddCircle({cx, cy}, radius, ink, 0, lit ? ui_.px(2) : width);
    ui_.list()->AddLine({cx - arm, cy}, {cx + arm, cy}, ink, width);
    ui_.list()->AddLine({cx, cy - arm}, {cx, cy + arm}, ink, width);
    draw::text_in(ui_, {{text_x, y(s.top)}, {right(), y(s.bottom)}}, e.title,
                  {FontRole::small, lit ? t.selection_text : t.text_muted});
}

void MapView::draw_attention(const MapElement& e, const MapSpan& s) const {
    const Theme& t = *ui_.theme;
    const float label_bottom = y(s.top + heights().label), inset = ui_.px(map_column::wire + 5),
                gap = ui_.px(map_thumb_gap);
    const float name = draw::text_size(ui_, e.title, FontRole::small_bold).x;
    const Box head{{left() + ui_.px(map_column::wire + 1), y(s.top)},
                   {std::min(right(), left() + inset + name + ui_.px(5)), label_bottom}};
    area(e, head);
    if (&e == lit_) draw::rounded_box(ui_, head, t.selection_tint, t.selection, 5);
    draw::text_in(ui_, head.right_of(left() + inset), e.title, {FontRole::small_bold, t.attention_text});
    draw::text_in(ui_, head.between_x(head.max.x + gap, right()), e.detail,
                  {FontRole::small, t.text_muted, draw::Align::right});
    const int per_row = heads_per_row(room(), e.heads);
    const float step = (right() - left() + gap) / to_float(per_row);
    for (int head = 0; head < e.heads; ++head) {
        const int row = head / per_row, column = head % per_row;
        const float x0 = left() + std::round(step * to_float(column)),
                    x1 = left() + std::round(step * to_float(column + 1)) - gap;
        const float top = s.top + heights().label + to_float(row) * (heights().thumb + heights().head_name);
        draw_head(e, head, {{x0, y(top)}, {x1, y(top + heights().thumb)}});
    }
}

// Only for a running model. With many words, or if the trace has not kept the patterns, draws the same small picture as
// "All heads", which may take several frames to compute.
void MapView::draw_thumbnail(const MapElement& e, int head, const Box& box) const {
    const Shape& shape = graph_[e.pattern].shape;
    const int queries = static_cast<int>(shape.back(1)), keys = static_cast<int>(shape.back());
    const bool cross = graph_[e.pattern].name.find(".cross_attn.") != std::string::npos;
    const bool kept = trace_->kept(e.pattern);
    if (!e.encoder && !cross && e.block >= 0 && (!kept || queries > most_words)) {
        const HeadSummaries& all = head_summaries(frame_, slot_);
        ui_.list()->AddRectFilled(box.min, box.max, ui_.theme->attention_zero);
        if (const HeadSummary* summary = all.find(e.block, head))
            draw_head_picture(ui_, summary->picture, all.key(e.block, head), box);
    } else if (kept) {
        const SliceView weights = trace_->part(e.pattern, {head, 1});
        draw_pattern(ui_, box,
                     {.rows = queries,
                      .columns = keys,
                      .values = weights.values(),
                      .stride = keys,
                      .scores = {},
                      .key = {frame_.sentence(slot_).trace, e.pattern, weights.first()}});
    }
    const int hidden_by_quiz = e.encoder ? -1 : row_hidden_by_quiz(frame_, slot_, {e.block, head}, cross);
    if (hidden_by_quiz >= 0) cover_row(ui_, hidden_by_quiz, queries, box);
}

void MapView::draw_head(const MapElement& e, int head, const Box& box) const {
    const Theme& t = *ui_.theme;
    if (box.max.y < ui_.list()->GetClipRectMin().y || box.min.y > ui_.list()->GetClipRectMax().y) return;
    const bool cross = e.pattern >= 0 && graph_[e.pattern].name.find(".cross_attn.") != std::string::npos;
    const bool chosen =
        chosen_block(e.block) && head == frame_.state.head && !e.encoder && cross == frame_.state.cross_attention;
    const AttentionTo to = cross ? AttentionTo::source : AttentionTo::itself;
    const char* side = e.encoder ? "source " : cross ? "cross " : "";
    const std::string_view label = ui_.items->format("map/%shead %d %d", side, e.block, head),
                           name = ui_.items->format("h%d", head);
    const Box all = box.above(box.max.y + ui_.px(heights().head_name));
    const Response r = click_area(ui_, label, all, item_state(chosen ? 1 : 0), name);
    if (!trace_) {
        // Not running: the head exists, but has attended to nothing.
    } else if (r.clicked && e.encoder && e.pattern >= 0) {  // the cards show the decoder: explain the weight instead
        explain(frame_.state, {slot_, strongest_weight(*trace_, e.pattern, head)});
    } else if (r.clicked && e.block >= 0) {
        choose_head(frame_.state, frame_.snapshot, e.block, head);
        frame_.state.cross_attention = cross;
    } else if (r.right_clicked && e.block >= 0 && !e.encoder) {
        toggle_if_possible(frame_, what_if::HeadOff{e.block, head, to});
        ImGui::GetIO().MouseClicked[ImGuiMouseButton_Right] = false;  // otherwise it would also save the panel
    }
    if (trace_ && e.pattern >= 0) draw_thumbnail(e, head, box);
    // Without a trace, the model is only planned.
    const bool off_now = trace_ && (e.encoder ? is_removed(frame_, slot_, true, e.block, head)
                                              : shows_head_off(frame_, slot_, e.block, head, to));
    if (off_now) {
        draw_crossed_out(ui_, box);
        ui_.items->addf(box, std::nullopt, "map/%shead %d %d off", side, e.block, head);
    }
    const float out = ui_.px(2);
    if (chosen)
        draw::selection_frame(ui_, box.inset(-out));
    else
        draw::rounded_box(ui_, box, 0, r.hovered ? t.attention : t.card_border, 1);
    if (ui_.focus->offer(label))
        draw::rounded_box(ui_, {{all.min.x - out, all.min.y - out}, {all.max.x + out, all.max.y}}, 0, t.focus, 4, 2);
    draw::text_in(
        ui_, all.below(box.max.y + ui_.px(1)), name,
        {chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted, draw::Align::centre});
    if (!r.hovered) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const WhatIf off = what_if::HeadOff{e.block, head, to};
    std::string what_can_be_done = e.encoder ? "" : why_not(frame_, off);
    if (!e.encoder && what_can_be_done.empty())
        what_can_be_done =
            is_changed(frame_, off) ? tr("Right-click to switch it on again.") : tr("Right-click to switch it off.");
    if (!what_can_be_done.empty()) what_can_be_done.insert(0, "\n");
    draw::tooltip(ui_, filled(tr("head {1} · block {2}\nA row for each {3}, a column for each {3} it attends to. "
                                 "Darker is a larger weight.{4}"),
                              {std::to_string(head), std::to_string(e.block), model().token, what_can_be_done}));
}

}  // namespace glassformer::app
