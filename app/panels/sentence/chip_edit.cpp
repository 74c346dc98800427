#include "app/panels/sentence/chip_edit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/common/changed_words.h"

namespace glassformer::app {

namespace {

/// A chip being dragged onto another one, and a word being typed in place of one.
struct ChipEdit {
    WordPlace dragged;
    int over = -1;  // the chip under the mouse during the drag
    WordPlace typed;
    std::string draft;
    bool entered = false;  // the field was drawn with keyboard focus
    void on_model_changed() { *this = {}; }
};

}  // namespace

ChipField chip_field(const Frame& frame, int slot) {
    const ChipEdit& edit = frame.own<ChipEdit>();
    if (edit.typed.slot != slot || edit.typed.position < 0) return {};
    const Ui& ui = frame.ui;
    const float text = std::ceil(draw::text_size(ui, edit.draft, FontRole::body).x);
    return {edit.typed.position, std::max(ui.px(84), text + ui.px(24))};
}

bool type_in_chip(const Frame& frame, int slot, int token, const Box& box) {
    const Ui& ui = frame.ui;
    ChipEdit& edit = frame.own<ChipEdit>();
    if (edit.typed != WordPlace{slot, token}) return false;
    const std::string_view label = ui.items->of_card(slot, "word");
    if (!edit.entered) ui.focus->enter_field();
    bool entered = false;
    text_field(ui, label, box, edit.draft, {}, &entered, SelectAll::always);
    const bool left = edit.entered && !entered && !is_typed_into(ui, label);
    edit.entered = true;
    if (!entered && !left) return true;
    if (entered && !edit.draft.empty()) change_word(frame, slot, token, edit.draft);
    edit = {};
    return true;
}

void edit_by_mouse(const Frame& frame, int slot, int token, const Box& box, const Response& r) {
    ChipEdit& edit = frame.own<ChipEdit>();
    if (r.double_clicked && can_change_words(frame, slot)) {
        edit = {};
        edit.draft = word_in_text(frame, slot, token);
        if (!edit.draft.empty()) edit.typed = {slot, token};
    }
    if (r.held && edit.dragged.position < 0 && ImGui::IsMouseDragging(ImGuiMouseButton_Left, frame.ui.px(6)) &&
        can_change_words(frame, slot))
        edit.dragged = {slot, token};
    if (edit.dragged.position < 0 || edit.dragged.slot != slot || edit.dragged.position == token) return;
    if (!ImGui::IsMouseHoveringRect(box.min, box.max)) return;
    edit.over = token;
    draw::rounded_box(frame.ui, box.inset(-frame.ui.px(1)), 0, frame.ui.theme->accent, 7, 2);
}

void settle_drag(const Frame& frame, int slot) {
    ChipEdit& edit = frame.own<ChipEdit>();
    if (edit.dragged.position < 0 || edit.dragged.slot != slot) return;
    const int over = std::exchange(edit.over, -1);
    if (edit.dragged.position >= int_size(frame.sentence(slot).tokens)) return void(edit.dragged = {});
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        const Ui& ui = frame.ui;
        const std::string word = frame.word(slot, edit.dragged.position);
        const ImVec2 mouse = ImGui::GetMousePos(), size = draw::text_size(ui, word, FontRole::body_bold);
        const Box ghost =
            Box::sized({mouse.x - size.x / 2 - ui.px(6), mouse.y - ui.px(13)}, size.x + ui.px(12), ui.px(26));
        draw::rounded_box(ui, ghost, with_alpha(ui.theme->card, 0.9f), ui.theme->accent, 6);
        draw::text_in(ui, ghost, word, {FontRole::body_bold, ui.theme->text, draw::Align::centre});
        return;
    }
    const int from = std::exchange(edit.dragged, {}).position;
    if (over >= 0) swap_words(frame, slot, from, over);
}

}  // namespace glassformer::app
