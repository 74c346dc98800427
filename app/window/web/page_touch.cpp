#include "app/window/web/page_touch.h"

#include <emscripten/html5.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/web/page.h"
#include "app/window/web/page_input.h"

namespace glassformer::app {

namespace {

constexpr double long_press = 500;                          // milliseconds
constexpr float moves = 8, wheel_line = 40, pinch = 1.02f;  // CSS pixels; of the fingers' distance
constexpr float wheel_zooms = 1.15f;                        // a turn of the wheel by one

PageTouch* listening = nullptr;

float pixel_ratio() { return static_cast<float>(emscripten_get_device_pixel_ratio()); }
float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }
ImVec2 between(ImVec2 a, ImVec2 b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

EM_BOOL on_touch(int type, const EmscriptenTouchEvent* e, void*) {
    if (!listening) return false;
    if (type == EMSCRIPTEN_EVENT_TOUCHCANCEL) {
        listening->give_up();
        return true;
    }
    ImVec2 fingers[2];
    int count = 0;
    for (int i = 0; i < e->numTouches && count < 2; ++i) {
        const EmscriptenTouchPoint& finger = e->touches[i];
        if (type == EMSCRIPTEN_EVENT_TOUCHEND && finger.isChanged) continue;  // lifted
        fingers[count++] = {pixel_ratio() * static_cast<float>(finger.clientX),
                            pixel_ratio() * static_cast<float>(finger.clientY)};
    }
    listening->touches(fingers, count);
    return true;  // and no mouse besides
}

}  // namespace

PageTouch::PageTouch(PageInput& input) : input_(input) {
    listening = this;
    emscripten_set_touchstart_callback(canvas, nullptr, false, on_touch);
    emscripten_set_touchmove_callback(canvas, nullptr, false, on_touch);
    emscripten_set_touchend_callback(canvas, nullptr, false, on_touch);
    emscripten_set_touchcancel_callback(canvas, nullptr, false, on_touch);
}

PageTouch::~PageTouch() {
    listening = nullptr;
    emscripten_set_touchstart_callback(canvas, nullptr, false, nullptr);
    emscripten_set_touchmove_callback(canvas, nullptr, false, nullptr);
    emscripten_set_touchend_callback(canvas, nullptr, false, nullptr);
    emscripten_set_touchcancel_callback(canvas, nullptr, false, nullptr);
}

void PageTouch::look() {
    if (does_ != Does::waits || emscripten_get_now() - since_ < long_press) return;
    input_.press(1, true);
    input_.press(1, false);
    does_ = Does::over;
}

void PageTouch::touches(const ImVec2* fingers, int count) {
    if (count == 0) {
        if (does_ == Does::waits) input_.press(0, true);
        if (does_ == Does::waits || does_ == Does::drags) input_.press(0, false);
        does_ = Does::nothing;
    } else if (count == 1) {
        const ImVec2 now = fingers[0];
        if (does_ == Does::nothing) {
            does_ = Does::waits, first_ = now, since_ = emscripten_get_now();
            const ImVec2 meant = finger_target(now);
            input_.move(meant.x, meant.y);
        } else if (does_ == Does::waits && distance(now, first_) > pixel_ratio() * moves) {
            scrolled_ = scrolled_from(first_);
            if (!scrolled_) input_.press(0, true);  // where it came down
            does_ = scrolled_ ? Does::scrolls : Does::drags;
            fingers_[0] = now;
        } else if (does_ == Does::scrolls) {
            const ImVec2 from = std::exchange(fingers_[0], now);
            scroll(scrolled_, {from.x - now.x, from.y - now.y});
            input_.happened();
        } else if (does_ == Does::drags) {
            input_.move(now.x, now.y);
        } else if (does_ == Does::pinches) {
            does_ = Does::over;  // the other one was lifted first
        }
    } else {
        if (does_ == Does::drags) input_.press(0, false);
        const ImVec2 at = between(fingers[0], fingers[1]);
        if (std::exchange(does_, Does::pinches) == Does::pinches) {
            const float was = distance(fingers_[0], fingers_[1]), is = distance(fingers[0], fingers[1]);
            const float times = std::max(is, 1.0f) / std::max(was, 1.0f);
            const ImVec2 from = between(fingers_[0], fingers_[1]);
            if (times > pinch || times < 1 / pinch)
                input_.turn_wheel(0, std::log(times) / std::log(wheel_zooms));
            else
                input_.turn_wheel((at.x - from.x) / (pixel_ratio() * wheel_line),
                                  (at.y - from.y) / (pixel_ratio() * wheel_line));
        }
        input_.move(at.x, at.y);
        fingers_ = {fingers[0], fingers[1]};
    }
}

void PageTouch::give_up() {
    if (does_ == Does::drags) input_.press(0, false);
    does_ = Does::nothing;
}

}  // namespace glassformer::app
