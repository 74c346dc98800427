#pragma once

#include <string>
#include <vector>

#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "tests/ui/story.h"

/// Helpers for stories about the view Whole model.
namespace glassformer::app {

using views::whole_model::CanvasLevel;
using views::whole_model::CanvasState;

inline std::string number(int n) { return std::to_string(n); }

/// Opens the canvas of sentence A alone, at its first level, as at the first start.
inline void open_canvas(Story& story) {
    story.state().view = view_index("Whole model");
    story.state().compare = false;
    story.state().slot = 0;
    story.state().window.panels = {false, false, false};
    story.frames(3);
}

inline CanvasState& canvas(Story& story) { return story.state().own<CanvasState>(); }
inline CanvasLevel level(Story& story) { return canvas(story).camera.level(); }

/// Steps through the story by keyboard and returns its captions from first to last.
inline std::vector<std::string> captions(Story& story) {
    REQUIRE(story.play("key Home\nkey Space\nframes 2\nkey Space\nframes 2") == "");
    std::vector<std::string> told{story.text("whole/story/caption")};
    for (int i = 1; i < canvas(story).story.stage_count; ++i) {
        REQUIRE(story.play("key .\nframes 2") == "");
        told.push_back(story.text("whole/story/caption"));
    }
    REQUIRE(story.play("key Escape\nframes 2") == "");
    return told;
}

inline void check_captions(Story& story, const std::vector<std::string>& beginnings) {
    const std::vector<std::string> told = captions(story);
    REQUIRE(told.size() == beginnings.size());
    for (std::size_t i = 0; i < told.size(); ++i) CHECK_MESSAGE(told[i].starts_with(beginnings[i]), told[i]);
}

}  // namespace glassformer::app
