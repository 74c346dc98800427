#include "app/context/headless_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstring>
#include <vector>

#include "app/context/software_renderer.h"
#include "core/base/mark_text.h"

namespace glassformer {

namespace {

class Surfaceless final : public HeadlessContext {
public:
    Surfaceless(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
    // The display stays open: other users in this process may need it.
    ~Surfaceless() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }

private:
    EGLDisplay display_;
    EGLContext context_;
};

bool has(const char* extensions, const char* name) { return extensions && std::strstr(extensions, name); }

/// Returns the display of every graphics card, then Mesa's surfaceless one.
std::vector<EGLDisplay> displays() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::vector<EGLDisplay> all;
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (has(extensions, "EGL_EXT_platform_device") && has(extensions, "EGL_EXT_device_enumeration") &&
        eglQueryDevicesEXT(16, devices, &count))
        for (EGLint i = 0; i < count; ++i)
            all.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    if (has(extensions, "EGL_MESA_platform_surfaceless"))
        all.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    return all;
}

std::unique_ptr<Surfaceless> open_on(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API))
        return nullptr;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) return nullptr;
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) return nullptr;
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        eglDestroyContext(display, context);
        return nullptr;
    }
    return std::make_unique<Surfaceless>(display, context);
}

}  // namespace

std::unique_ptr<HeadlessContext> HeadlessContext::open(std::string* why) {
    if (!has_room_for_opengl()) {
        if (why) *why = N_("there is not enough memory for OpenGL");
        return nullptr;
    }
    std::size_t software = 0;
    const std::vector<EGLDisplay> all = displays();
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::unique_ptr<Surfaceless> context = open_on(all[i]);
        if (context && !draws_in_software()) return context;  // it is already current
        if (context) software = i + 1;
    }
    if (software > 0) return open_on(all[software - 1]);
    if (why)
        *why =
            N_("OpenGL 4.3 is not available without a window (is the graphics driver, or libgl1-mesa-dri, installed?)");
    return nullptr;
}

}  // namespace glassformer
