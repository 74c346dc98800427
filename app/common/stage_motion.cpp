#include "app/common/stage_motion.h"

#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/model_colours.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

/// True if a key or a mouse button was pressed.
bool any_input() {
    for (const bool clicked : ImGui::GetIO().MouseClicked)
        if (clicked) return true;
    for (int key = 0; key < static_cast<int>(Key::count); ++key)
        if (key_pressed(static_cast<Key>(key))) return true;
    return false;
}

bool stage_contains(const Box& box, const Box& part) {
    return box.min.x <= part.min.x && box.min.y <= part.min.y && box.max.x >= part.max.x && box.max.y >= part.max.y;
}

/// Both, or the larger if one contains the other.
std::vector<Box> panels_of(const StageMotion::Ghost& ghost) {
    if (stage_contains(ghost.to_panel, ghost.from_panel)) return {ghost.to_panel};
    if (stage_contains(ghost.from_panel, ghost.to_panel)) return {ghost.from_panel};
    return {ghost.from_panel, ghost.to_panel};
}

/// The operands of all terms, those of the largest terms first.
std::vector<Cell> operands_of(const Trace& trace, const Cell& cell) {
    const Explanation e = trace.explain(cell);
    std::vector<const Explanation::Term*> terms;
    for (const Explanation::Term& term : e.terms) terms.push_back(&term);
    std::ranges::stable_sort(terms, std::greater<>(),
                             [](const Explanation::Term* t) { return std::abs(t->contribution); });
    std::vector<Cell> cells;
    for (const Explanation::Term* term : terms)
        for (const Explanation::Operand& operand : term->operands) {
            const Cell known = known_as(trace, operand.cell);
            if (std::ranges::find(cells, known) == cells.end()) cells.push_back(known);
        }
    return cells;
}

}  // namespace

void StageMotion::note(const Ui& ui, const TracedCell& cell, const Box& box) {
    if (ui.reduce_motion || !ImGui::IsRectVisible(box.min, box.max)) return;
    now_.push_back({box, cell, clip_box(*ui.list())});
}

const StageMotion::Place* StageMotion::find(const std::vector<Place>& places, const TracedCell& cell) const {
    const auto found = std::ranges::find(places, cell, &Place::cell);
    return found == places.end() ? nullptr : &*found;
}

// If a number was drawn in several places, the first counts: its view, not the explanation beside it.
void StageMotion::send_off(const Frame& frame) {
    ghosts_.clear();
    const ViewState& state = frame.state;
    if (state.trail.empty() || !frame.trace(state.trail.back().slot)) return;
    const TracedCell& result = state.trail.back();
    const Place* goal = find(now_, result);
    if (!goal) return;
    const Trace& trace = *frame.trace(result.slot);
    const ImVec2 to = goal->centre();
    const Ui& ui = frame.ui;
    for (const Cell& cell : operands_of(trace, result.cell)) {
        const Place* start = find(start_, {result.slot, cell});
        if (!start) continue;
        const ImVec2 from = start->centre();
        if (std::hypot(to.x - from.x, to.y - from.y) < ui.px(12)) continue;  // it is there already
        const ImVec2 size{std::clamp(start->max.x - start->min.x, ui.px(6), ui.px(20)),
                          std::clamp(start->max.y - start->min.y, ui.px(6), ui.px(11))};
        ghosts_.push_back(
            {from, to, size, node_text_colour(*ui.theme, trace.graph()[cell.node].name), start->panel, goal->panel});
        if (ghosts_.size() == most_ghosts) break;
    }
    ends_ = ghosts_.empty() ? 0 : ImGui::GetTime() + seconds;
}

void StageMotion::draw_ghosts(const Ui& ui) const {
    const auto done = static_cast<float>(1 - (ends_ - ImGui::GetTime()) / seconds);
    const float t = done * done * (3 - 2 * done);  // slow, fast, slow
    const float shrink = std::lerp(1.0f, 0.45f, t), strength = 0.7f * (1 - t * t * t);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    for (const Ghost& ghost : ghosts_) {
        const ImVec2 at{std::lerp(ghost.from.x, ghost.to.x, t), std::lerp(ghost.from.y, ghost.to.y, t)};
        const ImVec2 half{ghost.size.x * shrink / 2, ghost.size.y * shrink / 2};
        for (const Box& panel : panels_of(ghost)) {
            list->PushClipRect(panel.min, panel.max, true);
            list->AddRectFilled({at.x - half.x, at.y - half.y}, {at.x + half.x, at.y + half.y},
                                with_alpha(ghost.colour, strength), std::min(half.y, ui.px(4)));
            list->PopClipRect();
        }
    }
}

void StageMotion::draw(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (ui.reduce_motion) {
        ghosts_.clear();
        wait_ = Wait::nothing;
        stepped_ = false;
        return now_.clear();
    }
    if (stepped_) {
        // In this frame, views may still have drawn the old choice, so the numbers start where the previous frame
        // showed them.
        std::swap(start_, before_);
        ghosts_.clear();
        wait_ = Wait::result;
    } else if (wait_ == Wait::result) {
        wait_ = Wait::nothing;
        send_off(frame);
    } else if (!ghosts_.empty() && (any_input() || ImGui::GetTime() >= ends_)) {
        ghosts_.clear();
    }
    stepped_ = false;
    if (!ghosts_.empty()) draw_ghosts(ui);
    std::swap(before_, now_);
    now_.clear();
}

bool StageMotion::moving() const { return wait_ != Wait::nothing || !ghosts_.empty(); }

void note_place(const Frame& frame, int slot, const Cell& cell, const Box& box) {
    frame.own<StageMotion>().note(frame.ui, {slot, cell}, box);
}

}  // namespace glassformer::app
