#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/common/view_state.h"
#include "app/session/command.h"

namespace glassformer::app {

/// What undo brings back: what is looked at, and what was changed in the model. Theme, text size and the training are
/// not part of it.
struct ViewMoment {
    std::array<std::string, 2> text;  // of the sentences A and B
    std::int64_t step = -1;           // travelled to; −1 follows the newest
    int layer = 0, head = 0, view = 0, slot = 0;
    Comparing comparing;
    HeadChoice other_head;
    std::array<int, 2> token{};
    bool compare = true, second_layer_norm = false, follow_strongest = true;
    std::vector<WhatIf> what_if;
    std::vector<TracedCell> trail;  // empty while it follows the chosen word

    bool operator==(const ViewMoment&) const = default;
};

/// The undoable part of what is on screen.
ViewMoment moment_of(const ViewState& state, const Snapshot& snapshot);
/// Puts a moment's choices into the state, once the snapshot shows its sentences: see commands_to().
void restore(ViewState& state, const ViewMoment& moment, const Snapshot& snapshot);
/// What the worker must be asked for, so that the snapshot shows the moment's sentences and step.
std::vector<Command> commands_to(const ViewMoment& moment, const Snapshot& snapshot);

/// The moments that were on screen, for undo and redo. Changes that follow each other within `merge_seconds` (a held
/// arrow key, a drag along the timeline) count as one.
class History {
public:
    static constexpr std::size_t most = 500;
    static constexpr double merge_seconds = 0.4;

    /// What is on screen at `now`, in seconds of a clock that never goes back; nothing happens unless it has changed.
    void record(const ViewMoment& moment, double now);
    /// One change back, or forward again; empty when there is none. The moment returned is the present one from now on.
    std::optional<ViewMoment> undo();
    std::optional<ViewMoment> redo();
    /// The present one could be restored only in part (a step that is no longer kept): this is what came of it.
    void correct(const ViewMoment& moment) { present_ = moment; }
    void clear();

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

private:
    static constexpr double never = -1e9;

    std::optional<ViewMoment> present_;
    std::deque<ViewMoment> past_;     // the newest at the back
    std::vector<ViewMoment> future_;  // the nearest at the back
    double changed_ = never;
};

}  // namespace glassformer::app
