#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/controls.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/input.h"
#include "app/ui/text_caret.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

constexpr FontRole font = FontRole::body;
constexpr std::size_t most_undo = 200;
constexpr double blink = 1.2, lit = 0.8;  // seconds

using Change = TypedField::Change;

/// Pasted text as one line: spaces for newlines and tabs, and no invalid UTF-8.
std::string one_line(std::string_view pasted) {
    std::string line;
    while (!pasted.empty()) {
        std::size_t good = pasted.size();
        if (is_valid_utf8(pasted, &good)) good = pasted.size();
        for (const char c : pasted.substr(0, good))
            if (c == '\n' || c == '\t')
                line += ' ';
            else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)
                line += c;
        pasted.remove_prefix(std::min(good + 1, pasted.size()));
    }
    return line;
}

/// Edits the text of the field that has the keyboard.
class Editor {
public:
    Editor(const Ui& ui, TypedField& field, std::string& text) : ui_(ui), field_(field), text_(text) {
        field_.caret = std::min(field_.caret, text_.size());
        field_.other = std::min(field_.other, text_.size());
    }

    /// Returns true if Enter was pressed. Then, if `leaves`, the field is left; otherwise all its text is selected.
    bool take_keys(bool leaves) {
        const bool ctrl = ctrl_down();
        if (key_pressed(Key::escape)) {
            text_ = field_.first;
            field_ = {};
            return false;
        }
        if (key_pressed(Key::enter) || key_pressed(Key::tab)) take_text();  // typed before it in the same frame
        if (key_pressed(Key::enter)) {
            if (leaves)
                field_ = {};
            else
                field_.other = 0, field_.caret = text_.size();
            return true;
        }
        if (key_pressed(Key::tab)) {
            ui_.focus->move_typing(shift_down() ? -1 : 1);
            return false;
        }
        if (key_pressed(Key::left, true) || key_pressed(Key::right, true)) step(key_pressed(Key::right, true), ctrl);
        if (key_pressed(Key::home) || key_pressed(Key::up)) move(0);
        if (key_pressed(Key::end) || key_pressed(Key::down)) move(text_.size());
        if (key_pressed(Key::backspace, true))
            erase(ctrl ? word_before() : draw::before_character(text_, field_.caret));
        if (key_pressed(Key::del, true)) erase(ctrl ? word_after() : draw::after_character(text_, field_.caret));
        if (ctrl) take_shortcuts();
        take_text();
        return false;
    }

    void take_mouse(const Response& mouse, float x) {
        if (mouse.double_clicked) {
            field_.caret = draw::caret_at(ui_, text_, x, font);
            field_.other = word_before();
            field_.caret = word_after();
            field_.dragging = false;
        } else if (field_.dragging && mouse.held) {
            const std::size_t at = draw::caret_at(ui_, text_, x, font);
            if (at != field_.caret) touched();
            field_.caret = at;
            if (ImGui::IsMouseClicked(0) && !shift_down()) field_.other = at;
        }
    }

private:
    std::size_t from() const { return std::min(field_.caret, field_.other); }
    std::size_t to() const { return std::max(field_.caret, field_.other); }
    bool selected() const { return field_.caret != field_.other; }
    void touched() { field_.since = ImGui::GetTime(); }

    void move(std::size_t to) {
        field_.caret = to;
        if (!shift_down()) field_.other = to;
        field_.last = Change::none;
        touched();
    }

    void take_text() {
        std::string typed;
        for (const char32_t c : typed_characters())
            if (c >= 0x20 && c != 0x7F) typed += to_utf8({&c, 1});
        if (!typed.empty()) replace(typed, Change::typed);
    }

    /// Moves to the character on the right or left.
    void step(bool right, bool word) {
        const bool forward = right != draw::begins_at_right(ui_, text_, font);
        if (selected() && !shift_down() && !word) return move(forward ? to() : from());
        if (word) return move(forward ? word_after() : word_before());
        move(forward ? draw::after_character(text_, field_.caret) : draw::before_character(text_, field_.caret));
    }

    std::size_t word_before() const {
        std::size_t at = field_.caret;
        while (at > 0 && text_[at - 1] == ' ') --at;
        while (at > 0 && text_[at - 1] != ' ') --at;
        return at;
    }
    std::size_t word_after() const {
        std::size_t at = field_.caret;
        while (at < text_.size() && text_[at] == ' ') ++at;
        while (at < text_.size() && text_[at] != ' ') ++at;
        return at;
    }

    void replace(std::string_view by, Change change) {
        if (change != field_.last || change == Change::other || selected()) {
            field_.undo.push_back({text_, field_.caret});
            if (field_.undo.size() > most_undo) field_.undo.erase(field_.undo.begin());
        }
        field_.redo.clear();
        field_.last = change;
        const std::size_t begin = from();
        text_.replace(begin, to() - begin, by);
        field_.caret = field_.other = begin + by.size();
        touched();
    }

    /// Erases the selection or, if there is none, from the caret to `to`.
    void erase(std::size_t to) {
        if (!selected()) field_.other = to;
        if (selected()) replace({}, Change::erased);
        field_.other = field_.caret;
    }

    void take_shortcuts() {
        if (key_pressed(Key::a)) field_.other = 0, field_.caret = text_.size();
        if ((key_pressed(Key::c) || key_pressed(Key::x)) && selected())
            ImGui::SetClipboardText(text_.substr(from(), to() - from()).c_str());
        if (key_pressed(Key::x) && selected()) replace({}, Change::other);
        if (key_pressed(Key::v))
            if (const char* pasted = ImGui::GetClipboardText()) replace(one_line(pasted), Change::other);
        if (key_pressed(Key::z, true))
            go_back(shift_down() ? field_.redo : field_.undo, shift_down() ? field_.undo : field_.redo);
        if (key_pressed(Key::y, true)) go_back(field_.redo, field_.undo);
    }

