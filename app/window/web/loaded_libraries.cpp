#include "app/window/loaded_libraries.h"

namespace glassformer::app {

void keep_libraries_loaded() {}

}  // namespace glassformer::app
