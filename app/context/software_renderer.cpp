#include "app/context/software_renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "core/base/error.h"
#include "core/platform/reserved_memory.h"

namespace glassformer {

bool draws_in_software() {
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view name = renderer ? renderer : "";
    const std::initializer_list<std::string_view> known{"llvmpipe", "softpipe", "SwiftShader", "Software"};
    return std::ranges::any_of(known, [&](std::string_view one) { return name.find(one) != name.npos; });
}

namespace {

/// Under `ulimit -v` the system may not give so many addresses any more.
bool has_room(std::size_t megabytes) {
    try {
        const ReservedMemory probe((megabytes << 20) / sizeof(float));
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

bool has_room_for_opengl() {
    if (has_room(1536)) return true;
    ::setenv("LP_NUM_THREADS", "0", 0);  // without threads of its own it takes little
    return has_room(512);
}

}  // namespace glassformer
