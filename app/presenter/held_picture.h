#pragma once

#include <imgui.h>

#include <memory>

#include "app/ui/picture_texture.h"

namespace glassformer::app {

/// A copy of the screen, kept on the graphics card. Needs a current OpenGL context whenever it is used or destroyed.
class HeldPicture {
public:
    enum class Shown {
        large,  ///< shown at its original size or larger
        small   ///< shown smaller, possibly by another context
    };
    explicit HeldPicture(Shown shown = Shown::large) : shown_(shown) {}
    ~HeldPicture();
    HeldPicture(const HeldPicture&) = delete;
    HeldPicture& operator=(const HeldPicture&) = delete;

    /// Copies the screen once `list` has been drawn up to this point.
    void take(ImDrawList& list);
    /// Copies what has been drawn so far.
    void take_now();
    /// Returns true if a copy was made since forget(): a frame that is not drawn makes no copy.
    bool there() const { return there_; }
    void forget() { there_ = false; }
    /// Call this in the context that shows the copy: its further drawing waits for the copy, but the CPU does not.
    void await();
    ImTextureID texture() const { return texture_ ? texture_->id() : ImTextureID{}; }

private:
    void make();
    void copy_target();
    void forget_fence();
    static void copy(const ImDrawList* list, const ImDrawCmd* command);

    Shown shown_;
    bool there_ = false;
    std::unique_ptr<PictureTexture> texture_;
    void* taken_ = nullptr;  // OpenGL fence after the copy
};

}  // namespace glassformer::app
