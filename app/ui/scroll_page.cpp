#include "app/ui/scroll_page.h"

#include <algorithm>

#include "app/ui/scroll_area.h"

namespace glassformer::app {

namespace {
constexpr float side = 12, top = 2, foot = 6;  // pixels at 100 %
}

ScrollPage::ScrollPage(const Ui& ui, const char* id, const Box& box, float wide)
    : ui_(ui), box_(box), first_item_(ui.items->all().size()) {
    const ImVec2 size{std::max(1.0f, box.width()), std::max(1.0f, box.height())};
    const float room = size.x - 2 * ui.px(side);
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild(id, size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                          (wide > room ? ImGuiWindowFlags_HorizontalScrollbar : 0));
    ImGui::PopStyleVar();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x + ui.px(side), bar = wide > room ? ImGui::GetStyle().ScrollbarSize : 0;
    inside_ = {{left, at.y + ui.px(top)}, {left + std::max(room, wide), at.y + size.y - bar - ui.px(foot)}};
    seen_left_ = box.min.x + ui.px(side), seen_right_ = seen_left_ + room;
    bottom_ = inside_.min.y;
}

ScrollPage::~ScrollPage() {
    // The far corner of the content, so that ImGui knows how far to scroll.
    const bool sideways = inside_.width() > seen_right_ - seen_left_ + 1;
    ImGui::SetCursorScreenPos({sideways ? inside_.max.x - 1 : inside_.min.x, bottom_ + ui_.px(foot) - 1});
    ImGui::Dummy({1, 1});
    scroll_to_revealed(ui_, box_, first_item_);
    ImGui::EndChild();
}

}  // namespace glassformer::app
