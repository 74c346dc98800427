#pragma once

#include <optional>

#include "app/ui/ui.h"

namespace glassformer::app::draw {

/// Fills a large area of whole pixels with a colour without transparency. Looks like a filled rectangle; but OpenGL
/// clears the area instead of blending a textured one over what is there, which takes a renderer in software a sixth
/// of its frame.
void opaque_fill(const Ui& ui, const Box& box, ImU32 colour);

/// The colour that a command of a draw list fills its area with; empty where it does something else.
std::optional<ImU32> opaque_colour(const ImDrawCmd& command);

}  // namespace glassformer::app::draw
