#pragma once

#include <functional>
#include <numeric>

#include "tests/ui/story.h"

/// Helpers for stories about the words' contributions to an answer, and its gradient.
namespace glassformer::app {

inline constexpr const char* open_page =
    "click \"view/Logit attribution\"\nframes 2\nclick \"A/argued page/words\"\nframes 2\n";

/// Waits until the worker has completed what the page asks for, and the request is the wanted one.
inline void wait_for_parts(
    Story& story, int slot = 0,
    const std::function<bool(const AskedWordParts&)>& wanted = [](const AskedWordParts&) { return true; }) {
    REQUIRE(story.until([&] {
        const auto& parts = story.snapshot().word_parts[static_cast<std::size_t>(slot)];
        return parts && parts->complete && wanted(parts->asked) &&
               parts->of.lock() == story.snapshot().sentences[slot].trace;
    }));
    story.frames(2);
}

inline double mean_of(std::span<const float> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Shows the answer's gradient with every explained number.
inline void show_gradients(Story& story) {
    REQUIRE(story.play("click \"A/part everywhere\"\nframes 2") == "");
    wait_for_parts(story, 0, [](const AskedWordParts& asked) { return asked.gradients; });
}

/// Explains a number of card A.
inline void explain_cell(Story& story, Cell cell) {
    story.state().trail = {{0, cell}};
    story.state().follow_strongest = false;
    story.state().window.panels.number = true;
    story.frames(3);
}

}  // namespace glassformer::app
