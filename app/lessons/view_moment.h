#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/common/view_state.h"
#include "app/session/command.h"

namespace glassformer::app {

/// What undo brings back, and what is handed on: what is looked at, and what was changed in the model. Theme, text size
/// and the training are not part of it.
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

}  // namespace glassformer::app
