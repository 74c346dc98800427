#include "app/context/software_renderer.h"

#include <emscripten/html5_webgl.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace glassformer {

bool draws_in_software() {
    constexpr GLenum unmasked_renderer = 0x9246;  // defined by the extension
    if (!emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(), "WEBGL_debug_renderer_info"))
        return false;
    const auto* renderer = reinterpret_cast<const char*>(glGetString(unmasked_renderer));
    const std::string_view name = renderer ? renderer : "";
    const std::initializer_list<std::string_view> known{"llvmpipe", "softpipe", "SwiftShader", "Software",
                                                        "Microsoft Basic"};
    return std::ranges::any_of(known, [&](std::string_view one) { return name.find(one) != name.npos; });
}

}  // namespace glassformer