    void go_back(std::vector<TypedField::Before>& from, std::vector<TypedField::Before>& to) {
        if (from.empty()) return;
        to.push_back({text_, field_.caret});
        text_ = std::move(from.back().text);
        field_.caret = field_.other = std::min(from.back().caret, text_.size());
        from.pop_back();
        field_.last = Change::none;
        touched();
    }

    const Ui& ui_;
    TypedField& field_;
    std::string& text_;
};

/// The x where the text begins: at the end from which it is read, scrolled so that the caret is visible.
float text_left(const Ui& ui, const std::string& text, float left, float right, TypedField* field) {
    const float width = draw::text_size(ui, text, font).x;
    const bool at_right = draw::begins_at_right(ui, text, font);
    const float start = at_right ? right - width : left;
    if (!field) return start;
    const float caret = start + draw::caret_x(ui, text, field->caret, font), edge = ui.px(2);
    const float least = std::min(0.0f, right - edge - left - width), most = at_right ? -least : 0;
    field->shift = std::clamp(field->shift, at_right ? 0 : least, most);
    if (caret + field->shift > right - edge) field->shift = right - edge - caret;
    if (caret + field->shift < left) field->shift = left - caret;
    return start + field->shift;
}

void draw_caret(const Ui& ui, const TypedField& field, std::string_view label, float x, float top) {
    const float bottom = top + ui.line(font);
    ui.items->add(ui.items->join({label, "/caret"}), {{x, top}, {x + ui.px(1), bottom}}, item_state(field.caret));
    if (ui.reduce_motion || std::fmod(ImGui::GetTime() - field.since, blink) < lit)
        ui.list()->AddRectFilled({std::floor(x), top}, {std::floor(x) + ui.px(1), bottom}, ui.theme->text);
}

}  // namespace

bool is_typed_into(const Ui& ui, std::string_view label) {
    return ui.focus->typed().id == ImGui::GetID(label.data(), label.data() + label.size());
}

bool text_field(const Ui& ui, std::string_view label, const Box& box, std::string& text, std::string_view hint,
                bool* submitted, SelectAll select_all, OnEnter on_enter) {
    const ImGuiID id = ImGui::GetID(label.data(), label.data() + label.size());
    const Response mouse = drag_area(ui, label, box, std::nullopt, text);
    const bool focused = ui.focus->offer(id);
    ui.focus->offer_field(id);
    if (mouse.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    const std::string before = text;
    TypedField& field = ui.focus->typed();
    const bool pressed = mouse.hovered && ImGui::IsMouseClicked(0);
    const bool entered = ui.focus->activated(id) || ui.focus->take_entry();
    const bool by_tab = field.id == id && field.by_tab;
    const bool fresh = ((pressed || entered) && field.id != id) || by_tab;
    const bool selects =
        select_all == SelectAll::always || (select_all == SelectAll::unless_clicked && (entered || by_tab));
    if (fresh) {
        field = {};
        field.id = id, field.caret = text.size(), field.other = selects ? 0 : text.size();
        field.first = text, field.since = ImGui::GetTime();
    }
    if (pressed) field.dragging = !(fresh && selects);
    if (field.id == id && ImGui::IsMouseClicked(0) && !mouse.hovered) field = {};

    const float left = box.min.x + ui.px(10), right = box.max.x - ui.px(10);
    const float top = box.min.y + std::max(0.0f, std::floor((box.height() - ui.line(font)) / 2));
    bool enter = false;
    if (field.id == id) {
        Editor editor(ui, field, text);
        editor.take_mouse(mouse, ImGui::GetIO().MousePos.x - text_left(ui, text, left, right, &field));
        if (!fresh) enter = editor.take_keys(submitted != nullptr && on_enter == OnEnter::leaves);
        ImGui::GetIO().WantTextInput = true;  // keys are text, not commands
    }
    if (submitted) *submitted = enter;

    const bool active = field.id == id;
    ImDrawList* list = ui.list();
    const ImGuiStyle& style = ImGui::GetStyle();
    if (!controls_hidden()) {
        list->AddRectFilled(box.min, box.max, ImGui::GetColorU32(ImGuiCol_FrameBg), style.FrameRounding);
        list->AddRect(box.min, box.max, ImGui::GetColorU32(ImGuiCol_Border), style.FrameRounding, 0,
                      style.FrameBorderSize);
    }
    list->PushClipRect({left - ui.px(2), box.min.y}, {right + ui.px(2), box.max.y}, true);
    if (text.empty() && !hint.empty() && !controls_hidden())
        draw::typed_text(ui, {left, top}, hint, {font, ImGui::GetColorU32(ImGuiCol_TextDisabled)});
    const float x = text_left(ui, text, left, right, active ? &field : nullptr);
    if (active)
        for (const draw::Stretch& stretch :
             draw::covered(ui, text, std::min(field.caret, field.other), std::max(field.caret, field.other), font))
            list->AddRectFilled({x + stretch.left, top}, {x + stretch.right, top + ui.line(font)},
                                ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
    draw::typed_text(ui, {x, top}, text, {font, ui.theme->text});
    if (active) draw_caret(ui, field, label, x + draw::caret_x(ui, text, field.caret, font), top);
    list->PopClipRect();
    if (focused || active) draw::rounded_box(ui, box, 0, ui.theme->focus, 6, 2);
    return text != before;
}

}  // namespace glassformer::app
