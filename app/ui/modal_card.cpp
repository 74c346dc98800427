#include "app/ui/modal_card.h"

namespace glassformer::app {

ModalCard::ModalCard(const Ui& ui, const char* name, const Box& window, const Box& card, bool closes,
                     ImGuiWindowFlags more)
    : around_(ui, name, window, ChildWindow::Kind::overlay) {
    ui.focus->cover();
    ui.list()->AddRectFilled(window.min, window.max, ImGui::GetColorU32(ImGuiCol_ModalWindowDimBg));
    if (closes) clicked_beside_ = click_area(ui, ui.items->format("%s/outside", name), window).clicked;
    card_.emplace(ui, "##card", card, ChildWindow::Kind::overlay, more);
}

}  // namespace glassformer::app
