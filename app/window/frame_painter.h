#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glassformer::app {

/// Finds the parts of the window in which a frame differs from the last one. The window is divided into squares; each
/// has a hash of everything drawn over it. Nothing is drawn here.
class ChangedParts {
public:
    /// Begins a frame of a window of `size` pixels. If the size has changed, everything counts as changed.
    void begin(ImVec2 size);
    /// Adds the triangles of a draw command; `texture` is a hash of their texture.
    void add(const ImDrawList& list, const ImDrawCmd& command, std::uint64_t texture = 0);
    /// Adds a box (x, y to z, w) filled with a colour.
    void fill(const ImVec4& box, ImU32 colour);
    /// Marks a box whose content cannot be compared: it counts as changed in this frame and in the next.
    void change(const ImVec4& box);
    void change_all() { change({0, 0, size_.x, size_.y}); }
    /// The changed parts as non-overlapping boxes in whole pixels; empty if the frame looks like the last one.
    std::span<const ImVec4> end();

private:
    struct Squares {
        int left, top, right, bottom;  // right and bottom are exclusive
        bool empty() const { return left >= right || top >= bottom; }
    };
    Squares squares_of(const ImVec4& box) const;
    void mark(const Squares& squares, std::uint64_t number);
    void join();

    ImVec2 size_{0, 0};
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint64_t> before_, now_;  // hashes of the squares
    std::uint64_t unknown_ = 0;                // counts what could not be compared, so that each gets a hash of its own
    std::vector<ImVec4> boxes_;
};

class ChangedParts;
class RenderTarget;

/// Draws ImGui's draw lists with ImGui's backend. On request, draws only what differs from the last frame: while the
/// mouse moves, that is a quarter of the work of a software renderer, which shades every pixel each time. The result is
/// the same. Needs a current OpenGL context for every call and for the destructor.
class FramePainter {
public:
    FramePainter();
    ~FramePainter();
    FramePainter(const FramePainter&) = delete;
    FramePainter& operator=(const FramePainter&) = delete;

    /// Draws into the bound framebuffer, already cleared. The background keeps OpenGL's current clear colour.
    void paint(ImDrawData& frame);
    /// Draws only the changes, or everything, from the next frame on; that frame is drawn in full.
    void draw_changes_only(bool on);

    /// The boxes (x, y to z, w) drawn in the last frame.
    std::span<const ImVec4> drawn() const { return boxes_; }

private:
    /// Binds the kept picture, if available, and finds what differs from it.
    void find_changes(const ImDrawData& frame, unsigned target);
    void compare(const ImDrawList& list);
    /// Keeps only the triangles of a list that lie in the boxes, clipped at their edges.
    void cut(ImDrawList& list, float height);

    std::unique_ptr<ChangedParts> changed_;
    /// The window's picture, kept between frames: the window system may not preserve the one it shows.
    std::unique_ptr<RenderTarget> kept_;
    std::vector<ImVec4> boxes_;  // to draw
};

}  // namespace glassformer::app
