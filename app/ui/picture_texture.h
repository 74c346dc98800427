#pragma once

#include <imgui.h>

#include <memory>

#include "app/ui/png_picture.h"

namespace glassformer::app {

/// A picture on the graphics card, smooth at any size. Needs a current OpenGL context whenever it is used, and when it
/// ends.
class PictureTexture {
public:
    /// Without pixels yet. `shrink_filter`: OpenGL's, for where it is drawn smaller.
    explicit PictureTexture(unsigned shrink_filter);
    explicit PictureTexture(const PngPicture& picture);
    ~PictureTexture();
    PictureTexture(const PictureTexture&) = delete;
    PictureTexture& operator=(const PictureTexture&) = delete;

    unsigned name() const { return name_; }
    ImTextureID id() const;

private:
    unsigned name_ = 0;
};

}  // namespace glassformer::app
