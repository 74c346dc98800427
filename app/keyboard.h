#pragma once

#include "app/views/frame.h"

namespace glassformer::app {

/// Keys to choices: ↑↓ layer, ←→ head, Tab token, Space and PageDown / PageUp stage, T train or pause, Escape back,
/// Ctrl +/− size, F5 presenter.
void handle_keys(const Frame& frame);

}  // namespace glassformer::app
