#pragma once

#include <memory>
#include <string>

#include "app/window/surface.h"

namespace glassformer::app {

/// How a window opens; sizes are those that the desktop counts in.
struct WindowOptions {
    std::string title = "Glassformer";
    int width = 1600;
    int height = 1000;
    std::optional<ScreenPlace> place;  // used where a screen is there
};

/// Opens a real window with OpenGL 4.3 core, or 3.3 where that is all there is; in a browser the page, with WebGL 2.
/// Throws Error when there is no display or no OpenGL. One at a time; main thread only (except request_redraw).
std::unique_ptr<Surface> open_window(const WindowOptions& options = {});

}  // namespace glassformer::app
