#include "app/window/opengl_library.h"

namespace glassformer::app {

/// The program itself links opengl32.dll, so it stays loaded.
void keep_opengl_loaded() {}

}  // namespace glassformer::app
