#include "app/window/offscreen.h"

#include <epoxy/gl.h>
#include <imgui.h>

#include <cstring>

#include "app/context/offscreen_context.h"
#include "app/ui/input.h"
#include "app/window/render_target.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

void check_size(PixelSize size) {
    if (size.width < 16 || size.height < 16 || size.width > 16384 || size.height > 16384)
        throw Error("cannot draw a picture of {1} × {2} pixels: each side must be between 16 and 16384", size.width,
                    size.height);
}

class MemorySurface : public Offscreen {
public:
    explicit MemorySurface(PixelSize size, const OffscreenContext* share = nullptr) : size_(size) {
        check_size(size);
        context_ = OffscreenContext::open(share);
        MemorySurface::make_current();
        create_target();
    }

    ~MemorySurface() override {
        try {
            context_->make_current();
            target_.reset();
        } catch (const Error&) {
            (void)target_.release();  // freed with the context
        }
        context_->release();
    }

    void make_current() override { context_->make_current(); }

    PixelSize size() const override { return size_; }
    float content_scale() const override { return 1; }
    bool offscreen() const override { return true; }
    int gl_version() const override { return context_->gl_version(); }

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
        glBindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer());
        glViewport(0, 0, size_.width, size_.height);
    }
    // Otherwise a software renderer would queue frame after frame, each with its own memory.
    void present() override { glFinish(); }

    bool wait_for_events(bool) override { return true; }
    void request_redraw() override {}
    bool should_close() const override { return false; }
    void cancel_close() override {}

    std::unique_ptr<SharedContext> create_shared_context() override { return OffscreenContext::open(context_.get()); }

    bool second_screen() const override { return second_screen_; }
    void add_second_screen() override { second_screen_ = true; }
    std::unique_ptr<Surface> open_beside() override {
        return second_screen_ ? std::make_unique<MemorySurface>(size_, context_.get()) : nullptr;
    }

    bool focused() const override { return focused_; }
    void set_focused(bool focused) override { focused_ = focused; }
    void keep_keys(bool keep) override { keeps_keys_ = keep; }
    bool keeps_keys() const override { return keeps_keys_; }

    Image read() override {
        make_current();
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target_->framebuffer());
        return read_pixels(size_);
    }

    void resize(PixelSize size) override {
        check_size(size);
        make_current();
        size_ = size;
        create_target();
    }

private:
    void create_target() {
        target_.reset();
        target_ = std::make_unique<RenderTarget>(size_.width, size_.height);
        if (!target_->complete())
            throw Error("cannot draw offscreen: no frame buffer of {1} × {2} pixels", size_.width, size_.height);
    }

    PixelSize size_;
    std::unique_ptr<OffscreenContext> context_;
    bool second_screen_ = false, focused_ = false, keeps_keys_ = false;
    std::unique_ptr<RenderTarget> target_;
};

}  // namespace

Image read_pixels(PixelSize size) {
    const std::size_t row = std::size_t{4} * size.width;
    std::vector<std::uint8_t> pixels(row * size.height);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    Image image{size.width, size.height, std::vector<std::uint8_t>(pixels.size())};
    for (int y = 0; y < size.height; ++y)  // OpenGL's rows start at the bottom
        std::memcpy(&image.rgba[row * y], &pixels[row * (size.height - 1 - y)], row);
    return image;
}

std::unique_ptr<Offscreen> open_offscreen(PixelSize size) { return std::make_unique<MemorySurface>(size); }

}  // namespace glassformer::app
