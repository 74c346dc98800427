#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/ui/draw.h"

/// Positions between the characters of one line of text, in bytes, and their screen positions; x counts from the line's
/// left end. A character is what a reader sees as one (a grapheme): a letter with its marks.
namespace glassformer::app::draw {

std::size_t after_character(std::string_view line, std::size_t at);
std::size_t before_character(std::string_view line, std::size_t at);

float caret_x(const Ui& ui, std::string_view line, std::size_t at, FontRole font);
/// The position nearest to x.
std::size_t caret_at(const Ui& ui, std::string_view line, float x, FontRole font);

struct Stretch {
    float left = 0, right = 0;
};
/// The horizontal extents of the bytes from `from` to `to`: several where some words run the other way.
std::vector<Stretch> covered(const Ui& ui, std::string_view line, std::size_t from, std::size_t to, FontRole font);

/// True if a line begins at its right end.
bool begins_at_right(const Ui& ui, std::string_view line, FontRole font);

/// Like draw::text(), but not recorded for the search for untranslated texts: for text that the user typed, or that is
/// recorded elsewhere.
void typed_text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style);

}  // namespace glassformer::app::draw
