#pragma once

namespace glassformer::app {

/// A panel that can be closed.
enum class SidePanel { map, number, timeline };

/// Which of the panels around the sentences are open. A closed one leaves a rail, which opens it.
struct PanelsOpen {
    bool map = true, number = true, timeline = true;
    bool words_alone = false;  ///< of what is known of a word nothing but its words: a lesson asks for the rest later

    bool& of(SidePanel panel) { return panel == SidePanel::map ? map : panel == SidePanel::number ? number : timeline; }
    bool operator==(const PanelsOpen&) const = default;
};

}  // namespace glassformer::app
