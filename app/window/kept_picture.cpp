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
constexpr float near = 1.25f;          // as near as: a picture for each step of so much stays
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
    for (const Shot& shot : shots_) {
        glDeleteFramebuffers(1, &shot.framebuffer);  // 0 is none
        glDeleteRenderbuffers(1, &shot.colours);
    }
}

void KeptPicture::forget() {
    for (Shot& shot : shots_) shot.there = false;
}

bool KeptPicture::stands_for(const draw::MovingPicture& picture, KeptPictures when, double now) {
    const bool here = picture.origin.x == wanted_.origin.x && picture.origin.y == wanted_.origin.y &&
                      picture.scale == wanted_.scale && same(picture.view, wanted_.view);
    if (!here) moved_ = now;
    new_ = !here || stands_;  // and after a kept picture
    wanted_ = picture, when_ = when;
    return stands_ = can_stand_for(picture, now);
}

bool KeptPicture::can_stand_for(const draw::MovingPicture& picture, double now) {
    if (when_ == KeptPictures::never || now - moved_ >= rest || (when_ == KeptPictures::where_slow && !slow_))
        return false;
    float most = 0;
    for (std::size_t i = 0; i < shots_.size(); ++i)
        if (const float fits = fit(shots_[i], picture); fits > most) most = fits, best_ = i;
    if (most > 0) find_missing(shots_[best_], picture);
    return most > 0;
}

/// How well a picture stands for another one; 0: not at all. The more it covers and the less it is scaled, the better.
float KeptPicture::fit(const Shot& shot, const draw::MovingPicture& picture) {
    if (!shot.there || !same_owner(picture.of, shot.of.of) || picture.content != shot.of.content ||
        !same(picture.view, shot.of.view))
        return 0;
    const float scaled = picture.scale / shot.of.scale;
    if (scaled > most_scaled || scaled < 1 / most_scaled) return 0;
    find_missing(shot, picture);
    float missing = 0;
    for (const Box& box : missing_) missing += area(box);
    const float covered = 1 - missing / area(picture.view);
    return covered < least_covered ? 0 : 2 * covered - std::abs(std::log(scaled));
}

void KeptPicture::find_missing(const Shot& shot, const draw::MovingPicture& picture) {
    const float scaled = picture.scale / shot.of.scale;
    const auto moved = [&](ImVec2 p) {
        return ImVec2(picture.origin.x + (p.x - shot.of.origin.x) * scaled,
                      picture.origin.y + (p.y - shot.of.origin.y) * scaled);
    };
    const Box& kept = shot.of.view;
    shown_ = {moved(kept.min), moved(kept.max)};
    shifted_ = scaled == 1 && whole(shown_.min.x - kept.min.x) && whole(shown_.min.y - kept.min.y);
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

/// One from as near, else one of other things, else that from furthest away: pictures from near and from far stay.
KeptPicture::Shot& KeptPicture::to_replace() {
    const auto usable = [&](const Shot& shot) {
        return shot.there && same_owner(shot.of.of, wanted_.of) && shot.of.content == wanted_.content &&
               same(shot.of.view, wanted_.view);
    };
    const auto distance = [&](const Shot& shot) { return std::abs(std::log(shot.of.scale / wanted_.scale)); };
    for (Shot& shot : shots_)
        if (usable(shot) && distance(shot) < std::log(near)) return shot;
    const auto other = std::ranges::find_if_not(shots_, usable);
    return other != shots_.end() ? *other : *std::ranges::max_element(shots_, {}, distance);
}

void KeptPicture::keep_screen() {
    Shot& shot = to_replace();
    const Pixels view(wanted_.view);
    const int width = view.right - view.left, height = view.top - view.bottom;
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    if (!shot.framebuffer) glGenFramebuffers(1, &shot.framebuffer), glGenRenderbuffers(1, &shot.colours);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shot.framebuffer);
    if (width != shot.width || height != shot.height) {
        glBindRenderbuffer(GL_RENDERBUFFER, shot.colours);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, shot.colours);
        shot.width = width, shot.height = height;
    }
    shot.there = glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(screen));
    glDisable(GL_SCISSOR_TEST);
    if (shot.there)
        glBlitFramebuffer(view.left, view.bottom, view.right, view.top, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    shot.of = wanted_;
}

void KeptPicture::show_on_screen() const {
    const Shot& shot = shots_[best_];
    const Pixels view(wanted_.view), at(shown_);
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, shot.framebuffer);
    glScissor(view.left, view.bottom, view.right - view.left, view.top - view.bottom);
    glBlitFramebuffer(0, 0, shot.width, shot.height, at.left, at.bottom, at.right, at.top, GL_COLOR_BUFFER_BIT,
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
