#include "app/context/offscreen_context.h"

#include <epoxy/gl.h>
#include <epoxy/wgl.h>
// Libepoxy's own version keeps a function table per thread, which works only if libepoxy is a DLL. All contexts here
// belong to one driver and share the same functions.
#undef wglMakeCurrent

#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr const wchar_t* window_class = L"glassformer offscreen";

/// An invisible window, which Windows requires as the target of OpenGL.
class HiddenWindow {
public:
    HiddenWindow() {
        static const bool known = [] {
            WNDCLASSW kind{};
            kind.style = CS_OWNDC;
            kind.lpfnWndProc = ::DefWindowProcW;
            kind.hInstance = ::GetModuleHandleW(nullptr);
            kind.lpszClassName = window_class;
            return ::RegisterClassW(&kind) != 0;
        }();
        if (known)
            window_ = ::CreateWindowExW(0, window_class, L"", WS_OVERLAPPEDWINDOW, 0, 0, 16, 16, nullptr, nullptr,
                                        ::GetModuleHandleW(nullptr), nullptr);
        if (!window_) throw Error("cannot draw offscreen: Windows gave no window");
        drawing_ = ::GetDC(window_);
        PIXELFORMATDESCRIPTOR wanted{};
        wanted.nSize = sizeof wanted;
        wanted.nVersion = 1;
        wanted.dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL | PFD_DOUBLEBUFFER;
        wanted.iPixelType = PFD_TYPE_RGBA;
        wanted.cColorBits = 32;
        const int format = ::ChoosePixelFormat(drawing_, &wanted);
        if (format != 0 && ::SetPixelFormat(drawing_, format, &wanted)) return;
        ::DestroyWindow(window_);
        throw Error("cannot draw offscreen: Windows offers no picture format for OpenGL");
    }
    ~HiddenWindow() {
        ::ReleaseDC(window_, drawing_);
        ::DestroyWindow(window_);
    }
    HiddenWindow(const HiddenWindow&) = delete;
    HiddenWindow& operator=(const HiddenWindow&) = delete;

    HDC drawing() const { return drawing_; }

private:
    HWND window_ = nullptr;
    HDC drawing_ = nullptr;
};

/// Makes a legacy context current while this object lives: only then does Windows reveal how to create a newer one.
class OldContext {
public:
    explicit OldContext(HDC drawing)
        : before_(::wglGetCurrentContext()),
          drawing_before_(::wglGetCurrentDC()),
          context_(::wglCreateContext(drawing)) {
        if (!context_ || !::wglMakeCurrent(drawing, context_))
            throw Error("cannot draw offscreen: OpenGL did not start");
    }
    ~OldContext() {
        ::wglMakeCurrent(drawing_before_, before_);
        ::wglDeleteContext(context_);
    }
    OldContext(const OldContext&) = delete;
    OldContext& operator=(const OldContext&) = delete;

private:
    HGLRC before_;
    HDC drawing_before_;
    HGLRC context_;
};

class WglContext final : public OffscreenContext {
public:
    explicit WglContext(const WglContext* share) {
        const OldContext old(window_.drawing());
        if (!epoxy_has_wgl_extension(window_.drawing(), "WGL_ARB_create_context_profile"))
            throw Error("cannot draw offscreen: no OpenGL 3.3 or newer here; install the driver of the graphics card");
        for (const int version : {43, 33}) {
            const int attributes[] = {WGL_CONTEXT_MAJOR_VERSION_ARB,
                                      version / 10,
                                      WGL_CONTEXT_MINOR_VERSION_ARB,
                                      version % 10,
                                      WGL_CONTEXT_PROFILE_MASK_ARB,
                                      WGL_CONTEXT_CORE_PROFILE_BIT_ARB,
                                      0};
            context_ = wglCreateContextAttribsARB(window_.drawing(), share ? share->context_ : nullptr, attributes);
            gl_version_ = version;
            if (context_) return;
        }
        throw Error("cannot draw offscreen: no OpenGL 3.3 or newer here; install the driver of the graphics card");
    }
    ~WglContext() override { ::wglDeleteContext(context_); }

    void make_current() override {
        if (::wglGetCurrentContext() != context_ && !::wglMakeCurrent(window_.drawing(), context_))
            throw Error("the offscreen OpenGL context could not be made current");
    }
    void release() override { ::wglMakeCurrent(nullptr, nullptr); }
    int gl_version() const override { return gl_version_; }

private:
    HiddenWindow window_;
    HGLRC context_ = nullptr;
    int gl_version_ = 0;
};

}  // namespace

std::unique_ptr<OffscreenContext> OffscreenContext::open(const OffscreenContext* share) {
    return std::make_unique<WglContext>(static_cast<const WglContext*>(share));
}

}  // namespace glassformer::app
