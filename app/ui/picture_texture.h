#pragma once

#include <imgui.h>

#include <array>
#include <memory>
#include <vector>

#include "app/ui/png_picture.h"

namespace glassformer::app {

/// Makes and binds a texture without pixels. The filters are OpenGL's, for drawing it smaller and larger.
unsigned new_texture(unsigned shrink_filter, unsigned enlarge_filter);

/// A picture on the graphics card, smooth at any size. Needs a current OpenGL context for every call and for the
/// destructor.
class PictureTexture {
public:
    /// Has no pixels yet. `shrink_filter` is OpenGL's filter for drawing it smaller.
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

/// While this exists, glReadPixels reads from the texture.
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

/// A texture's pixels, row by row.
struct TexturePixels {
    int width = 0, height = 0;
    bool smooth = false;  ///< interpolates between pixels when enlarged
    std::vector<ImU32> pixels;
};
/// Reads the texture back from the graphics card. Needs the texture's OpenGL context to be current.
TexturePixels read_texture(ImTextureID texture);
/// Width and height of `texture`, which must be bound.
std::array<int, 2> texture_size(unsigned texture);

}  // namespace glassformer::app
