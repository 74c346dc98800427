#pragma once

#include <imgui.h>

#include <span>

namespace glassformer::app {

/// The window's picture, which stays from frame to frame: only what changes is drawn into it, and all of it is shown.
/// What a window system shows may not stay. Needs a current OpenGL context whenever it is used, and when it ends.
class KeptWindow {
public:
    KeptWindow() = default;
    ~KeptWindow();
    KeptWindow(const KeptWindow&) = delete;
    KeptWindow& operator=(const KeptWindow&) = delete;

    /// From here on it is drawn into instead of what is bound. Returns whether it still shows the frame before; else
    /// all has to be drawn. Where it cannot be had, what is bound stays so, and nothing is shown later.
    bool begin(int width, int height);
    /// Boxes get the colour that OpenGL clears with.
    void clear(std::span<const ImVec4> boxes) const;
    /// Shows it in what was bound before, which is bound again.
    void show();

private:
    bool make(int width, int height);

    unsigned framebuffer_ = 0, colours_ = 0;
    int width_ = 0, height_ = 0, target_ = 0;
    bool there_ = false, drawn_ = false;
};

}  // namespace glassformer::app
