#include "app/common/what_if_paint.h"

#include <algorithm>
#include <cmath>

#include "app/common/predict_first.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float click_slack = 3, full_drag = 120;  // pixels at 100 %: a drag of that length goes from 0 to 1

std::span<const float> painted_row(const HeatMap& map, int row) {
    return map.values.subspan(std::size_t{1} * row * map.columns, map.columns);
}

void paint(const Frame& frame, const HeadTrace& head, const HeatMap& map, float weight) {
    const RowPainting& p = frame.state.own<RowPainting>();
    paint_row(frame, {p.slot, frame.state.layer, head.head, p.query,
                      repainted(painted_row(map, p.query), head.hidden_keys(p.query), p.key, weight),
                      chosen_attention(frame.state)});
}

void begin(const Frame& frame, const HeadTrace& head, const HeatMap& map, const CellHit& hit) {
    RowPainting& p = frame.state.own<RowPainting>();
    p.slot = head.slot, p.query = hit.row, p.key = hit.column;
    p.start = painted_row(map, hit.row)[hit.column];
    p.from_y = ImGui::GetIO().MousePos.y;
    p.dragged = false;
    choose_token(frame.state, frame.snapshot, head.slot, hit.row);
}

/// Handles the mouse while its button is down, and its release.
void go_on(const Frame& frame, const HeadTrace& head, const HeatMap& map) {
    RowPainting& p = frame.state.own<RowPainting>();
    const float moved = p.from_y - ImGui::GetIO().MousePos.y;
    if (p.query >= map.rows || p.key >= map.columns) {  // the sentence has changed meanwhile
        p.slot = -1;
        return;
    }
    const bool released = !ImGui::IsMouseDown(0);
    p.dragged |= std::abs(moved) > frame.ui.px(click_slack);
    if (!p.dragged) {
        if (released) paint(frame, head, map, 1);
    } else if (released || !frame.state.own<WhatIfAsked>().changes) {  // no faster than results arrive
        paint(frame, head, map, std::clamp(p.start + moved / frame.ui.px(full_drag), 0.0f, 1.0f));
    }
    if (released) p.slot = -1;
}

}  // namespace

std::vector<float> repainted(std::span<const float> row, const std::vector<bool>& hidden, int key, float weight) {
    const std::size_t chosen = key;
    float others = 0;
    int count = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == chosen || hidden[i]) continue;
        others += row[i];
        ++count;
    }
    std::vector<float> painted(row.size(), 0.0f);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == chosen || hidden[i]) continue;
        painted[i] = (1 - weight) * (others > 0 ? row[i] / others : 1 / static_cast<float>(count));
    }
    painted[chosen] = weight;
    return painted;
}

bool paint_pattern(const Frame& frame, const HeadTrace& head, const HeatMap& map, const CellHit& hit) {
    RowPainting& p = frame.state.own<RowPainting>();
    if (!is_altered(frame, head.slot)) return false;
    if (p.slot == head.slot) {
        go_on(frame, head, map);
        return true;
    }
    if (!p.on && !shift_down()) return false;
    if (hit.row < 0) return p.on;
    if (waits_for_guess(frame, head, hit.row)) return false;  // its weights are still hidden: the click is the guess
    const Ui& ui = frame.ui;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const std::string query = frame.word(head.slot, hit.row), key = head.key_word(frame, hit.column);
    if (head.hidden(hit.row, hit.column)) {
        draw::tooltip(ui, ui.items->format(tr("The mask hides “%s” from “%s”\nSwitch the mask off to paint here."),
                                           key.c_str(), query.c_str()));
        return true;
    }
    draw::tooltip(ui, ui.items->format(tr("%s → %s  %.2f\nClick to give it the whole weight of this row. Drag up or "
                                          "down to give it more or less."),
                                       query.c_str(), key.c_str(), head.pair(head.pattern, hit.row, hit.column)));
    if (ImGui::IsMouseClicked(0)) begin(frame, head, map, hit);
    return true;
}

float draw_painting_bar(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    if (!frame.state.own<RowPainting>().on) return box.min.y - ui.px(8);  // as if there were no bar, nor its gap
    const float height = ui.px(28);
    const ImVec2 max{box.max.x, box.min.y + height};
    draw::rounded_box(ui, {box.min, max}, ui.theme->selection_tint, ui.theme->selection, 6);
    if (close_button(ui, "what if/stop painting", {{max.x - height, box.min.y}, max},
                     tr("Stop painting\nEsc does the same.")))
        frame.state.own<RowPainting>() = {};
    const Box inside{{box.min.x + ui.px(10), box.min.y}, {max.x - height, max.y}};
    const std::string draft = draft_text(frame);
    const std::string whole = filled(tr("{1}, the rest is shared by the others: Enter applies, Esc cancels"), {draft}),
                      brief = filled(tr("{1}: Enter applies, Esc cancels"), {draft});
    const std::string_view text =
        draft.empty() ? draw::first_fitting(ui, inside.width(),
                                            {tr("Painting a row: click a cell of the pattern, or drag it up or down. "
                                                "By keyboard: ← → key, ↑ ↓ weight, Enter applies, Esc cancels"),
                                             tr("Click a cell or drag it up or down. ← → key, ↑ ↓ weight, Enter"),
                                             tr("← → key, ↑ ↓ weight, Enter")},
                                            FontRole::small)
                      : draw::first_fitting(ui, inside.width(), {whole, brief, draft}, FontRole::small);
    draw::label(ui, inside, text, {FontRole::small, ui.theme->text}, {"what if/painting"});
    return max.y;
}

}  // namespace glassformer::app
