#pragma once

#include <span>
#include <string_view>

#include "app/ui/draw.h"

/// Small typesetting of formulas: "e^2.12" raises the exponent, "W_Q" lowers the index, "a / b" can stand as a
/// fraction. Formulas come as plain text from Trace::explain, so that what is drawn is what was computed.
namespace glassformer::app::math {

/// One side of an equation.
struct Piece {
    std::string_view text;
    bool result = false;           ///< the answer: bold, in a gold box where fractions are stacked
    std::string_view before = {};  ///< is before `text`, where that is a stacked fraction: "w − lr · "
};

/// How a formula looks.
struct Style {
    FontRole font = FontRole::body;
    ImU32 colour = 0;
    bool stacked = false;  ///< fractions with a bar; else "a / b" on the line
};

/// Draws one line with raised and lowered parts; returns its width. `draw_it` false only measures.
float text(const Ui& ui, ImVec2 at, std::string_view text, const Style& style, bool draw_it = true);

/// Draws "piece = piece = …" from the left, going to a next line before a piece that does not fit in `width`. Returns
/// the height taken.
float equation(const Ui& ui, ImVec2 at, float width, std::span<const Piece> pieces, const Style& style);

}  // namespace glassformer::app::math
