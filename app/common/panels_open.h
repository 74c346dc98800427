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

/// The panel that says where a number comes from was opened by a click on a number: it lies over the sentences until
/// the pointer has left them, so that nothing moves under it.
struct NumberOverSentences {
    enum class Side { none, asked, left, right } side = Side::none;
};

/// Opens that panel, from the frame that asks for it on.
inline void open_number_over(PanelsOpen& open, NumberOverSentences& over) {
    if (!open.number) over.side = NumberOverSentences::Side::asked;
    open.number = true;
}

}  // namespace glassformer::app
