#include "app/window/offscreen.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <imgui.h>

#include <cstring>
#include <new>
#include <string>

#include "app/context/software_renderer.h"
#include "app/ui/input.h"
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

class EglSharedContext : public SharedContext {
public:
    EglSharedContext(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
    ~EglSharedContext() override { eglDestroyContext(display_, context_); }
    void make_current() override {
        if (!eglBindAPI(EGL_OPENGL_API) || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            throw Error("the worker's OpenGL context could not be made current");
        }
    }
    void release() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

private:
    EGLDisplay display_;
    EGLContext context_;
};

void check_size(PixelSize size) {
    if (size.width < 16 || size.height < 16 || size.width > 16384 || size.height > 16384) {
        throw Error("cannot draw a picture of " + std::to_string(size.width) + " × " + std::to_string(size.height) +
                    " pixels: each side must be between 16 and 16384");
    }
}

class EglOffscreen : public Offscreen {
public:
    explicit EglOffscreen(PixelSize size, EGLContext share = EGL_NO_CONTEXT) : size_(size) {
        check_size(size);
        if (!has_room_for_opengl()) throw std::bad_alloc();
        display_ = open_display();
        config_ = choose_config(display_);
        for (int version : {43, 33}) {
            context_ = try_context(display_, config_, share, version);
            gl_version_ = version;
            if (context_ != EGL_NO_CONTEXT) break;
        }
        if (context_ == EGL_NO_CONTEXT) throw Error("cannot draw offscreen: no OpenGL 3.3 or newer here");
        EglOffscreen::make_current();
        create_target();
    }

    ~EglOffscreen() override {
        if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) destroy_target();
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);  // the display stays: others of this process may use it
    }

    void make_current() override {
        if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            throw Error("the offscreen OpenGL context could not be made current");
        }
    }

    PixelSize size() const override { return size_; }
    float content_scale() const override { return 1; }
    bool offscreen() const override { return true; }
    int gl_version() const override { return gl_version_; }

    void attach_imgui() override {
        map_keys_for_offscreen();
        ImGui::GetIO().BackendPlatformName = "glassformer offscreen";
    }
    void detach_imgui() override {}

    void new_imgui_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(size_.width), static_cast<float>(size_.height));
        io.DisplayFramebufferScale = ImVec2(1, 1);
        io.DeltaTime = 1.0f / 60;
    }

    void bind_target() override {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glViewport(0, 0, size_.width, size_.height);
    }
    // A software renderer would queue frame after frame, each with its memory, if nobody waited for them.
    void present() override { glFinish(); }

    bool wait_for_events(bool) override { return true; }
    void request_redraw() override {}
    bool should_close() const override { return false; }
    void cancel_close() override {}

    std::unique_ptr<SharedContext> create_shared_context() override {
        EGLContext shared = try_context(display_, config_, context_, gl_version_);
        if (shared == EGL_NO_CONTEXT) throw Error("no second OpenGL context could be made for the worker");
        return std::make_unique<EglSharedContext>(display_, shared);
    }

    bool second_screen() const override { return second_screen_; }
    void add_second_screen() override { second_screen_ = true; }
    std::unique_ptr<Surface> open_beside() override {
        return second_screen_ ? std::make_unique<EglOffscreen>(size_, context_) : nullptr;
    }

    bool focused() const override { return focused_; }
    void set_focused(bool focused) override { focused_ = focused; }
    void keep_keys(bool keep) override { keeps_keys_ = keep; }
    bool keeps_keys() const override { return keeps_keys_; }

    Image read() override {
        make_current();
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
        const size_t row = static_cast<size_t>(size_.width) * 4;
        std::vector<std::uint8_t> pixels(row * size_.height);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        Image image{size_.width, size_.height, std::vector<std::uint8_t>(pixels.size())};
        for (int y = 0; y < size_.height; ++y) {  // OpenGL's rows start at the bottom
            std::memcpy(&image.rgba[row * y], &pixels[row * (size_.height - 1 - y)], row);
        }
        return image;
    }

    void resize(PixelSize size) override {
        check_size(size);
        make_current();
        destroy_target();
        size_ = size;
        create_target();
    }

private:
    // One sample: ImGui's lines and fills carry their own soft edges.
    void create_target() {
        glGenRenderbuffers(1, &colour_);
        glBindRenderbuffer(GL_RENDERBUFFER, colour_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size_.width, size_.height);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            throw Error("cannot draw offscreen: no frame buffer of " + std::to_string(size_.width) + " × " +
                        std::to_string(size_.height) + " pixels");
        }
    }
    void destroy_target() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteRenderbuffers(1, &colour_);
    }

    PixelSize size_;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLConfig config_ = nullptr;
    EGLContext context_ = EGL_NO_CONTEXT;
    int gl_version_ = 0;
    bool second_screen_ = false, focused_ = false, keeps_keys_ = false;
    GLuint framebuffer_ = 0, colour_ = 0;
};

}  // namespace

std::unique_ptr<Offscreen> open_offscreen(PixelSize size) { return std::make_unique<EglOffscreen>(size); }

}  // namespace glassformer::app
