#include "app/ui/modal_card.h"

#include "app/ui/controls.h"

namespace glassformer::app {

ModalCard::ModalCard(const Ui& ui, const char* name, const Box& window, const Box& card, bool closes,
                     ImGuiWindowFlags more) {
    // Windows of their own, so that nothing below gets the mouse.
    const ImGuiWindowFlags fixed = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ui.focus->cover();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushID(name);
    ImGui::SetCursorScreenPos(window.min);
    ImGui::BeginChild("##around", {window.width(), window.height()}, false, fixed);
    ui.list()->AddRectFilled(window.min, window.max, ImGui::GetColorU32(ImGuiCol_ModalWindowDimBg));
    if (closes) clicked_beside_ = click_area(ui, ui.items->format("%s/outside", name), window).clicked;
    ImGui::SetCursorScreenPos(card.min);
    ImGui::BeginChild("##card", {card.width(), card.height()}, false, fixed | more);
}

ModalCard::~ModalCard() {
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
