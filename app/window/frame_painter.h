#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
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

class ChangedParts;
class RenderTarget;

/// Draws ImGui's lists with ImGui's backend. Where that is wanted, only what differs from the last frame: for a
/// renderer in software, which draws each pixel again and again, that is a quarter of its work while the mouse moves.
/// Looks the same. Needs a current OpenGL context whenever it is used, and when it ends.
class FramePainter {
public:
    FramePainter();
    ~FramePainter();
    FramePainter(const FramePainter&) = delete;
    FramePainter& operator=(const FramePainter&) = delete;

    /// Into what is bound and cleared; behind what is drawn stays the colour that OpenGL cleared it with.
    void paint(ImDrawData& frame);
    /// From the next frame on, which is drawn whole: only what changes is drawn, or all.
    void draw_changes_only(bool on);

    /// Of the last frame: the boxes (x, y to z, w) that were drawn.
    std::span<const ImVec4> drawn() const { return boxes_; }

private:
    /// Binds the kept picture, if it can be had, and notes what differs from it.
    void find_changes(const ImDrawData& frame, unsigned target);
    void compare(const ImDrawList& list);
    /// Only those triangles of a list stay that lie in the boxes, cut at their edges.
    void cut(ImDrawList& list, float height);

    std::unique_ptr<ChangedParts> changed_;
    /// The window's picture, which stays from frame to frame: what a window system shows may not stay.
    std::unique_ptr<RenderTarget> kept_;
    std::vector<ImVec4> boxes_;  // that are drawn
};

}  // namespace glassformer::app
