#pragma once

#include <imgui.h>

#include <string>
#include <variant>
#include <vector>

#include "app/ui/box.h"
#include "app/ui/glyphs/text_line.h"
#include "app/ui/ui.h"

namespace glassformer::app {

/// What a frame shows, as shapes and text rather than as triangles, so that a file can be made of it in which lines
/// stay lines and words stay words. Positions are pixels from the drawing's top left corner.
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
    /// From the colour at the left to the colour at the right.
    struct Gradient {
        Box box;
        ImU32 left = 0, right = 0;
    };
    /// Letters on one line.
    struct Text {
        bool bold = false;
        float em = 0;
        ImVec2 at;        // where the baseline begins
        float angle = 0;  // of the baseline, in radians; clockwise, as y grows downwards
        ImU32 colour = 0;
        std::u32string letters;
        std::vector<float> along;  // where each letter begins on the baseline
        float end = 0;             // where the next one would
    };
    /// A stretch of another script: glyphs of one face, in the order in which they stand.
    struct Run {
        FontFace face;
        bool bolder = false;
        float em = 0;
        ImVec2 at;  // where the baseline begins
        float angle = 0;
        ImU32 colour = 0;
        TextPiece piece;
    };
    /// Coloured cells, row by row; or a picture of a lesson, whose pixels run into one another where it is enlarged.
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

/// The part of a frame inside `crop`. The frame must be the newest, and drawn without ImGui's anti-aliasing, which
/// turns lines into many small triangles. Heat maps and pictures are read back from the graphics card.
Drawing read_drawing(const ImDrawData& frame, const Ui& ui, const Theme& theme, const Box& crop);

/// Adds lines of text below the drawing, broken where they do not fit.
void add_caption(Drawing& drawing, const Ui& ui, const std::string& text, ImU32 colour);

}  // namespace glassformer::app
