#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/window/surface.h"

namespace glassformer::app {

/// A picture, rows from the top, 8-bit RGBA.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;
};

/// What is bound to be read, from its lower left corner. Needs a current OpenGL context.
Image read_pixels(PixelSize size);

/// Draws into memory, with no display: screenshots and tests. Its frames take a sixtieth of
/// a second each, so that scripts and pictures are repeatable.
class Offscreen : public Surface {
public:
    virtual Image read() = 0;  ///< what present() has shown last
    virtual void resize(PixelSize size) = 0;
    /// From now on open_beside() opens another of this size.
    virtual void add_second_screen() = 0;
    /// What focused() says from now on.
    virtual void set_focused(bool focused) = 0;
    /// What keep_keys() was told last.
    virtual bool keeps_keys() const = 0;
};

/// Throws Error when OpenGL 3.3 cannot be had, or the size is not between 16 and 16384.
std::unique_ptr<Offscreen> open_offscreen(PixelSize size);

}  // namespace glassformer::app
