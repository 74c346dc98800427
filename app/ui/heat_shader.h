#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A heat map of a frame, as values and as colours, with its box in the window: for files exported from the frame.
struct HeatPicture : Box {
    int rows = 0, columns = 0;
    std::vector<float> values;   ///< row-major
    std::vector<ImU32> colours;  ///< of the cells, row-major; alpha 0 where a cell is hidden
    HeatMarks marks;
};

/// Colours matrices on the graphics card and draws their marks (shaders/draw/heat.frag), from uploaded float32 textures
/// or from buffers left by a compute shader. Needs a current OpenGL context for every call and for the destructor.
class HeatShader {
public:
    /// Throws Error with the compiler's message.
    HeatShader();
    ~HeatShader();
    HeatShader(const HeatShader&) = delete;
    HeatShader& operator=(const HeatShader&) = delete;

    void begin_frame() { draws_.clear(); }

    /// Where the values are: in a texture, one matrix row per texture row with the scores below the values; or in a
    /// buffer, where the matrix begins at element `first` and its scores at `first_score`.
    struct Source {
        unsigned texture = 0;  ///< 0: the values are in the buffer
        bool scores = false;
        std::int64_t version = 0;  ///< identifies these values among all that were ever there; 0: they may change
        unsigned buffer = 0;
        std::int64_t first = 0, first_score = 0;
        std::ptrdiff_t stride = 0;
    };
    /// True if a matrix of that size, with or without scores, fits into a texture.
    bool fits(int rows, int columns, bool scores) const;
    /// Returns a new texture with the matrix's values, for a Source. The caller owns it.
    static unsigned upload(const HeatMatrix& matrix);
    /// Adds the heat map with its marks to a draw list; it is drawn when the list is.
    void draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Source& source, const Box& box,
              const HeatMarks& marks);

    /// Reads the heat map of a draw command back from the graphics card; empty if the command draws none. The command's
    /// frame must be the most recent one.
    static std::optional<HeatPicture> read_back(const ImDrawCmd& command);
    /// A hash shared by heat maps that look the same in the same place; empty if the command draws none, or if its
    /// values may change.
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
    /// The texture with the cells: the source's, or our own with a copy of the buffer's values.
    unsigned texture_of(const Draw& draw) const;
    void set_colours(const Draw& draw) const;
    void set_marks(const Draw& draw) const;

    unsigned program_ = 0, vertex_ = 0, fragment_ = 0, texture_ = 0;
    int position_ = 0, largest_side_ = 0;
    Places places_{};
    std::deque<Draw> draws_;  // of this frame; draw lists point into it
};

}  // namespace glassformer::app
