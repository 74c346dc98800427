#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/ui/choice_list.h"
#include "app/ui/controls.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float row_height = 30, heading_height = 24, row_padding = 10, check_room = 16,
                note_gap = 12;  // pixels at 100 %

/// The keyboard's row. ImGui stores it with the popup's window.
int moved_row(int count, int selected) {
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("##row");
    if (ImGui::IsWindowAppearing()) storage->SetInt(id, selected);
    int row = storage->GetInt(id, selected);
    if (key_pressed(Key::down, true)) row = std::min(row + 1, count - 1);
    if (key_pressed(Key::up, true)) row = std::max(row - 1, 0);
    if (key_pressed(Key::home)) row = 0;
    if (key_pressed(Key::end)) row = count - 1;
    storage->SetInt(id, row);
    return row;
}

bool choice_row(const Ui& ui, std::string_view label, const ListedChoice& choice, const Box& box, bool selected,
                bool keyed) {
    const Theme& t = *ui.theme;
    const Response response =
        click_area(ui, ui.items->join({label, "/", choice.item}), box, item_state(selected ? 1 : 0), choice.text);
    const ImU32 fill = selected ? t.attention_tint : response.hovered || keyed ? t.hover : 0;
    if (fill) draw::rounded_box(ui, box, fill, keyed ? t.focus : 0, 5);
    const float left = box.min.x + ui.px(row_padding), right = box.max.x - ui.px(row_padding);
    if (selected)
        draw::icon(ui, draw::Icon::check, {left + ui.px(4), std::round(box.middle_y())}, ui.px(10), t.attention_text);
    const FontRole font = selected ? FontRole::body_bold : FontRole::body;
    const float text = left + ui.px(check_room);
    draw::text_in(ui, box.between_x(text, right), choice.text, {font, selected ? t.attention_text : t.text});
    const float note = text + draw::text_size(ui, choice.text, font).x + ui.px(note_gap);
    if (!choice.note.empty() && note < right)
        draw::text_in(ui, box.between_x(note, right), choice.note, {FontRole::small, t.text_muted});
    if (response.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return response.clicked;
}

void heading_row(const Ui& ui, std::string_view label, const ListedChoice& choice, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), max{at.x + width, at.y + ui.px(heading_height)};
    draw::text_in(ui, {{at.x + ui.px(row_padding), at.y}, max}, choice.heading,
                  {FontRole::small_bold, ui.theme->text_muted});
    ui.items->add(ui.items->join({label, "/heading ", choice.heading}), {at, max}, std::nullopt, choice.heading);
    ImGui::Dummy({width, ui.px(heading_height)});
}

