// Linked if the build has no OpenGL or no EGL.
#include "app/context/headless_context.h"
#include "core/base/mark_text.h"

namespace glassformer {

std::unique_ptr<HeadlessContext> HeadlessContext::open(std::string* why) {
    if (why) *why = N_("this build has no OpenGL");
    return nullptr;
}

}  // namespace glassformer
