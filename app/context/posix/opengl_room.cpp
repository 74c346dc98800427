#include <cstdlib>

#include "app/context/software_renderer.h"
#include "core/base/error.h"
#include "core/platform/reserved_memory.h"

namespace glassformer {

namespace {

/// Under `ulimit -v`, the system may not provide that much address space.
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
    ::setenv("LP_NUM_THREADS", "0", 0);  // without its own threads it needs little memory
    return has_room(576);                // with less, Mesa 25's llvmpipe crashes while it draws
}

}  // namespace glassformer
