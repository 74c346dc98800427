#pragma once

#include <imgui.h>

#include <array>
#include <memory>
#include <vector>

#include "app/ui/png_picture.h"

namespace glassformer::app {

/// A texture without pixels yet, bound; with OpenGL's filters for where it is drawn smaller, and larger.
unsigned new_texture(unsigned shrink_filter, unsigned enlarge_filter);

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

/// While it lives, glReadPixels reads a texture.
class TextureReading {
public:
    explicit TextureReading(unsigned texture);
    ~TextureReading();
    TextureReading(const TextureReading&) = delete;
    TextureReading& operator=(const TextureReading&) = delete;

private:
    int before_ = 0;
    unsigned framebuffer_ = 0;
};

/// What a texture holds, row by row.
struct TexturePixels {
    int width = 0, height = 0;
    bool smooth = false;  ///< its pixels run into one another where it is drawn larger
    std::vector<ImU32> pixels;
};
/// Reads it back from the graphics card. Needs its OpenGL context to be current.
TexturePixels read_texture(ImTextureID texture);
/// Width and height of the texture that is bound.
std::array<int, 2> texture_size(unsigned texture);

}  // namespace glassformer::app
