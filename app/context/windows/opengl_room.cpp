#include "app/context/software_renderer.h"

namespace glassformer {

/// A program is not given less than the machine has.
bool has_room_for_opengl() { return true; }

}  // namespace glassformer
