#pragma once

#include <imgui.h>

namespace glassformer::app {

/// A copy of what is on the screen, kept on the graphics card. Needs a current OpenGL context whenever it is used, and
/// when it ends.
class HeldPicture {
public:
    HeldPicture() = default;
    ~HeldPicture();
    HeldPicture(const HeldPicture&) = delete;
    HeldPicture& operator=(const HeldPicture&) = delete;

    /// Copies the screen as it is when `list` has been drawn up to here.
    void take(ImDrawList& list);
    /// Copies what has been drawn, to be shown smaller.
    void take_now();
    ImTextureID texture() const;

private:
    void make(unsigned shrink_filter);
    void copy_target() const;
    static void copy(const ImDrawList* list, const ImDrawCmd* command);

    unsigned texture_ = 0;
};

}  // namespace glassformer::app
