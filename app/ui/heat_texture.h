#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "app/ui/box.h"
#include "app/ui/theme.h"

namespace glassformer::gl {
class ShaderFolder;
}

namespace glassformer {
class ResidentTrace;
}

namespace glassformer::app {

struct Ui;
class HeatShader;

/// Which colours numbers are shown in.
enum class HeatColours {
    attention,  ///< weights from 0 to 1
    signed_values,
    neurons  ///< signed, too: those that fire in the MLP's colour, those below 0 faintly
};

/// The colour of one cell. `range` is the size of a signed value that has the full colour.
ImU32 heat_colour(const Theme& theme, HeatColours colours, float value, float range);

/// The colours of both ends and the middle of the signed ones.
struct SignedColours {
    ImU32 negative, zero, positive;
};
SignedColours signed_colours(const Theme& theme, HeatColours colours);

/// Tells one matrix from every other: whose it is (a trace, say), which node of it and where in the node it begins.
/// Matrices of one living owner with the same key hold the same numbers.
struct HeatKey {
    std::shared_ptr<const void> owner;  ///< null: unknown, and never kept
    int node = -1;
    std::int64_t first = 0;
};

/// Numbers to be shown as a picture of one coloured cell each. Where `scores` are given, a cell whose score is −∞ is
/// hidden: it shows what is behind the picture.
struct HeatMatrix {
    int rows = 0, columns = 0;
    std::span<const float> values;  ///< row r begins at r · stride
    std::ptrdiff_t stride = 0;
    HeatColours colours = HeatColours::attention;
    float range = 1;                  ///< |value| of the full colour, of signed values
    std::span<const float> scores{};  ///< as the values; empty: nothing is hidden
    HeatKey key;
};

/// What is drawn on the picture of a matrix besides its values: gaps between the cells, rows that are covered, and the
/// selection, a row and a column between lines. In pixels of the window.
struct HeatMarks {
    ImVec2 pitch;                        ///< from one cell to the next
    float gap = 0;                       ///< between the cells, in the card's colour
    int lit_row = -1, lit_column = -1;   ///< −1: none
    int covered = -1, covered_too = -1;  ///< rows in the track's colour
    bool any_lit() const { return lit_row >= 0 || lit_column >= 0; }
    bool any() const { return gap > 0 || any_lit() || covered >= 0 || covered_too >= 0; }
};

/// How strong the selection's lines are, in the text's colour.
inline constexpr float lit_line_alpha = 0.55f;

/// The pixels of a cell along an axis, in a grid that begins at `begin`: whole ones, and at least one. The shader has
/// the same (shaders/draw/heat.frag).
struct CellEdges {
    float from = 0, to = 0;
    CellEdges(float begin, float pitch, float gap, int cell) {
        const float at = begin + pitch * static_cast<float>(cell);
        from = std::round(at), to = std::max(from + 1, std::round(at + pitch) - gap);
    }
};

/// Pictures of matrices on the graphics card: their values are uploaded once, and kept as long as they are drawn often
/// enough, or are there already; a shader colours them and draws their marks. Where the shader cannot be had, coloured
/// pictures are uploaded instead, and the marks are rectangles. A cell that is larger than a pixel has one colour and
/// sharp edges; where a pixel covers several cells, it has the colour of their mean (of those that are not hidden), so
/// that nothing flickers as the picture is moved. Needs a current OpenGL context whenever it is used, and when it ends.
class HeatTextures {
public:
    HeatTextures();
    ~HeatTextures();
    HeatTextures(const HeatTextures&) = delete;
    HeatTextures& operator=(const HeatTextures&) = delete;

    /// Lets go of the pictures whose owners are gone, and takes a shader that was changed on disk where
    /// GLASSFORMER_SHADERS asks for that.
    void begin_frame();
    /// From now on, and as long as it lives, what lies on the graphics card of this owner of matrices is drawn from
    /// there: the keys' nodes and places are those of `values`.
    void reside(const std::shared_ptr<const void>& owner, std::shared_ptr<const ResidentTrace> values);
    /// Adds the picture of a matrix to a draw list, in a theme's colours and with its marks; it is made in the first
    /// call, and other marks need no other.
    void draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Box& box,
              const HeatMarks& marks = {});

    /// In a window, pictures of many cells are made over several frames; until then, those made for another size stand
    /// for them. In pictures and films all are made at once.
    void make_little_by_little(bool on) { little_by_little_ = on; }
    /// Some were not made in the last frame.
    bool waits() const { return waits_; }

    /// Whether a shader colours the pictures; for tests, coloured pictures can be asked for.
    bool shaded() const { return shader_ != nullptr; }
    void without_shader();
    std::int64_t made() const { return made_; }          ///< pictures uploaded so far
    std::int64_t resident() const { return resident_; }  ///< pictures drawn from where they were, in this frame
    std::size_t bytes() const { return bytes_; }         ///< on the graphics card

private:
    /// Tells one picture from the others.
    struct Picture {
        const void* owner = nullptr;
        int node = -1;
        std::int64_t first = 0;
        int rows = 0, columns = 0;
        bool hides = false;            // some cells, by their scores
        const Theme* theme = nullptr;  // of a coloured one, and the two below
        HeatColours colours = HeatColours::attention;
        float range = 1;
        auto operator<=>(const Picture&) const = default;
    };
    struct Kept {
        std::weak_ptr<const void> owner;
        bool hides = false;
        unsigned texture = 0;  // coloured, or the values and their scores
        int made_rows = 0, made_columns = 0;
        std::size_t bytes = 0;
        std::int64_t version = 0;  // of all that were made
        std::int64_t drawn = 0;    // the last frame
    };

    struct Residents {
        std::weak_ptr<const void> owner;
        std::shared_ptr<const ResidentTrace> values;
    };

    Picture picture_of(const Theme& theme, const HeatMatrix& matrix) const;
    Kept* kept(const Theme& theme, const HeatMatrix& matrix);
    Kept* of_another_size(const Theme& theme, const HeatMatrix& matrix, int rows, int columns);
    bool may_make(const HeatMatrix& matrix);
    Kept& make(const Theme& theme, const HeatMatrix& matrix);
    bool draw_resident(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Box& box,
                       const HeatMarks& marks);
    void drop(std::map<Picture, Kept>::iterator at);
    void release(Kept& kept);
    void make_room();
    void upload_values(Kept& kept, const HeatMatrix& matrix);
    void upload_colours(Kept& kept, const Theme& theme, const HeatMatrix& matrix);

    void reload_shader();

    std::unique_ptr<HeatShader> shader_;
    std::unique_ptr<gl::ShaderFolder> shaders_;
    std::vector<Residents> residents_;
    std::map<Picture, Kept> kept_;
    std::int64_t frame_ = 0, made_ = 0, resident_ = 0;
    std::size_t bytes_ = 0;
    std::int64_t cells_read_ = 0;  // in this frame
    bool little_by_little_ = false, waits_ = false;
};

/// Draws the picture over a box, with its marks, cut where the current window ends.
void draw_heat(const Ui& ui, const HeatMatrix& matrix, const Box& box, const HeatMarks& marks = {});

}  // namespace glassformer::app