/// Draws the open list; returns the index chosen, or -1.
int choice_list(const Ui& ui, std::string_view label, std::span<const ListedChoice> choices, int selected, float width,
                float height) {
    const int count = static_cast<int>(choices.size());
    const int row = moved_row(count, selected);
    const bool appearing = ImGui::IsWindowAppearing();
    int chosen = -1;
    for (int i = 0; i < count; ++i) {
        const ListedChoice& choice = choices[i];
        if (!choice.heading.empty()) heading_row(ui, label, choice, width);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (choice_row(ui, label, choice, {at, {at.x + width, at.y + height}}, i == selected,
                       i == row && row != selected)) {
            chosen = i;
        }
        if (i == row && (appearing || key_pressed(Key::up) || key_pressed(Key::down))) ImGui::SetScrollHereY();
    }
    if (row >= 0 && row < count && key_pressed(Key::enter)) chosen = row;
    if (chosen >= 0 || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
    return chosen;
}

float list_width(const Ui& ui, std::span<const ListedChoice> choices, float at_least) {
    float width = at_least;
    for (const ListedChoice& choice : choices) {
        const float note =
            choice.note.empty() ? 0 : ui.px(note_gap) + draw::text_size(ui, choice.note, FontRole::small).x;
        width = std::max(width, draw::text_size(ui, choice.text, FontRole::body_bold).x + note +
                                    2 * ui.px(row_padding) + ui.px(check_room) + ui.px(4));
    }
    const float edges = 2 * ui.px(8) + 2 * ui.px(5) + ImGui::GetStyle().ScrollbarSize;
    return std::ceil(std::min(width, std::max(at_least, ImGui::GetIO().DisplaySize.x - edges)));
}

float list_height(const Ui& ui, std::span<const ListedChoice> choices, float row) {
    float height = 0;
    for (const ListedChoice& choice : choices) height += row + (choice.heading.empty() ? 0 : ui.px(heading_height));
    return height;
}

/// The height of a row: reduced if that makes all rows visible at once.
float fitting_row(const Ui& ui, std::span<const ListedChoice> choices, float room) {
    const float row = ui.px(row_height), least = ui.line(FontRole::body) + ui.px(4);
    const float over = list_height(ui, choices, row) - room;
    if (over <= 0 || list_height(ui, choices, least) > room) return row;
    return std::floor(row - over / static_cast<float>(choices.size()));
}

/// Where the list opens: below the button, or above it if there is more room. Never over it, or the second half of a
/// double click would choose something.
struct Place {
    float y, height;
};

Place list_place(const Ui& ui, const Box& box, float wanted) {
    const float gap = ui.px(4), edge = ui.px(8);
    const float below = ImGui::GetIO().DisplaySize.y - edge - (box.max.y + gap), above = box.min.y - gap - edge;
    const float height = std::max(std::min(wanted, std::max(below, above)), ui.px(row_height));
    if (height <= below || below >= above) return {box.max.y + gap, height};
    return {box.min.y - gap - height, height};
}

}  // namespace

int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const std::string_view> choices, int selected, std::span<const std::string_view> shown_choices) {
    const bool translate = shown_choices.empty();
    std::vector<ListedChoice> plain;
    for (std::size_t i = 0; i < choices.size(); ++i)
        plain.push_back({choices[i], translate ? tr(choices[i]) : shown_choices[i]});
    return dropdown(ui, label, box, translate ? tr(shown) : shown, std::span<const ListedChoice>(plain), selected);
}

int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const ListedChoice> choices, int selected) {
    ButtonStyle style;
    style.tone = Tone::quiet;
    const bool clicked = button(ui, label, box, {}, style).clicked;
    if (const float arrow = ui.px(9); !controls_hidden()) {
        draw::text_in(ui, box.between_x(box.min.x + ui.px(10), box.max.x - arrow - ui.px(16)), shown);
        draw::icon(ui, draw::Icon::chevron_down, {box.max.x - ui.px(10) - arrow / 2, std::round(box.middle_y())}, arrow,
                   ui.theme->text_muted);
    }
    ui.items->add(label, box, item_state(selected), shown);

    const std::string popup = "##list " + std::string(label);
    if (clicked) ImGui::OpenPopup(popup.c_str());
    if (!ImGui::IsPopupOpen(popup.c_str())) return -1;
    const float pad = ui.px(5);
    const float width = list_width(ui, choices, box.width() - 2 * pad);
    const float room = std::max(ImGui::GetIO().DisplaySize.y - box.max.y, box.min.y) - ui.px(8) - ui.px(4) - 2 * pad;
    const float row = fitting_row(ui, choices, room), wanted = list_height(ui, choices, row) + 2 * pad;
    const auto [y, height] = list_place(ui, box, wanted);
    const float bar = height < wanted ? ImGui::GetStyle().ScrollbarSize : 0;
    const float x =
        std::max(ui.px(8), std::min(box.min.x, ImGui::GetIO().DisplaySize.x - width - bar - 2 * pad - ui.px(8)));
    ImGui::SetNextWindowPos({x, y});
    ImGui::SetNextWindowSize({width + bar + 2 * pad, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    int chosen = -1;
    if (ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove)) {
        const std::size_t first = ui.items->all().size();
        chosen = choice_list(ui, label, choices, selected, width, row);
        ui.items->cover(first, window_box(), scrolling_window());
        follow_finger(*ui.items);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
    return chosen;
}

}  // namespace glassformer::app
