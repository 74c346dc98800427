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

/// The colour scale for values.
enum class HeatColours {
    attention,  ///< weights from 0 to 1
    signed_values,
    neurons  ///< also signed: active neurons in the MLP's colour, negative values faint
};

/// The colour of one cell. `range` is the |value| with the full colour, for signed values.
ImU32 heat_colour(const Theme& theme, HeatColours colours, float value, float range);

/// The signed scale's end and middle colours.
struct SignedColours {
    ImU32 negative, zero, positive;
};
SignedColours signed_colours(const Theme& theme, HeatColours colours);

/// Identifies a matrix: its owner (a trace, say), the node in it, and the offset within the node. While the owner
/// lives, matrices with the same key hold the same numbers.
struct HeatKey {
    std::shared_ptr<const void> owner;  ///< null: unknown, so the picture is never reused
    int node = -1;
    std::int64_t first = 0;
};

/// A matrix to show as a heat map, one coloured cell per number. If `scores` are given, a cell whose score is −∞ is
/// transparent.
struct HeatMatrix {
    int rows = 0, columns = 0;
    std::span<const float> values;  ///< row r begins at r · stride
    std::ptrdiff_t stride = 0;
    HeatColours colours = HeatColours::attention;
    float range = 1;                  ///< the |value| with the full colour, for signed values
    std::span<const float> scores{};  ///< same layout as the values; empty: nothing is hidden
    HeatKey key;
};

/// What is drawn on a heat map besides its values: gaps between cells, covered rows, and the selection (a row and a
/// column between lines). In window pixels.
struct HeatMarks {
    ImVec2 pitch;                        ///< from one cell to the next
    float gap = 0;                       ///< between cells, in the card's colour
    int lit_row = -1, lit_column = -1;   ///< −1: none
    int covered = -1, covered_too = -1;  ///< rows drawn in the track's colour
    bool any_lit() const { return lit_row >= 0 || lit_column >= 0; }
    bool any() const { return gap > 0 || any_lit() || covered >= 0 || covered_too >= 0; }
};

/// Opacity of the selection's lines, which have the text's colour.
inline constexpr float lit_line_alpha = 0.55f;

/// The pixels that a cell covers along an axis, in a grid that begins at `begin`: whole pixels, at least one.
/// shaders/draw/heat.frag computes the same.
struct CellEdges {
    float from = 0, to = 0;
    CellEdges(float begin, float pitch, float gap, int cell) {
        const float at = begin + pitch * static_cast<float>(cell);
        from = std::round(at), to = std::max(from + 1, std::round(at + pitch) - gap);
    }
};

/// Heat maps on the graphics card. Their values are uploaded once and cached while they are drawn often enough, or are
/// already resident; a shader colours them and draws their marks. Without the shader, coloured textures are uploaded
/// instead and the marks are drawn as rectangles. A cell larger than a pixel has one colour and sharp edges; a pixel
/// that covers several cells shows the mean of the visible ones, so nothing flickers as the picture moves. Needs a
/// current OpenGL context for every call and for the destructor.
class HeatTextures {
public:
    HeatTextures();
    ~HeatTextures();
    HeatTextures(const HeatTextures&) = delete;
    HeatTextures& operator=(const HeatTextures&) = delete;

    /// Frees the textures whose owners are gone and, if GLASSFORMER_SHADERS asks for it, reloads a shader that was
    /// changed on disk.
    void begin_frame();
    /// While `owner` lives, draws its matrices from the values already on the graphics card. The nodes and offsets in
    /// the keys are those of `values`.
    void reside(const std::shared_ptr<const void>& owner, std::shared_ptr<const ResidentTrace> values);
    /// Adds a matrix's heat map to a draw list, in the theme's colours and with its marks. The first call makes the
    /// texture; other marks need no new one.
    void draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Box& box,
              const HeatMarks& marks = {});

    /// On (in a window): large heat maps are made over several frames, and until then one made for another size is
    /// shown. Off (in pictures and films): all are made at once.
    void make_little_by_little(bool on) { little_by_little_ = on; }
    /// True if some were left unmade in the last frame.
    bool waits() const { return waits_; }

    /// True if a shader colours the heat maps. Tests can turn it off.
    bool shaded() const { return shader_ != nullptr; }
    void without_shader();
    std::int64_t made() const { return made_; }          ///< textures uploaded so far
    std::int64_t resident() const { return resident_; }  ///< heat maps drawn from resident values in this frame
    std::size_t bytes() const { return bytes_; }         ///< on the graphics card

private:
    /// Identifies a texture in the cache.
    struct Picture {
        const void* owner = nullptr;
        int node = -1;
        std::int64_t first = 0;
        int rows = 0, columns = 0;
        bool hides = false;            // scores hide some cells
        const Theme* theme = nullptr;  // this and the next two: only for coloured textures
        HeatColours colours = HeatColours::attention;
        float range = 1;
        auto operator<=>(const Picture&) const = default;
    };
    struct Kept {
        std::weak_ptr<const void> owner;
        bool hides = false;
        unsigned texture = 0;  // the colours, or the values and their scores
        int made_rows = 0, made_columns = 0;
        std::size_t bytes = 0;
        std::int64_t version = 0;  // unique among all textures made
        std::int64_t drawn = 0;    // the last frame that drew it
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

/// Draws the heat map with its marks over a box, clipped to the current window.
void draw_heat(const Ui& ui, const HeatMatrix& matrix, const Box& box, const HeatMarks& marks = {});

}  // namespace glassformer::app
