#pragma once

#include "app/session/snapshot.h"

namespace glassformer::app {

/// Returns how the training went at the step on screen. For an earlier step, or a training not continued since it was
/// opened, this comes from its log; what the log lacks (the time left) stays unknown.
Running running_at(const Snapshot& snapshot);

/// Returns whether the loss and the gradient norm of the step on screen were measured with heads that a branch has
/// since removed.
bool is_of_parent(const Snapshot& snapshot);

}  // namespace glassformer::app
