#include "app/ui/scroll_page.h"

#include <algorithm>

namespace glassformer::app {

namespace {

constexpr float side = 12, top = 2, foot = 6;  // pixels at 100 %

ChildWindow::Kind kind_of(const Ui& ui, const Box& box, float wide) {
    return wide > std::max(1.0f, box.width()) - 2 * ui.px(side) ? ChildWindow::Kind::scrolls_sideways
                                                                : ChildWindow::Kind::scrolls;
}

}  // namespace

ScrollPage::ScrollPage(const Ui& ui, const char* id, const Box& box, float wide)
    : ui_(ui), window_(ui, id, box, kind_of(ui, box, wide)) {
    const ImVec2 size{std::max(1.0f, box.width()), std::max(1.0f, box.height())}, at = window_.start();
    const float room = size.x - 2 * ui.px(side);
    const float left = at.x + ui.px(side), bar = wide > room ? ImGui::GetStyle().ScrollbarSize : 0;
    inside_ = {{left, at.y + ui.px(top)}, {left + std::max(room, wide), at.y + size.y - bar - ui.px(foot)}};
    seen_left_ = box.min.x + ui.px(side), seen_right_ = seen_left_ + room;
    bottom_ = inside_.min.y;
}

ScrollPage::~ScrollPage() {
    const bool sideways = inside_.width() > seen_right_ - seen_left_ + 1;
    window_.reaches({sideways ? inside_.max.x : inside_.min.x + 1, bottom_ + ui_.px(foot)});
}

}  // namespace glassformer::app
