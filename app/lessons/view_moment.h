#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/common/view_state.h"
#include "app/session/command.h"

namespace glassformer::app {

/// What undo restores and what is handed on: what is on screen, and the changes to the model. Theme, text size and the
/// training are not part of it.
struct ViewMoment {
    std::array<std::string, 2> text;  // of sentences A and B
    std::int64_t step = -1;           // visited step; −1 follows the newest
    int layer = 0, head = 0, view = 0, slot = 0;
    Comparing comparing;
    HeadChoice other_head;
    std::array<int, 2> token{};
    bool compare = true, second_layer_norm = false, follow_strongest = true;
    std::vector<WhatIf> what_if;
    std::vector<TracedCell> trail;  // empty while it follows the selected word

    bool operator==(const ViewMoment&) const = default;
};

/// Returns the undoable part of the screen.
ViewMoment moment_of(const ViewState& state, const Snapshot& snapshot);
/// Restores a moment's choices to the state, once the snapshot shows its sentences: see commands_to().
void restore(ViewState& state, const ViewMoment& moment, const Snapshot& snapshot);
/// Returns the commands that make the snapshot show the moment's sentences and step.
std::vector<Command> commands_to(const ViewMoment& moment, const Snapshot& snapshot);

}  // namespace glassformer::app
