#pragma once

#include <imgui.h>

#include <memory>

#include "app/ui/picture_texture.h"

namespace glassformer::app {

/// A copy of what is on the screen, kept on the graphics card. Needs a current OpenGL context whenever it is used, and
/// when it ends.
class HeldPicture {
public:
    enum class Shown {
        large,  ///< as large as it was, or larger
        small   ///< smaller, also by another context
    };
    explicit HeldPicture(Shown shown = Shown::large) : shown_(shown) {}
    ~HeldPicture();
    HeldPicture(const HeldPicture&) = delete;
    HeldPicture& operator=(const HeldPicture&) = delete;

    /// Copies the screen as it is when `list` has been drawn up to here.
    void take(ImDrawList& list);
    /// Copies what has been drawn.
    void take_now();
    /// Whether it was copied since forget(): a frame that is not drawn copies nothing.
    bool there() const { return there_; }
    void forget() { there_ = false; }
    /// In the context that shows it: what it draws from now on waits for the copy; the processor does not.
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
    void* taken_ = nullptr;  // OpenGL's fence behind the copy
};

}  // namespace glassformer::app
