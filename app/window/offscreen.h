#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/window/surface.h"

namespace glassformer::app {

/// A picture: rows from the top, 8-bit RGBA.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Reads from the bound framebuffer, starting at its lower left corner. Needs a current OpenGL context.
Image read_pixels(PixelSize size);

/// Draws into memory without a display: for screenshots and tests. Each frame advances the time by 1/60 s, so that
/// scripts and pictures are repeatable.
class Offscreen : public Surface {
public:
    virtual Image read() = 0;  ///< what present() showed last
    virtual void resize(PixelSize size) = 0;
    /// From now on open_beside() opens another surface of the same size.
    virtual void add_second_screen() = 0;
    /// Sets what focused() returns.
    virtual void set_focused(bool focused) = 0;
    /// The last value passed to keep_keys().
    virtual bool keeps_keys() const = 0;
};

/// Throws Error if OpenGL 3.3 is not available or a side is not between 16 and 16384 pixels.
std::unique_ptr<Offscreen> open_offscreen(PixelSize size);

}  // namespace glassformer::app
