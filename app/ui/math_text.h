#pragma once

#include <span>
#include <string_view>

#include "app/ui/draw.h"

/// Simple typesetting of formulas: "e^2.12" raises the exponent, "W_Q" lowers the index, "a / b" can be stacked as a
/// fraction. Formulas come as plain text from Trace::explain, so what is drawn is what was computed.
namespace glassformer::app::math {

/// One side of an equation.
struct Piece {
    std::string_view text;
    bool result = false;           ///< the final answer: bold, and in a gold box where fractions are stacked
    std::string_view before = {};  ///< drawn before `text` if that is a stacked fraction: "w − lr · "
};

/// How a formula looks.
struct Style {
    FontRole font = FontRole::body;
    ImU32 colour = 0;
    bool stacked = false;  ///< stack fractions over a bar; else "a / b" on one line
};

/// A superscript or subscript, and where the text continues after it.
struct Script {
    std::string_view text;
    std::size_t end = 0;
};

/// Returns the script whose "^" or "_" is just before `from`. Brackets delimit it and are not drawn: "^(2i/D)" raises
/// 2i/D. Without brackets it ends at the first space, bracket, comma, "/" or "·".
Script script_from(std::string_view text, std::size_t from);

/// Draws one line with superscripts and subscripts; returns its width. If `draw_it` is false, only measures it.
float text(const Ui& ui, ImVec2 at, std::string_view text, const Style& style, bool draw_it = true);

/// Draws "piece = piece = …" from the left, starting a new line before a piece that does not fit in `width`. Returns
/// the total height.
float equation(const Ui& ui, ImVec2 at, float width, std::span<const Piece> pieces, const Style& style);

}  // namespace glassformer::app::math
