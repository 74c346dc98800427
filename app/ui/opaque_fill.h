#pragma once

#include <optional>

#include "app/ui/ui.h"

namespace glassformer::app::draw {

/// Fills a large area of whole pixels with an opaque colour. It looks like a filled rectangle, but OpenGL clears the
/// area instead of blending a textured one, which would take a software renderer a sixth of its frame.
void opaque_fill(const Ui& ui, const Box& box, ImU32 colour);

/// The fill colour of a draw command; empty if the command does something else.
std::optional<ImU32> opaque_colour(const ImDrawCmd& command);

}  // namespace glassformer::app::draw
