#pragma once

#include <imgui.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>

#include "app/theme.h"

namespace glassformer::app {

class HeatScale;
struct Ui;

/// Which colours numbers are shown in.
enum class HeatColours {
    attention,  ///< weights from 0 to 1
    signed_values
};

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
    float range = 1;                ///< |value| of the full colour, of signed values
    std::span<const float> scores;  ///< as the values; empty: nothing is hidden
    HeatKey key;
};

/// Pictures of matrices on the graphics card: uploaded once, kept as long as they are drawn often enough. A cell that
/// is larger than a pixel has one colour and sharp edges; where a pixel covers several cells, it has the colour of
/// their mean (of those that are not hidden), so that nothing flickers as the picture is moved. Needs a current OpenGL
/// context whenever it is used, and when it ends.
class HeatTextures {
public:
    HeatTextures();
    ~HeatTextures();
    HeatTextures(const HeatTextures&) = delete;
    HeatTextures& operator=(const HeatTextures&) = delete;

    /// Lets go of the pictures whose owners are gone.
    void begin_frame();
    /// The picture of a matrix in a theme's colours, fine enough to be drawn at that many pixels; made in the first
    /// call.
    ImTextureID picture(const Theme& theme, const HeatMatrix& matrix, ImVec2 size);

    std::int64_t made() const { return made_; }   ///< pictures uploaded so far
    std::size_t bytes() const { return bytes_; }  ///< on the graphics card

private:
    struct Kept {
        std::weak_ptr<const void> owner;
        int node = -1, rows = 0, columns = 0;
        std::int64_t first = 0;
        HeatColours colours = HeatColours::attention;
        float range = 1;
        const Theme* theme = nullptr;
        int halvings = 0;  // how often the matrix is halved in the finest picture that is there
        unsigned texture = 0;
        std::size_t bytes = 0;
        std::int64_t drawn = 0;  // the last frame
    };

    static std::uint64_t place(const Theme& theme, const HeatMatrix& matrix, int halvings);
    static bool same(const Kept& kept, const Theme& theme, const HeatMatrix& matrix, int halvings);
    void drop(std::unordered_map<std::uint64_t, Kept>::iterator at);
    void make_room();
    const HeatScale& scale_of(const Theme& theme, HeatColours colours);
    void upload(Kept& kept, const Theme& theme, const HeatMatrix& matrix);

    std::unordered_map<std::uint64_t, Kept> kept_;
    std::map<std::pair<const Theme*, HeatColours>, HeatScale> scales_;
    std::int64_t frame_ = 0, made_ = 0;
    std::size_t bytes_ = 0;
};

/// Draws the picture over a box, cut where the current window ends.
void draw_heat(const Ui& ui, const HeatMatrix& matrix, ImVec2 min, ImVec2 max);

}  // namespace glassformer::app
