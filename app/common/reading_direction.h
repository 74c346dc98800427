#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Whether a sentence (or the one that is translated) is read from right to left, as Hebrew and Arabic are: its words
/// then stand in that order.
bool reads_from_right(const Frame& frame, int slot, bool source = false);

}  // namespace glassformer::app
