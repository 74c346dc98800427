#include "app/window/loaded_libraries.h"

#include <windows.h>

namespace glassformer::app {

/// The program itself links opengl32.dll, so it stays loaded.
void keep_libraries_loaded() {
    HMODULE pinned = nullptr;  // GLFW loads it only for itself
    ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN, L"xinput1_4.dll", &pinned);
}

}  // namespace glassformer::app
