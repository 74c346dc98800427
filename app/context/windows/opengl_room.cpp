#include "app/context/software_renderer.h"

namespace glassformer {

/// Windows does not limit a program's address space below what the machine has.
bool has_room_for_opengl() { return true; }

}  // namespace glassformer
