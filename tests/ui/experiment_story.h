#pragma once

#include <cstdint>
#include <string>

#include "app/panels/experiment/experiment_parts.h"
#include "tests/ui/story.h"

namespace glassformer::app {

inline constexpr std::int64_t experiment_steps = 60;

/// Opens the page of experiments with two seeds, presses Start, and waits for both runs.
inline void begin(Story& story) {
    ExperimentState& page = story.state().own<ExperimentState>();
    page.open = true;
    page.values = {{"seed", "1, 2"}, {"steps", std::to_string(experiment_steps)}};
    CHECK(story.play("click \"experiment/knob steps\"\nframes 2\nclick experiment/start") == "");
    CHECK(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    story.frames(3);
}

}  // namespace glassformer::app
