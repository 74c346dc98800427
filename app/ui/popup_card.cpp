#include "app/ui/popup_card.h"

#include <algorithm>

#include "app/ui/child_window.h"

namespace glassformer::app {

namespace {
constexpr float padding = 14, screen_edge = 8, gap = 6;  // pixels at 100 %
}

float PopupCard::widest(const Ui& ui) {
    return ImGui::GetIO().DisplaySize.x - 2 * ui.px(padding) - 2 * ui.px(screen_edge);
}

PopupCard::PopupCard(const Ui& ui, const char* id, ImVec2 corner, ImVec2 size, Side side) : open_(false) {
    if (!ImGui::IsPopupOpen(id)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float pad = ui.px(padding), edge = ui.px(screen_edge);
    const ImVec2 all{std::min(size.x + 2 * pad, screen.x - 2 * edge), std::min(size.y + 2 * pad, screen.y - 2 * edge)};
    const bool cut = all.y < size.y + 2 * pad;
    const float y = side == Side::above ? corner.y - ui.px(gap) - all.y : corner.y;
    ImGui::SetNextWindowPos({std::max(edge, std::min(corner.x, screen.x - all.x - edge)),
                             std::max(edge, std::min(y, screen.y - all.y - edge))});
    ImGui::SetNextWindowSize(all);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    open_ = ImGui::BeginPopup(
        id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav | (cut ? 0 : ImGuiWindowFlags_NoScrollbar));
    if (!open_) {
        ImGui::PopStyleVar();
        return;
    }
    items_ = ui.items, first_item_ = ui.items->all().size();
    inside_ = Box::sized(ImGui::GetCursorScreenPos(), all.x - 2 * pad, all.y - 2 * pad);
}

PopupCard::~PopupCard() {
    if (!open_) return;
    items_->cover(first_item_, window_box(), scrolling_window());
    follow_finger(*items_);
    ImGui::EndPopup();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
