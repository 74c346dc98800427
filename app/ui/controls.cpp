#include "app/ui/controls.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float side_padding = 10, icon_size = 11, icon_gap = 6;  // pixels at 100 %

struct Look {
    ImU32 fill, border, text;
};

Look tone_look(const Theme& t, Tone tone) {
    switch (tone) {
        case Tone::plain:
            return {t.card, t.control_border, t.text};
        case Tone::quiet:
            return {t.control, t.control_border, t.text};
        case Tone::attention:
            return {t.attention_tint, 0, t.attention_text};
        case Tone::primary:
            return {t.accent, 0, IM_COL32_WHITE};
        case Tone::good:
            return {t.good_tint, 0, t.good_text};
        case Tone::danger:
            return {t.danger_tint, 0, t.danger_text};
        case Tone::bare:
            return {0, 0, t.text};
    }
    return {t.card, t.control_border, t.text};
}

Look look_of(const Theme& t, const ButtonStyle& style, const Response& state) {
    Look look = tone_look(t, style.tone);
    const bool purple = style.selected || style.tone == Tone::primary;
    if (style.fill) look = {style.fill, 0, Theme::text_on(style.fill)};
    if (style.selected) look = {t.accent, 0, IM_COL32_WHITE};
    if (style.gold) {
        const ImU32 fill = style.fill ? style.fill : t.selection_tint;
        look = {fill, t.selection, style.fill ? Theme::text_on(fill) : t.text};
    }
    if (!style.enabled) return {t.control, 0, t.text_faint};
    if (state.hovered || state.held) {
        if (purple) {
            look.fill = t.accent_hover;
        } else if (style.fill || style.gold) {
            look.border = style.gold ? t.selection : t.text_faint;
        } else {
            look.fill = look.fill ? mix(look.fill, t.text, 0.05f) : t.hover;
        }
        if (state.held && look.fill) look.fill = mix(look.fill, t.text, 0.08f);
    }
    return look;
}

FontRole bold_of(FontRole role) { return static_cast<FontRole>(static_cast<int>(role) | 1); }

bool drawn_bold(const ButtonStyle& style) { return style.enabled && (style.selected || style.gold); }

/// Width of text and icon together; reserves the bold width, so that nothing moves when the selection changes.
float content_width(const Ui& ui, std::string_view text, const ButtonStyle& style) {
    float width = std::max(draw::text_size(ui, text, style.font).x, draw::text_size(ui, text, bold_of(style.font)).x);
    if (style.icon) width += ui.px(icon_size) + (text.empty() ? 0 : ui.px(icon_gap));
    return width;
}

void focus_ring(const Ui& ui, const Box& box, float radius) {
    const float out = ui.px(3);
    draw::rounded_box(ui, box.inset(-out), 0, ui.theme->focus, radius + 3, 2);
}

void button_content(const Ui& ui, const Box& box, std::string_view text, const ButtonStyle& style, ImU32 colour) {
    const FontRole font = drawn_bold(style) ? bold_of(style.font) : style.font;
    const draw::TextStyle text_style{font, colour, style.align};
    if (!style.icon) {
        const float pad = style.align == draw::Align::centre ? ui.px(2) : ui.px(side_padding);
        draw::text_in(ui, box.inset(pad, 0), text, text_style);
        return;
    }
    const float size = ui.px(icon_size), gap = text.empty() ? 0 : ui.px(icon_gap);
    const float room = std::max(0.0f, box.width() - 2 * ui.px(4) - size - gap);
    const float text_width = std::min(draw::text_size(ui, text, font).x, room);
    const float width = size + gap + text_width;
    const float x =
        style.align == draw::Align::centre ? (box.min.x + box.max.x - width) / 2 : box.min.x + ui.px(side_padding);
    draw::icon(ui, *style.icon, {std::round(x + size / 2), std::round(box.middle_y())}, size, colour);
    const float text_x = x + size + gap;
    draw::text_in(ui, box.between_x(text_x, text_x + room), text, {font, colour, draw::Align::left});
}

int hidden_by = 0;

ImGuiID id_of(std::string_view label) { return ImGui::GetID(label.data(), label.data() + label.size()); }

}  // namespace

