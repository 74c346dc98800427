// What is linked where the build has no OpenGL or no EGL.
#include "app/context/headless_context.h"

namespace glassformer {

std::unique_ptr<HeadlessContext> HeadlessContext::open(std::string* why) {
    if (why) *why = "this build has no OpenGL";
    return nullptr;
}

}  // namespace glassformer
