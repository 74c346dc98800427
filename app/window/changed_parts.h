#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <vector>

namespace glassformer::app {

/// Which parts of the window a frame draws otherwise than the frame before. The window is divided into squares; each
/// has a number, made of all that is drawn over it. Nothing is drawn here.
class ChangedParts {
public:
    /// A frame begins, of a window of `size` pixels. Of another size than before, all of it is changed.
    void begin(ImVec2 size);
    /// What a command of a draw list draws: triangles. Their texture has a number.
    void add(const ImDrawList& list, const ImDrawCmd& command, std::uint64_t texture = 0);
    /// A box (x, y to z, w) that is filled with a colour.
    void fill(const ImVec4& box, ImU32 colour);
    /// What is drawn in a box cannot be compared: it counts as changed now, and in the next frame, whatever comes then.
    void change(const ImVec4& box);
    void change_all() { change({0, 0, size_.x, size_.y}); }
    /// The changed parts as boxes in whole pixels that do not overlap; empty where the frame looks as the last one.
    std::span<const ImVec4> end();

private:
    struct Squares {
        int left, top, right, bottom;  // right and bottom are outside
        bool empty() const { return left >= right || top >= bottom; }
    };
    Squares squares_of(const ImVec4& box) const;
    void mark(const Squares& squares, std::uint64_t number);
    void join();

    ImVec2 size_{0, 0};
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint64_t> before_, now_;  // the squares' numbers
    std::uint64_t unknown_ = 0;                // how often something could not be compared
    std::vector<ImVec4> boxes_;
};

}  // namespace glassformer::app