ControlsHidden::ControlsHidden() { ++hidden_by; }
ControlsHidden::~ControlsHidden() { --hidden_by; }
bool controls_hidden() { return hidden_by > 0; }

Response click_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value, std::string_view text,
                    bool enabled) {
    ui.items->add(label, box, value, text);
    Response response;
    if (!enabled || label.empty()) return response;
    ui.items->make_clickable();
    const ImGuiID id = id_of(label);
    ImGui::PushID(label.data(), label.data() + label.size());
    ImGui::SetCursorScreenPos(box.min);
    response.clicked = ImGui::InvisibleButton("##area", {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    if (ImGui::IsItemActivated()) ui.focus->pressed(id);
    const bool own = ui.focus->owns_press(id);
    response.clicked = response.clicked && own;
    response.hovered = ImGui::IsItemHovered();
    response.held = ImGui::IsItemActive() && own;
    response.double_clicked = response.hovered && own && ImGui::IsMouseDoubleClicked(0);
    response.right_clicked = response.hovered && ImGui::IsMouseClicked(1);
    ImGui::PopID();
    if (ui.focus->activated(id)) response.clicked = true;
    return response;
}

Response drag_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value,
                   std::string_view text) {
    const Response response = click_area(ui, label, box, value, text);
    ui.items->make_draggable();
    return response;
}

Response link_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value, std::string_view text,
                   bool enabled) {
    const Response response = click_area(ui, label, box, value, text, enabled);
    if (response.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return response;
}

Response button(const Ui& ui, std::string_view label, const Box& box, std::string_view text, const ButtonStyle& style) {
    const double value = style.selected || style.gold ? 1 : 0;
    const Response response = click_area(ui, label, box, item_state(value), text, style.enabled);
    if (controls_hidden() && !style.content) return response;
    const Look look = look_of(*ui.theme, style, response);
    const float thickness = style.gold ? 2 : 1;
    draw::rounded_box(ui, box, look.fill, look.border, style.radius, thickness);
    button_content(ui, box, text, style, look.text);
    if (style.enabled && ui.focus->offer(label)) focus_ring(ui, box, style.radius);
    if (response.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (response.hovered && !style.tooltip.empty()) draw::tip(ui, box, style.tooltip);
    return response;
}

Response close_button(const Ui& ui, std::string_view label, const Box& box, std::string_view tooltip) {
    return button(ui, label, box, "", {.tone = Tone::bare, .tooltip = tooltip, .icon = draw::Icon::close});
}

float chip_width(const Ui& ui, std::string_view text, const ButtonStyle& style) {
    return std::ceil(content_width(ui, text, style)) + 2 * ui.px(side_padding);
}

Response chip(const Ui& ui, std::string_view label, ImVec2& at, float height, std::string_view text,
              const ButtonStyle& style, float gap) {
    const float width = chip_width(ui, text, style);
    const Response response = button(ui, label, {at, {at.x + width, at.y + height}}, text, style);
    at.x += width + ui.px(gap);
    return response;
}

bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view> choices,
               int& selected, std::span<const std::string_view> shown) {
    const bool hidden = controls_hidden();
    if (!hidden) draw::rounded_box(ui, box, ui.theme->control, ui.theme->control_border, 7);
    ui.items->add(label, box, item_state(selected));
    const float inset = ui.px(2);
    const float room = box.width() - 2 * inset, count = static_cast<float>(std::max<size_t>(choices.size(), 1));
    const auto text_of = [&](std::size_t i) { return shown.empty() ? tr(choices[i]) : shown[i]; };
    const auto needs = [&](std::size_t i) { return draw::text_size(ui, text_of(i), FontRole::small_bold).x; };
    if (hidden && selected >= 0 && selected < static_cast<int>(choices.size()))
        draw::text_in(ui, box, text_of(selected), {FontRole::small_bold});
    float all = 0, widest = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) all += needs(i), widest = std::max(widest, needs(i));
    const bool equal = widest + ui.px(8) <= room / count;  // else as wide as its text, with the rest shared
    bool changed = false;
    float step = 0, x = box.min.x + inset;
    for (int i = 0; i < static_cast<int>(choices.size()); ++i, x += step) {
        step = equal ? room / count : needs(i) + (room - all) / count;
        ButtonStyle style;
        style.tone = Tone::bare;
        style.selected = i == selected;
        style.radius = 5;
        style.font = FontRole::small;
        if (button(ui, ui.items->join({label, "/", choices[i]}),
                   {{x, box.min.y + inset}, {x + step, box.max.y - inset}}, text_of(i), style) &&
            i != selected) {
            selected = i;
            changed = true;
        }
    }
    return changed;
}

bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view, 2> choices,
               bool& second) {
    int selected = second;
    const bool changed = segmented(ui, label, box, std::span<const std::string_view>(choices), selected);
    second = selected == 1;
    return changed;
}

bool checkbox(const Ui& ui, std::string_view label, ImVec2 at, std::string_view text, bool& on) {
    const Theme& t = *ui.theme;
    const float size = ui.px(16), line = ui.line(FontRole::body);
    const float width = size + ui.px(8) + draw::text_size(ui, text).x;
    const Response response =
        click_area(ui, label, {at, {at.x + width, at.y + std::max(size, line)}}, item_state(on ? 1 : 0), text);
    if (response.clicked) on = !on;
    if (controls_hidden()) return response.clicked;
    const ImVec2 box_min = {at.x, at.y + std::round((line - size) / 2)}, box_max = {at.x + size, box_min.y + size};
    draw::rounded_box(ui, {box_min, box_max},
                      on                 ? t.accent
                      : response.hovered ? t.hover
                                         : t.card,
                      on ? t.accent : t.text_faint, 4);
    if (on) {
        draw::icon(ui, draw::Icon::check, {(box_min.x + box_max.x) / 2, (box_min.y + box_max.y) / 2}, size * 0.72f,
                   IM_COL32_WHITE);
    }
    draw::text(ui, {box_max.x + ui.px(8), at.y}, text);
    if (ui.focus->offer(label)) focus_ring(ui, {box_min, box_max}, 4);
    return response.clicked;
}

bool slider(const Ui& ui, std::string_view label, const Box& box, float& value, float low, float high,
            std::string_view shown) {
    const Theme& t = *ui.theme;
    const float before = value, knob = ui.px(7);
    const float text_width = shown.empty() ? 0 : draw::text_size(ui, "−0.0000", FontRole::small).x;
    const float x0 = box.min.x + knob, x1 = std::max(x0 + 1, box.max.x - knob - text_width);
    const Response response = drag_area(ui, label, box.left_of(x1 + knob), item_state(value), shown);
    if (response.held) {
        value = low + (high - low) * std::clamp((ImGui::GetIO().MousePos.x - x0) / (x1 - x0), 0.0f, 1.0f);
    }
    const bool focused = ui.focus->offer(label);
    if (focused && key_pressed(Key::left, true)) value -= (high - low) / 50;
    if (focused && key_pressed(Key::right, true)) value += (high - low) / 50;
    value = std::clamp(value, std::min(low, high), std::max(low, high));

    if (controls_hidden()) {
        draw::text_in(ui, box.right_of(x1 + knob + ui.px(4)), shown,
                      {FontRole::small, t.text_muted, draw::Align::right});
        return value != before;
    }
    const float y = std::round(box.middle_y()), half = ui.px(2);
    const float at = x0 + (x1 - x0) * (high == low ? 0 : (value - low) / (high - low));
    ui.list()->AddRectFilled({x0, y - half}, {x1, y + half}, t.control_border, half);
    ui.list()->AddRectFilled({x0, y - half}, {at, y + half}, t.accent, half);
    ui.list()->AddCircleFilled({at, y}, knob, response.hovered || response.held ? t.accent_hover : t.accent);
    ui.list()->AddCircleFilled({at, y}, knob - ui.px(2), t.card);
    if (focused) focus_ring(ui, {{at - knob, y - knob}, {at + knob, y + knob}}, 7);
    draw::text_in(ui, box.right_of(x1 + knob + ui.px(4)), shown, {FontRole::small, t.text_muted, draw::Align::right});
    return value != before;
}

}  // namespace glassformer::app
