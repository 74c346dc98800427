#pragma once

#include <imgui.h>

#include <memory>
#include <vector>

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

/// What a texture holds, row by row.
struct TexturePixels {
    int width = 0, height = 0;
    bool smooth = false;  ///< its pixels run into one another where it is drawn larger
    std::vector<ImU32> pixels;
};
/// Reads it back from the graphics card. Needs its OpenGL context to be current.
TexturePixels read_texture(ImTextureID texture);

}  // namespace glassformer::app
