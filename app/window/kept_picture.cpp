#include "app/window/kept_picture.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "app/context/software_renderer.h"

namespace glassformer::app {

namespace {

constexpr double rest = 0.1;           // seconds without a motion, after which all is drawn
constexpr double slow = 12;            // milliseconds
constexpr float most_scaled = 1.6f;    // smaller or larger, its text could not be read
constexpr float least_covered = 0.5f;  // of the view; else drawing what is missing takes as long as drawing all

bool same(const Box& a, const Box& b) {
    return a.min.x == b.min.x && a.min.y == b.min.y && a.max.x == b.max.x && a.max.y == b.max.y;
}
bool same_owner(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}
float area(const Box& box) { return std::max(box.width(), 0.0f) * std::max(box.height(), 0.0f); }
bool whole(float x) { return std::abs(x - std::round(x)) < 1e-3f; }

/// OpenGL's rows start at the bottom.
struct Pixels {
    GLint left, bottom, right, top;

    explicit Pixels(const Box& box) {
        GLint view[4];
        glGetIntegerv(GL_VIEWPORT, view);
        left = static_cast<GLint>(std::lround(box.min.x)), right = static_cast<GLint>(std::lround(box.max.x));
        bottom = view[3] - static_cast<GLint>(std::lround(box.max.y));
        top = view[3] - static_cast<GLint>(std::lround(box.min.y));
    }
};

}  // namespace

KeptPicture::~KeptPicture() {
    glDeleteFramebuffers(1, &framebuffer_);  // 0 is none
    glDeleteRenderbuffers(1, &colours_);
}

bool KeptPicture::stands_for(const draw::MovingPicture& picture, KeptPictures when, double now) {
    const bool here = picture.origin.x == wanted_.origin.x && picture.origin.y == wanted_.origin.y &&
                      picture.scale == wanted_.scale && same(picture.view, wanted_.view);
    if (!here) moved_ = now;
    wanted_ = picture, when_ = when;
    if (when == KeptPictures::never || !there_ || now - moved_ >= rest) return false;
    if (!same_owner(picture.of, kept_.of) || picture.content != kept_.content || !same(picture.view, kept_.view))
        return false;
    if (when == KeptPictures::where_slow && !slow_) return false;
    const float scaled = picture.scale / kept_.scale;
    if (scaled > most_scaled || scaled < 1 / most_scaled) return false;
    find_missing(picture);
    float covered = area(picture.view);
    for (const Box& box : missing_) covered -= area(box);
    return covered >= least_covered * area(picture.view);
}

void KeptPicture::find_missing(const draw::MovingPicture& picture) {
    const float scaled = picture.scale / kept_.scale;
    const auto moved = [&](ImVec2 p) {
        return ImVec2(picture.origin.x + (p.x - kept_.origin.x) * scaled,
                      picture.origin.y + (p.y - kept_.origin.y) * scaled);
    };
    shown_ = {moved(kept_.view.min), moved(kept_.view.max)};
    shifted_ = scaled == 1 && whole(shown_.min.x - kept_.view.min.x) && whole(shown_.min.y - kept_.view.min.y);
    const Box &view = picture.view, covered{{std::clamp(std::ceil(shown_.min.x - 1e-3f), view.min.x, view.max.x),
                                             std::clamp(std::ceil(shown_.min.y - 1e-3f), view.min.y, view.max.y)},
                                            {std::clamp(std::floor(shown_.max.x + 1e-3f), view.min.x, view.max.x),
                                             std::clamp(std::floor(shown_.max.y + 1e-3f), view.min.y, view.max.y)}};
    missing_.clear();
    for (const Box& box : {Box{view.min, {covered.min.x, view.max.y}}, Box{{covered.max.x, view.min.y}, view.max},
                           Box{{covered.min.x, view.min.y}, {covered.max.x, covered.min.y}},
                           Box{{covered.min.x, covered.max.y}, {covered.max.x, view.max.y}}})
        if (box.width() > 0 && box.height() > 0) missing_.push_back(box);
}

void KeptPicture::keep_screen() {
    const Pixels view(wanted_.view);
    const int width = view.right - view.left, height = view.top - view.bottom;
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    if (!framebuffer_) glGenFramebuffers(1, &framebuffer_), glGenRenderbuffers(1, &colours_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
    if (width != width_ || height != height_) {
        glBindRenderbuffer(GL_RENDERBUFFER, colours_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
        width_ = width, height_ = height;
    }
    there_ = glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(screen));
    glDisable(GL_SCISSOR_TEST);
    if (there_)
        glBlitFramebuffer(view.left, view.bottom, view.right, view.top, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    kept_ = wanted_;
}

void KeptPicture::show_on_screen() const {
    const Pixels view(wanted_.view), at(shown_);
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glScissor(view.left, view.bottom, view.right - view.left, view.top - view.bottom);
    glBlitFramebuffer(0, 0, width_, height_, at.left, at.bottom, at.right, at.top, GL_COLOR_BUFFER_BIT,
                      shifted_ ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(screen));
}

void KeptPicture::show(const ImDrawList*, const ImDrawCmd* command) {
    static_cast<const KeptPicture*>(command->UserCallbackData)->show_on_screen();
}

void KeptPicture::keep(const ImDrawList*, const ImDrawCmd* command) {
    static_cast<KeptPicture*>(command->UserCallbackData)->keep_screen();
}

void KeptPicture::begin_drawing(const ImDrawList*, const ImDrawCmd* command) {
    KeptPicture& picture = *static_cast<KeptPicture*>(command->UserCallbackData);
    if (picture.when_ != KeptPictures::where_slow) return;
    glFinish();  // in software alone; a graphics card is not waited for
    picture.began_ = std::chrono::steady_clock::now();
}

void KeptPicture::end_drawing(const ImDrawList*, const ImDrawCmd* command) {
    KeptPicture& picture = *static_cast<KeptPicture*>(command->UserCallbackData);
    if (picture.when_ == KeptPictures::where_slow) {
        glFinish();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - picture.began_;
        picture.slow_ = took.count() > slow;
    }
    if (picture.when_ == KeptPictures::always || picture.slow_) picture.keep_screen();
}

}  // namespace glassformer::app
