#include "app/window/opengl_library.h"

namespace glassformer::app {

void keep_opengl_loaded() {}

}  // namespace glassformer::app
