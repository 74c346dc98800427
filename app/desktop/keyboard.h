#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Keys to choices: ↑↓ layer, ←→ head, Tab token, Space and PageDown / PageUp stage, T train or pause, Escape back,
/// Ctrl +/− size, F5 and F11 presenter, Ctrl+K palette, Ctrl+Z and Ctrl+Y undo and redo.
void handle_keys(const Frame& frame);

}  // namespace glassformer::app
