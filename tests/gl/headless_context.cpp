#include "tests/gl/headless_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstring>

namespace glassformer::testing {

namespace {

class Surfaceless final : public HeadlessContext {
public:
    Surfaceless(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
    ~Surfaceless() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }

private:
    EGLDisplay display_;
    EGLContext context_;
};

bool has(const char* extensions, const char* name) { return extensions && std::strstr(extensions, name); }

/// Mesa's display without a screen, or, where there is none, the first graphics card's own.
EGLDisplay open_display() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    if (has(extensions, "EGL_MESA_platform_surfaceless")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
    if (has(extensions, "EGL_EXT_platform_device") && has(extensions, "EGL_EXT_device_enumeration") &&
        eglQueryDevicesEXT(1, &device, &count) && count > 0) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
    return EGL_NO_DISPLAY;
}

}  // namespace

std::unique_ptr<HeadlessContext> HeadlessContext::open() {
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY || !eglBindAPI(EGL_OPENGL_API)) return nullptr;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) return nullptr;
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return nullptr;
    return std::make_unique<Surfaceless>(display, context);
}

HeadlessContext* shared_context() {
    static const std::unique_ptr<HeadlessContext> context = HeadlessContext::open();
    return context.get();
}

}  // namespace glassformer::testing
