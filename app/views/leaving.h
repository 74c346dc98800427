#pragma once

#include <optional>

#include "app/session/command.h"

namespace glassformer::app {

/// Something that would drop trainings that are nowhere but in memory, while it waits for an answer.
struct Leaving {
    std::optional<Command> then = {};  // what was to be opened
    bool close = false;                // or: the window is to be closed
    bool asking = false;               // the question is on screen
    bool saving = false;               // "Save" was answered: go on once that is done
    bool ready = false;                // go on
};

}  // namespace glassformer::app
