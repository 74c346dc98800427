#pragma once

#include "app/session/snapshot.h"

namespace glassformer::app {

/// How the training went at the step that is on screen: of an earlier one, and of a training that has not gone on since
/// it was opened, what its log says. What the log does not tell (the time left) is unknown there.
Running running_at(const Snapshot& snapshot);

/// Whether the loss and the gradient norm of the step on screen were measured with heads that a branch has removed
/// since.
bool is_of_parent(const Snapshot& snapshot);

}  // namespace glassformer::app
