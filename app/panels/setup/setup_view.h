#pragma once

#include <filesystem>

#include "app/common/frame.h"

namespace glassformer::app {

/// Opens the set-up window with the world that is on screen.
void open_setup(const Frame& frame);
/// Opens it where it is not open, with a file of one's own as the world.
void open_setup_with(const Frame& frame, const std::filesystem::path& file);
/// A new run: the world at the left, the model's switches in the middle, the training at the right; below them what it
/// will cost. In place of the panels while frame.state.own<SetupState>().open. Items "setup/…".
void draw_setup(const Frame& frame, const Box& box);

}  // namespace glassformer::app
