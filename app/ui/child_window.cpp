#include "app/ui/child_window.h"

#include <algorithm>
#include <utility>

namespace glassformer::app {

namespace {

ImGuiWindowFlags flags_of(ChildWindow::Kind kind) {
    using Kind = ChildWindow::Kind;
    constexpr ImGuiWindowFlags scrolls =
        ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground;
    constexpr ImGuiWindowFlags stays = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    switch (kind) {
        case Kind::scrolls:
            return scrolls;
        case Kind::scrolls_sideways:
            return scrolls | ImGuiWindowFlags_HorizontalScrollbar;
        case Kind::overlay:
            return stays;
        default:
            return stays | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground;
    }
}

}  // namespace

void follow_finger(Items& items) {
    const ImVec2 by = items.asked_scroll(ImGui::GetWindowDrawList()), size = ImGui::GetWindowSize();
    const Box window = Box::sized(ImGui::GetWindowPos(), size.x, size.y);
    const float bar = ImGui::GetStyle().ScrollbarSize;
    if (ImGui::GetScrollMaxY() > 0) items.scroll_bar(window.right(bar));
    if (ImGui::GetScrollMaxX() > 0) items.scroll_bar(window.bottom(bar));
    if (by.x != 0) ImGui::SetScrollX(std::clamp(ImGui::GetScrollX() + by.x, 0.0f, ImGui::GetScrollMaxX()));
    if (by.y != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by.y, 0.0f, ImGui::GetScrollMaxY()));
}

ChildWindow::ChildWindow(const Ui& ui, const char* id, const Box& box, Kind kind, ImGuiWindowFlags more)
    : ui_(ui), box_(box), kind_(kind), first_item_(ui.items->all().size()) {
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    if (ui.items->wheel_is_kept()) more |= ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::BeginChild(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, false, flags_of(kind) | more);
    ImGui::PopStyleVar();
    start_ = ImGui::GetCursorScreenPos();
}

ChildWindow::~ChildWindow() {
    if (corner_) {
        ImGui::SetCursorScreenPos({corner_->x - 1, corner_->y - 1});
        ImGui::Dummy({1, 1});
    }
    if (kind_ == Kind::scrolls || kind_ == Kind::scrolls_sideways) {
        scroll_to(ui_.reveal);
        ui_.items->scroll_in(first_item_, box_, scrolling_window());
        follow_finger(*ui_.items);
        pass_wheel_on();
    } else if (kind_ == Kind::overlay) {
        ui_.items->cover(first_item_, box_);
    }
    ImGui::EndChild();
}

/// ImGui gives the wheel to the window around only if this one cannot scroll at all. What has brought it to its end in
/// this frame is used up.
void ChildWindow::pass_wheel_on() const {
    const float wheel = ImGui::IsWindowHovered() ? ImGui::GetIO().MouseWheel : 0, most = ImGui::GetScrollMaxY(),
                at = ImGui::GetScrollY();
    float& before = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("##scrolled to"), at);
    const bool moved = std::exchange(before, at) != at;
    if (most > 0 && !moved && !ui_.items->wheel_is_kept() && ((wheel > 0 && at <= 0) || (wheel < 0 && at >= most)))
        ui_.items->pass_wheel(wheel);
}

void ChildWindow::scroll_to(std::string_view label) const {
    const Item* item = label.empty() ? nullptr : ui_.items->find(label);
    if (!item || item < ui_.items->all().data() + first_item_) return;
    if (item->min.y >= box_.min.y && item->max.y <= box_.max.y) return;
    ImGui::SetScrollY(ImGui::GetScrollY() + item->centre().y - box_.middle_y());
}

}  // namespace glassformer::app
