#pragma once

#include <string>

#include "app/common/panels_open.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "tests/ui/story.h"

/// What the stories of the whole model share.
namespace glassformer::app {

inline std::string number(int n) { return std::to_string(n); }

/// Of sentence A alone, on the canvas, at its first level, as at the first start.
inline void open_canvas(Story& story) {
    story.state().view = view_index("Whole model");
    story.state().compare = false;
    story.state().slot = 0;
    story.state().own<PanelsOpen>() = {false, false, false};
    story.frames(3);
}

inline CanvasState& canvas(Story& story) { return story.state().own<CanvasState>(); }
inline CanvasLevel level(Story& story) { return canvas(story).camera.level(); }

}  // namespace glassformer::app
