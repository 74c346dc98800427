#pragma once

#include <string_view>
#include <vector>

#include "app/ui/draw.h"

namespace glassformer::app {

/// What is selected of a text, in bytes; `to` is where the mouse is and may stand before `from`.
struct TextSelection {
    std::size_t from = 0, to = 0;

    /// The selected part of a text; all of it where nothing is selected.
    std::string_view of(std::string_view text) const;
};

/// Text in lines of a width, newlines as newlines, that the mouse selects (a double click: all of it) and Ctrl+C
/// copies. One item, `label`, with the text. Returns the height taken.
float running_text(const Ui& ui, std::string_view label, ImVec2 at, float width, std::string_view text,
                   TextSelection& selection, const draw::TextStyle& style = {});

namespace draw {
/// The lines that text_wrapped() draws, as parts of `text`.
std::vector<std::string_view> wrapped_lines(const Ui& ui, std::string_view text, float width, FontRole font);
}  // namespace draw

}  // namespace glassformer::app
