#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A heat map of a frame, as numbers and as colours, where it is in the window: for files that are made of the
/// frame.
struct HeatPicture : Box {
    int rows = 0, columns = 0;
    std::vector<float> values;   ///< row by row
    std::vector<ImU32> colours;  ///< of the cells; alpha 0 where a cell is hidden
    HeatMarks marks;
};

/// Colours matrices on the graphics card and draws their marks (shaders/draw/heat.frag), from textures of float32 as
/// they are uploaded, or from buffers as a compute shader left them. Needs a current OpenGL context whenever it is
/// used, and when it ends.
class HeatShader {
public:
    /// Throws Error with what the compiler says.
    HeatShader();
    ~HeatShader();
    HeatShader(const HeatShader&) = delete;
    HeatShader& operator=(const HeatShader&) = delete;

    void begin_frame() { draws_.clear(); }

    /// Values in a texture, a row of the matrix in a row of it, or in a buffer, where the matrix begins at cell `first`
    /// and its scores at `first_score`. In a texture the scores lie below the values.
    struct Source {
        unsigned texture = 0;  ///< 0: in the buffer
        bool scores = false;
        std::int64_t version = 0;  ///< tells the values from all others that lay there; 0: they may change
        unsigned buffer = 0;
        std::int64_t first = 0, first_score = 0;
        std::ptrdiff_t stride = 0;
    };
    /// Whether a matrix of that size, with scores or without, fits into a texture.
    bool fits(int rows, int columns, bool scores) const;
    /// A texture for a Source, with the values of a matrix.
    static unsigned upload(const HeatMatrix& matrix);
    /// Adds the picture to a draw list, with its marks; it is drawn when that is.
    void draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Source& source, const Box& box,
              const HeatMarks& marks);

    /// The heat map that a command of a draw list draws, read back from the graphics card; empty where it draws none.
    /// Needs the frame of the command to be the newest.
    static std::optional<HeatPicture> read_back(const ImDrawCmd& command);
    /// A number that heat maps share if they look the same and stand at one place; empty where a command draws none, or
    /// the values may change where they lie.
    static std::optional<std::uint64_t> number(const ImDrawCmd& command);

private:
    explicit HeatShader(std::nullptr_t) {}

    struct Draw {
        HeatShader* shader = nullptr;
        const Theme* theme = nullptr;
        int rows = 0, columns = 0;
        HeatColours colours = HeatColours::attention;
        float range = 1;
        Source source;
        Box box;
        HeatMarks marks;
    };
    struct Places {
        int projection, cells, rows, columns, scores, with_sign, range, colour_zero, colour_middle, colour_full,
            colour_broken, corner, extent, pitch, gap, lit, covered, colour_gap, colour_covered, colour_line;
    };

    static void set_up(const ImDrawList* list, const ImDrawCmd* command);
    void link(int position);
    void begin(const Draw& draw);
    /// The texture with the cells: that of the source, or ours, with a copy of what is in the buffer.
    unsigned texture_of(const Draw& draw) const;
    void set_colours(const Draw& draw) const;
    void set_marks(const Draw& draw) const;

    unsigned program_ = 0, vertex_ = 0, fragment_ = 0, texture_ = 0;
    int position_ = 0, largest_side_ = 0;
    Places places_{};
    std::deque<Draw> draws_;  // of this frame: the draw lists point into it
};

}  // namespace glassformer::app
