#pragma once

#include <imgui.h>

#include <memory>
#include <span>
#include <vector>

namespace glassformer::app {

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
