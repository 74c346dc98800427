#pragma once

#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

struct View;

/// What a view's tab says: in a model in which nothing attends, Attention shows the states.
std::string_view tab_title(const Frame& frame, const View& view);

/// The row of tabs that chooses the view; a list where they do not fit.
void draw_view_tabs(const Frame& frame, const Box& box);

}  // namespace glassformer::app
