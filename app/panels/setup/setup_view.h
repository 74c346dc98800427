#pragma once

#include <filesystem>

#include "app/common/frame.h"

namespace glassformer::app {

/// Opens the setup window with the current world.
void open_setup(const Frame& frame);
/// Opens it if it is closed, with one of the user's files as the world.
void open_setup_with(const Frame& frame, const std::filesystem::path& file);
/// Draws the setup of a new run: the world on the left, the model's switches in the middle, the training on the right,
/// and the expected cost below. Replaces the panels while frame.state.own<SetupState>().open. Items "setup/…".
void draw_setup(const Frame& frame, const Box& box);

}  // namespace glassformer::app
