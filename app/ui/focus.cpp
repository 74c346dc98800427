#include "app/ui/focus.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/ui/input.h"

namespace glassformer::app {

namespace {

// A double click: as slow as desktops allow, but where frames take long, a few frames are always allowed.
constexpr double double_click_seconds = 0.5;
constexpr int double_click_frames = 4;
constexpr float same_place = 6;  // pixels

/// The controls that no card covers.
std::span<const ImGuiID> within_reach(const std::vector<ImGuiID>& order, std::size_t below) {
    return std::span(order).subspan(std::min(below, order.size()));
}

bool any_key_pressed() {
    for (int key = 0; key <= static_cast<int>(Key::f12); ++key)
        if (key_pressed(static_cast<Key>(key))) return true;
    return false;
}

}  // namespace

void Focus::follow_pointer() {
    const ImVec2 now = ImGui::GetIO().MousePos, before = std::exchange(pointer_, now);
    if (now.x != before.x || now.y != before.y) after_key_ = after_press_ = false;
    if (std::hypot(now.x - press_.at.x, now.y - press_.at.y) > same_place) press_.left = true;
    if (any_key_pressed()) after_key_ = true;
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    after_press_ = true;
    press_before_ = std::exchange(press_, {0, now, ImGui::GetTime(), ImGui::GetFrameCount(), false});
}

bool Focus::pressed(ImGuiID id) {
    const bool second = !press_before_.left && (press_.time - press_before_.time < double_click_seconds ||
                                                press_.frame - press_before_.frame <= double_click_frames);
    if (second && press_before_.on != id) return false;
    press_.on = id;
    return true;
}

void Focus::begin_frame() {
    follow_pointer();
    std::swap(order_, previous_order_);
    order_.clear();
    below_before_ = std::exchange(below_, 0);
    std::swap(fields_, previous_fields_);
    fields_.clear();
    covered_ = std::exchange(covers_, false);
    const std::span<const ImGuiID> reached = within_reach(previous_order_, below_before_);
    activate_ = activate_next_ && std::ranges::find(reached, current_) != reached.end();
    activate_next_ = false;
    // A control that is no longer drawn loses the focus and its unfinished text.
    const auto drawn = [&](ImGuiID id) { return std::ranges::find(previous_order_, id) != previous_order_.end(); };
    if (!drawn(current_)) current_ = 0;
    if (typed_.id && !drawn(typed_.id)) typed_ = {};
}

void Focus::cover() {
    take_keys();
    below_ = order_.size();
    fields_.clear();
}

void Focus::move_typing(int step) {
    const auto found = std::ranges::find(previous_fields_, typed_.id);
    if (found == previous_fields_.end()) return;
    const auto count = static_cast<int>(previous_fields_.size()),
               at = static_cast<int>(found - previous_fields_.begin());
    typed_ = {};
    typed_.id = previous_fields_[(at + step + count) % count];
    typed_.by_tab = true;
}

bool Focus::offer(ImGuiID id) {
    order_.push_back(id);
    return id == current_;
}

void Focus::move(int step) {
    const std::span<const ImGuiID> order =
        order_.empty() ? within_reach(previous_order_, below_before_) : within_reach(order_, below_);
    if (order.empty()) return;
    const int count = static_cast<int>(order.size());
    const auto found = std::find(order.begin(), order.end(), current_);
    const int at = found == order.end() ? (step > 0 ? -1 : count) : static_cast<int>(found - order.begin());
    current_ = order[((at + step) % count + count) % count];
}

}  // namespace glassformer::app
