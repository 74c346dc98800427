#include <emscripten.h>

#include "app/ui/picture_texture.h"

// WebGL 2 cannot report a texture's size: window/web records it when the texture is made.
// clang-format off
EM_JS(int, glassformer_texture_side, (unsigned name, int axis), {
    const texture = GL.textures[name];
    return (texture && texture.glassformerSize && texture.glassformerSize[axis]) || 0;
});
// clang-format on

namespace glassformer::app {

std::array<int, 2> texture_size(unsigned texture) {
    return {glassformer_texture_side(texture, 0), glassformer_texture_side(texture, 1)};
}

}  // namespace glassformer::app
