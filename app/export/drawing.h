#pragma once

#include <imgui.h>

#include <string>
#include <variant>
#include <vector>

#include "app/ui/box.h"
#include "app/ui/glyphs/text_line.h"
#include "app/ui/ui.h"

namespace glassformer::app {

/// The content of a frame as shapes and text instead of triangles, so that in an exported file lines stay lines and
/// words stay words. Positions are in pixels from the drawing's top left corner.
struct Drawing {
    struct Polygon {
        std::vector<ImVec2> points;
        ImU32 colour = 0;
    };
    /// A line through the points.
    struct Line {
        std::vector<ImVec2> points;
        float width = 1;
        ImU32 colour = 0;
    };
    /// From `left` to `right`.
    struct Gradient {
        Box box;
        ImU32 left = 0, right = 0;
    };
    /// Letters on one line.
    struct Text {
        bool bold = false;
        float em = 0;
        ImVec2 at;        // start of the baseline
        float angle = 0;  // of the baseline, in radians; clockwise, because y points down
        ImU32 colour = 0;
        std::u32string letters;
        std::vector<float> along;  // where each letter starts on the baseline
        float end = 0;             // where the next letter would start
    };
    /// A run of text in another script: glyphs of one face, in visual order.
    struct Run {
        FontFace face;
        bool bolder = false;
        float em = 0;
        ImVec2 at;  // start of the baseline
        float angle = 0;
        ImU32 colour = 0;
        TextPiece piece;
    };
    /// Coloured cells, row by row; or a picture of a lesson, whose pixels are interpolated when enlarged.
    struct Picture {
        Box box;
        int rows = 0, columns = 0;
        std::vector<ImU32> pixels;
        bool smooth = false;
    };
    struct Shape {
        std::variant<Polygon, Line, Gradient, Text, Run, Picture> what;
        Box clip;
    };

    ImVec2 size;
    std::vector<Shape> shapes;
};

/// Reads the part of a frame inside `crop`. It must be the newest frame, drawn without ImGui's anti-aliasing, which
/// turns lines into many small triangles. Heat maps and pictures are read back from the graphics card.
Drawing read_drawing(const ImDrawData& frame, const Ui& ui, const Theme& theme, const Box& crop);

/// Adds lines of text below the drawing, wrapped to its width.
void add_caption(Drawing& drawing, const Ui& ui, const std::string& text, ImU32 colour);

}  // namespace glassformer::app
