#include <algorithm>
#include <array>
#include <cmath>

#include "app/views/views.h"

namespace glassformer::app {

namespace {

struct KeyHelp {
    const char* keys;
    const char* does;
};
constexpr std::array<KeyHelp, 21> keys = {{{"Ctrl K", "find anything: heads, words, views, commands, terms"},
                                           {"↑ ↓", "layer"},
                                           {"← →", "head"},
                                           {"Tab", "next word; Shift+Tab the one before"},
                                           {"A  B", "sentence A or B"},
                                           {"Space  PgDn  PgUp", "next stage, or the one before; Space stops a film"},
                                           {"T", "train or pause"},
                                           {"S", "train one step"},
                                           {"Ctrl N", "set up a new run"},
                                           {"X", "what if the chosen head were not there? again: on"},
                                           {"← → ↑ ↓  Enter", "painting a row: key, weight, apply; Esc cancels"},
                                           {"R", "restore: take every change of the model back"},
                                           {"P", "predict first: guess where a word looks"},
                                           {"Esc  Backspace", "back to the number before"},
                                           {"Ctrl Z  Ctrl Y", "undo a change of view or model, or redo it"},
                                           {"Ctrl +  Ctrl −", "larger or smaller text"},
                                           {"F1", "this help"},
                                           {"F5", "presenter: larger, for an audience"},
                                           {"F6", "to the next button; Shift+F6 back"},
                                           {"Enter", "press that button"},
                                           {"wheel", "scroll what does not fit"}}};

constexpr std::array<const char*, 5> about = {
    "A transformer reads two sentences. Every number you see is computed by it, now.",
    "Choose a word: the worksheet shows what it looks for, what the others offer, and what it takes.",
    "Click any number to see the sum it came from. Click a part of the sum to go deeper.",
    "The map on the left is the model itself, from words at the top to words at the bottom.",
    "Press Train and watch it learn. Drag the timeline to go back to any step that was kept.",
};

constexpr float widest = 860, least_two_columns = 640, row_height = 28, cap_height = 22, title_space = 44;

float cap_column(const Ui& ui) {
    float width = 0;
    for (const KeyHelp& k : keys) width = std::max(width, draw::text_size(ui, k.keys, FontRole::small_bold).x);
    return std::ceil(width) + ui.px(16);
}

/// The table of keys; returns its height.
float draw_keys(const Ui& ui, ImVec2 at, float width) {
    const Theme& t = *ui.theme;
    const float caps = cap_column(ui), text_x = at.x + caps + ui.px(12),
                text_width = std::max(ui.px(60), at.x + width - text_x);
    float y = at.y;
    for (const KeyHelp& k : keys) {
        const float cap = draw::text_size(ui, k.keys, FontRole::small_bold).x + ui.px(14);
        draw::rounded_box(ui, {at.x, y}, {at.x + cap, y + ui.px(cap_height)}, t.control, t.control_border, 5);
        draw::text_in(ui, {at.x, y}, {at.x + cap, y + ui.px(cap_height)}, k.keys,
                      {FontRole::small_bold, t.text, draw::Align::centre});
        const float offset = std::round((ui.px(cap_height) - ui.line(FontRole::small)) / 2);
        const float height =
            draw::text_wrapped(ui, {text_x, y + offset}, text_width, k.does, {FontRole::small, t.text});
        y += std::max(ui.px(row_height), height + ui.px(8));
    }
    return y - at.y;
}

/// Five sentences on what is on screen; returns their height.
float draw_about(const Ui& ui, ImVec2 at, float width) {
    const Theme& t = *ui.theme;
    float y = at.y;
    draw::text(ui, {at.x, y}, "What am I looking at?", {FontRole::body_bold});
    y += ui.line(FontRole::body_bold) + ui.px(10);
    for (const char* line : about)
        y += draw::text_wrapped(ui, {at.x, y}, width, line, {FontRole::body, t.text_muted}) + ui.px(8);
    return y - at.y;
}

/// Everything below the title; returns the height, so that a low window can scroll.
float draw_body(const Ui& ui, ImVec2 at, float width) {
    const float space = ui.px(28);
    if (width < ui.px(least_two_columns)) {
        const float first = draw_about(ui, at, width) + ui.px(14);
        return first + draw_keys(ui, {at.x, at.y + first}, width);
    }
    const float half = (width - space) / 2;
    return std::max(draw_about(ui, at, half), draw_keys(ui, {at.x + half + space, at.y}, half));
}

void draw_card(const Frame& frame, const Box& card) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(22), close = ui.px(28);
    draw::card(ui, card.min, card.max);
    ui.items->add("help/card", card.min, card.max);
    draw::text_in(ui, {card.min.x + pad, card.min.y + ui.px(8)},
                  {card.max.x - pad - close, card.min.y + ui.px(8) + ui.px(title_space)}, "Glassformer in a minute",
                  {FontRole::title_bold});
    ButtonStyle style;
    style.tone = Tone::bare;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = "Close (Esc)";
    const ImVec2 corner = {card.max.x - ui.px(12) - close, card.min.y + ui.px(14)};
    if (button(ui, "help/close", corner, {corner.x + close, corner.y + close}, "", style)) frame.state.help = false;
    const ImVec2 from = {card.min.x + pad, card.min.y + ui.px(8) + ui.px(title_space)};
    const ImVec2 room = {card.max.x - ui.px(8) - from.x, card.max.y - ui.px(12) - from.y};
    ImGui::SetCursorScreenPos(from);
    ImGui::BeginChild("##help body", room);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = draw_body(ui, at, card.max.x - pad - from.x);
    ImGui::SetCursorScreenPos({at.x, at.y + height - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

}  // namespace

void draw_help(const Frame& frame, const Box& box) {
    if (!frame.state.help) return;
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(widest), box.width() - ui.px(32));
    const bool columns = width - 2 * ui.px(22) >= ui.px(least_two_columns);
    const float wanted = ui.px(columns ? 512 : 808), height = std::min(wanted, box.height() - ui.px(32));
    const ImVec2 min = {std::round((box.min.x + box.max.x - width) / 2),
                        std::round((box.min.y + box.max.y - height) / 2)};
    // Windows of their own: the panels below are covered, and get no clicks. A click beside the card closes it.
    const ImGuiWindowFlags fixed = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::SetCursorScreenPos(box.min);
    ImGui::BeginChild("##help", {box.width(), box.height()}, false, fixed);
    ui.list()->AddRectFilled(box.min, box.max, ImGui::GetColorU32(ImGuiCol_ModalWindowDimBg));
    if (click_area(ui, "help/outside", box.min, box.max)) frame.state.help = false;
    ImGui::SetCursorScreenPos(min);
    ImGui::BeginChild("##help card", {width, height}, false, fixed);
    draw_card(frame, {min, {min.x + width, min.y + height}});
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
