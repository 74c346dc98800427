#include <algorithm>
#include <cmath>

#include "app/common/card_scope.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/long_sentence.h"
#include "app/common/pattern_view.h"
#include "app/common/what_if_changes.h"
#include "app/common/what_if_paint.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float step = 0.05f;  // of a weight, per key press

std::vector<float> traced_row(const HeadTrace& head) {
    const auto row = head.pattern.values.cells(head.pair_offset(head.query, 0), static_cast<std::int64_t>(head.keys));
    return {row.begin(), row.end()};
}

bool drafts(const ViewState& state, const HeadTrace& head) {
    const RowDraft& draft = state.own<RowPainting>().draft;
    return draft.slot == head.slot && draft.query == head.query && draft.head == head_of(state, head.slot) &&
           draft.cross == head.cross && static_cast<int>(draft.weights.size()) == head.keys;
}

/// The key with the focus: the one it was moved to, or else the one attended to most.
int focused_key(const ViewState& state, const HeadTrace& head) {
    const RowDraft& draft = state.own<RowPainting>().draft;
    const bool here = draft.key >= 0 && draft.key < head.keys && draft.slot == head.slot && draft.query == head.query &&
                      draft.cross == head.cross;
    return here && !head.hidden(head.query, draft.key) ? draft.key : head.strongest(head.query);
}

/// The draft of the row; begins one with the current weights if there is none.
RowDraft& draft_of(ViewState& state, const HeadTrace& head) {
    RowDraft& draft = state.own<RowPainting>().draft;
    if (drafts(state, head)) return draft;
    const int key = focused_key(state, head);
    draft = {head.slot, head.query, key,         head_of(state, head.slot), head.cross, traced_row(head),
             {},        false,      draft.reveal};
    draft.base = draft.weights;
    return draft;
}

/// Moves the focus to the next key that the mask does not hide.
void move_focus(ViewState& state, const HeadTrace& head, int by) {
    RowDraft& draft = draft_of(state, head);
    for (int key = draft.key + by; key >= 0 && key < head.keys; key += by) {
        if (head.hidden(head.query, key)) continue;
        draft.key = key;
        draft.base = draft.weights;
        break;
    }
    GridView& view = state.own<PatternViewState>().window[head.slot];
    if (view.cell > 0) view.x = static_cast<float>(draft.key) + 0.5f;
}

void change_weight(ViewState& state, const HeadTrace& head, float by) {
    RowDraft& draft = draft_of(state, head);
    const float now = draft.weights[draft.key];
    // Rounded to a multiple of `step`, so that as many presses back restore the weight.
    const float wanted = std::clamp(std::round((now + by) / step) * step, 0.0f, 1.0f);
    draft.weights = repainted(draft.base, head.hidden_keys(head.query), draft.key, wanted);
    draft.changed = true;
}

}  // namespace

bool painting_keys(const Frame& frame) {
    ViewState& state = frame.state;
    const int slot = state.slot;
    RowPainting& painting = state.own<RowPainting>();
    if (!painting.on || ctrl_down() || !frame.trace(slot) || !is_altered(frame, slot) || waits_for_guess(state, slot))
        return false;
    const int along = static_cast<int>(key_pressed(Key::right, true)) - static_cast<int>(key_pressed(Key::left, true));
    const int more = static_cast<int>(key_pressed(Key::up, true) || key_pressed(Key::equal, true)) -
                     static_cast<int>(key_pressed(Key::down, true) || key_pressed(Key::minus, true));
    const bool apply = key_pressed(Key::enter);
    if (along == 0 && more == 0 && !apply) return false;
    const CardScope scope(frame, slot);
    if (!has_attention(state, *frame.trace(slot))) return false;
    const HeadTrace head(frame, *frame.trace(slot), slot);
    painting.draft.reveal = true;
    if (along != 0) move_focus(state, head, along);
    if (more != 0) change_weight(state, head, static_cast<float>(more) * step);
    if (!apply || !drafts(state, head) || !painting.draft.changed) return true;
    paint_row(frame, {slot, state.layer, head.head, head.query, painting.draft.weights, chosen_attention(state)});
    drop_draft(state);  // the focus stays where it is
    return true;
}

bool drop_draft(ViewState& state) {
    RowPainting& painting = state.own<RowPainting>();
    if (!painting.on || !painting.draft.changed) return false;
    painting.draft.changed = false;
    painting.draft.weights.clear();
    return true;
}

void draw_draft(const Frame& frame, const HeadTrace& head, const HeatMap& map) {
    const ViewState& state = frame.state;
    const RowPainting& painting = state.own<RowPainting>();
    if (!painting.on || head.slot != state.slot || !is_altered(frame, head.slot) || waits_for_guess(state, head.slot))
        return;
    const Ui& ui = frame.ui;
    const int key = focused_key(state, head);
    if (drafts(state, head) && painting.draft.changed) {
        const SeenCells seen = seen_cells(map);
        for (int column = seen.column; column < seen.column_end; ++column) {
            if (head.hidden(head.query, column)) continue;
            const float weight = painting.draft.weights[column];
            const Box cell = map.cell(ui, head.query, column);
            ui.list()->AddRectFilled(cell.min, cell.max, ui.theme->attention_colour(weight), 3);
            ui.items->addf(cell, weight, "%s/draft %d", Frame::letter(head.slot), column);
        }
    }
    const Box focus = map.cell(ui, head.query, key);
    draw::rounded_box(ui, focus.inset(-ui.px(2)), 0, ui.theme->focus, 4, 2);
    ui.items->add(ui.items->format("%s/paint focus", Frame::letter(head.slot)), focus, item_state(key),
                  head.key_word(frame, key));
}

std::string draft_text(const Frame& frame) {
    const ViewState& state = frame.state;
    const RowDraft& draft = state.own<RowPainting>().draft;
    if (!draft.changed || !frame.trace(draft.slot)) return {};
    const CardScope scope(frame, draft.slot);
    const HeadTrace head(frame, *frame.trace(draft.slot), draft.slot);
    if (!drafts(state, head)) return {};
    const std::string query = frame.word(draft.slot, draft.query), key = head.key_word(frame, draft.key);
    return std::string(frame.ui.items->format("%s → %s  %.2f → %.2f", query.c_str(), key.c_str(),
                                              head.pair(head.pattern, head.query, draft.key),
                                              draft.weights[draft.key]));
}

}  // namespace glassformer::app
