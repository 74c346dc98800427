#include "app/window/opengl_library.h"

namespace glassformer::app {

/// The program itself needs opengl32.dll, so it stays.
void keep_opengl_loaded() {}

}  // namespace glassformer::app
