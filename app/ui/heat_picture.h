#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A heat map of a frame, as numbers and as colours, where it is in the window: for files that are made of the
/// frame.
struct HeatPicture : Box {
    int rows = 0, columns = 0;
    std::vector<float> values;   ///< row by row
    std::vector<ImU32> colours;  ///< of the cells; alpha 0 where a cell is hidden
    HeatMarks marks;
};

/// The heat map that a command of a draw list draws, read back from the graphics card; empty where it draws none. Needs
/// a current OpenGL context, and the frame of the command to be the newest.
std::optional<HeatPicture> heat_picture(const ImDrawCmd& command);

/// A number that heat maps share if they look the same and stand at one place; empty where a command draws none, or the
/// values may change where they lie.
std::optional<std::uint64_t> heat_number(const ImDrawCmd& command);

}  // namespace glassformer::app
