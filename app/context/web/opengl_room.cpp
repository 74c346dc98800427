#include "app/context/software_renderer.h"

namespace glassformer {

bool has_room_for_opengl() { return true; }  // the browser renders, with its own memory

}  // namespace glassformer
