#pragma once

#include <string_view>
#include <vector>

#include "app/ui/draw.h"

namespace glassformer::app {

/// The selection in a text, as byte offsets; `to` is where the mouse is and may be less than `from`.
struct TextSelection {
    std::size_t from = 0, to = 0;

    /// The selected part of a text; all of it if nothing is selected.
    std::string_view of(std::string_view text) const;
};

/// Draws text wrapped at `width` that the mouse selects (a double click: all of it) and Ctrl+C copies; newlines break
/// lines. One item, `label`, contains the text. Returns the height.
float running_text(const Ui& ui, std::string_view label, ImVec2 at, float width, std::string_view text,
                   TextSelection& selection, const draw::TextStyle& style = {});

namespace draw {
/// The lines that text_wrapped() draws, as views into `text`.
std::vector<std::string_view> wrapped_lines(const Ui& ui, std::string_view text, float width, FontRole font);
}  // namespace draw

}  // namespace glassformer::app
