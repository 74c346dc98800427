#pragma once

#include "app/session/snapshot.h"

namespace glassformer::app {

/// How the training went at the step that is on screen: of an earlier one, and of a training that has not gone on since
/// it was opened, what its log says. What the log does not tell (by how much a gradient was cut, the time left) is
/// unknown there.
Running running_at(const Snapshot& snapshot);

}  // namespace glassformer::app
