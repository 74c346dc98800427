#include "app/window/loaded_libraries.h"

#include <dlfcn.h>

#include <initializer_list>

namespace glassformer::app {

void keep_libraries_loaded() {
    for (const char* library : {"libGL.so.1", "libEGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2"})
        dlopen(library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace glassformer::app
