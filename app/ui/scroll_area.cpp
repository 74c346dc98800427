#include "app/ui/scroll_area.h"

#include <algorithm>

namespace glassformer::app {

ScrollArea::ScrollArea(const Ui& ui, const char* id, const Box& box, float content_height)
    : ui_(ui),
      box_(box),
      content_(box),
      first_item_(ui.items->all().size()),
      scrolls_(content_height > box.height() + 0.5f) {
    if (!scrolls_) return;
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const ImVec2 size{std::max(1.0f, box.width()), std::max(1.0f, box.height())};
    ImGui::BeginChild(id, size, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    content_ = {at, {at.x + box.width() - bar, at.y + content_height}};
}

ScrollArea::~ScrollArea() {
    if (!scrolls_) return;
    // The bottom of the content, so that ImGui knows how far to scroll.
    ImGui::SetCursorScreenPos({content_.min.x, content_.max.y - 1});
    ImGui::Dummy({1, 1});
    scroll_to_revealed(ui_, box_, first_item_);
    ImGui::EndChild();
}

void scroll_to(const Ui& ui, const Box& box, std::size_t first_item, std::string_view label) {
    const Item* item = label.empty() ? nullptr : ui.items->find(label);
    if (!item || item < ui.items->all().data() + first_item) return;
    if (item->min.y >= box.min.y && item->max.y <= box.max.y) return;
    ImGui::SetScrollY(ImGui::GetScrollY() + item->centre().y - box.middle_y());
}

void scroll_to_revealed(const Ui& ui, const Box& box, std::size_t first_item) {
    scroll_to(ui, box, first_item, ui.reveal);
    ui.items->scroll_in(first_item, box);
}

}  // namespace glassformer::app
