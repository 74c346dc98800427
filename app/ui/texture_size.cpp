#include <epoxy/gl.h>

#include "app/ui/picture_texture.h"

namespace glassformer::app {

std::array<int, 2> texture_size(unsigned) {
    std::array<int, 2> size{};
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &size[0]);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &size[1]);
    return size;
}

}  // namespace glassformer::app
