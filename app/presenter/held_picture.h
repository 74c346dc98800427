#pragma once

#include <imgui.h>

#include <memory>

#include "app/ui/picture_texture.h"

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
    /// Copies what has been drawn, to be shown smaller by another context.
    void take_now();
    /// In the context that shows it: what it draws from now on waits for the copy; the processor does not.
    void await();
    ImTextureID texture() const { return texture_ ? texture_->id() : ImTextureID{}; }

private:
    void make(unsigned shrink_filter);
    void copy_target() const;
    void forget_fence();
    static void copy(const ImDrawList* list, const ImDrawCmd* command);

    std::unique_ptr<PictureTexture> texture_;
    void* taken_ = nullptr;  // OpenGL's fence behind the copy
};

}  // namespace glassformer::app
