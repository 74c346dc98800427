#include "app/context/software_renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace glassformer {

bool draws_in_software() {
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view name = renderer ? renderer : "";
    const std::initializer_list<std::string_view> known{"llvmpipe", "softpipe", "SwiftShader", "Software"};
    return std::ranges::any_of(known, [&](std::string_view one) { return name.find(one) != name.npos; });
}

}  // namespace glassformer
