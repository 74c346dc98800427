#include "app/context/offscreen_context.h"

#include <epoxy/egl.h>

#include <cstring>
#include <new>

#include "app/context/software_renderer.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

EGLDisplay open_display() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
        throw Error(
            "cannot draw offscreen: this EGL has no EGL_MESA_platform_surfaceless; install the package "
            "libegl-mesa0");
    }
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
        throw Error("cannot draw offscreen: EGL did not start; install the package libgl1-mesa-dri");
    }
    if (!eglBindAPI(EGL_OPENGL_API)) throw Error("cannot draw offscreen: this EGL has no desktop OpenGL");
    return display;
}

EGLConfig choose_config(EGLDisplay display) {
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) {
        throw Error("cannot draw offscreen: EGL offers no OpenGL configuration");
    }
    return config;
}

EGLContext try_context(EGLDisplay display, EGLConfig config, EGLContext share, int version) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 version / 10,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 version % 10,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    return eglCreateContext(display, config, share, attributes);
}

class EglContext final : public OffscreenContext {
public:
    explicit EglContext(const EglContext* share) {
        if (!has_room_for_opengl()) throw std::bad_alloc();
        display_ = open_display();
        const EGLConfig config = choose_config(display_);
        for (int version : {43, 33}) {
            context_ = try_context(display_, config, share ? share->context_ : EGL_NO_CONTEXT, version);
            gl_version_ = version;
            if (context_ != EGL_NO_CONTEXT) return;
        }
        throw Error("cannot draw offscreen: no OpenGL 3.3 or newer here");
    }
    ~EglContext() override { eglDestroyContext(display_, context_); }  // the display stays open: others may use it

    void make_current() override {
        if (!eglBindAPI(EGL_OPENGL_API) || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            throw Error("the offscreen OpenGL context could not be made current");
        }
    }
    void release() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }
    int gl_version() const override { return gl_version_; }

private:
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    int gl_version_ = 0;
};

}  // namespace

std::unique_ptr<OffscreenContext> OffscreenContext::open(const OffscreenContext* share) {
    return std::make_unique<EglContext>(static_cast<const EglContext*>(share));
}

}  // namespace glassformer::app
