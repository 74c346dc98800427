#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/common/block_pattern.h"
#include "app/language/tr.h"
#include "app/panels/help/key_names.h"
#include "app/panels/panels.h"
#include "app/ui/child_window.h"
#include "app/ui/controls.h"
#include "app/ui/modal_card.h"

namespace glassformer::app {

namespace {

constexpr std::array<KeyHelp, 32> keys{{
    {{key_name::find}, N_("find anything: heads, words, views, commands, terms")},
    {{key_name::open_model}, N_("open a model or a run")},
    {{key_name::hand_on}, N_("save the model and everything on the screen, for students")},
    {{key_name::save_panel}, N_("save the panel under the pointer: PNG, SVG, PDF, CSV, NPZ; right click too")},
    {{key_name::layer}, N_("layer")},
    {{key_name::head}, N_("head")},
    {{key_name::word}, N_("next word; Shift+Tab: the previous one")},
    {{key_name::sentence_a, key_name::sentence_b}, N_("sentence A or B")},
    {{key_name::stage, key_name::stage_clicker}, N_("next or previous stage; Space stops a film")},
    {{key_name::train, key_name::one_step}, N_("train or pause · train one step")},
    {{key_name::new_run}, N_("set up a new run")},
    {{key_name::switch_head}, N_("switch the chosen head off, or on again")},
    {{key_name::paint}, N_("painting a row: key, weight, apply; Esc cancels")},
    {{key_name::restore}, N_("restore the model: undo every change")},
    {{key_name::predict}, N_("predict first: guess what a word attends to")},
    {{key_name::leave, key_name::back}, N_("back to the previous number")},
    {{key_name::undo, key_name::redo}, N_("undo a change of view or model, or redo it")},
    {{key_name::larger, key_name::smaller, key_name::normal_size}, N_("larger, smaller or normal text")},
    {{key_name::help}, N_("this help")},
    {{key_name::map, key_name::number, key_name::timeline}, N_("open or close: model map, number, timeline")},
    {{key_name::presenter, key_name::whole_screen}, N_("presenter: one panel fills the screen, for an audience")},
    {{"1 … 9", key_name::stage_clicker}, N_("presenter: choose the panel; the others are at the screen's edges")},
    {{"B", "F", "Home"},
     N_("presenter: black screen, or a frozen picture while you prepare the next; back to this step")},
    {{"Z", "S", "D"}, N_("presenter: magnifier, spotlight, pen; C clears the pen's strokes")},
    {{"K"}, N_("presenter: the lecturer's console with notes and clock, on the second screen")},
    {{"V"}, N_("presenter: the class votes by show of hands, on a question or on A to D")},
    {{"+", "−", "Home"}, N_("whole model: zoom in, zoom out, fit to the screen")},
    {{key_name::stage, ".", ","}, N_("whole model: play the computation; one step forward, one back")},
    {{key_name::focus, "← → ↑ ↓", key_name::press}, N_("whole model: next part, its numbers, explain one")},
    {{key_name::focus}, N_("next button; Shift+F6: the previous one")},
    {{key_name::press}, N_("press that button")},
    {{key_name::scroll}, N_("scroll what does not fit")},
}};

/// A paragraph about what is on screen, whatever is open; it appears only where it `holds` (null: everywhere).
struct About {
    const char* text;
    bool (*holds)(const Frame&);
};

constexpr std::array<About, 5> about{{
    {N_("You see what goes on inside a model while it reads. Every number is computed live."), nullptr},
    {N_("Choose a word, or a point if the model reads numbers. The view Attention shows its query, the keys it is "
        "compared with, and what it reads."),
     [](const Frame& frame) { return has_attention(frame); }},
    {N_("Click any number to see what it was computed from. Click an operand to go deeper."), nullptr},
    {N_("The model map is the model itself, from the input at the top to the prediction at the bottom. In a wide "
        "window, F2 shows or hides it."),
     nullptr},
    {N_("Press Train and watch it learn. Drag the training timeline to go back to any step that was kept; in a wide "
        "window, F4 shows or hides it."),
     [](const Frame& frame) { return frame.snapshot.model->trainable(); }},
}};

constexpr float widest_help = 1120, least_two_columns = 640, help_row_height = 28, cap_height = 22, title_space = 44;

std::string cap_text(const KeyHelp& row) {
    std::string text;
    for (const std::string_view key : row.keys)
        if (!key.empty()) text += (text.empty() ? "" : "  ") + std::string(key);
    return text;
}

float cap_column(const Ui& ui) {
    float width = 0;
    for (const KeyHelp& k : keys) width = std::max(width, draw::text_size(ui, cap_text(k), FontRole::small_bold).x);
    return std::ceil(width) + ui.px(16);
}

/// Draws the table of keys; returns its height.
float draw_keys(const Ui& ui, ImVec2 at, float width) {
    const Theme& t = *ui.theme;
    const float caps = cap_column(ui), text_x = at.x + caps + ui.px(12),
                text_width = std::max(ui.px(60), at.x + width - text_x);
    float y = at.y;
    for (const KeyHelp& k : keys) {
        const std::string name = cap_text(k);
        const float cap = draw::text_size(ui, name, FontRole::small_bold).x + ui.px(14);
        draw::rounded_box(ui, {{at.x, y}, {at.x + cap, y + ui.px(cap_height)}}, t.control, t.control_border, 5);
        draw::text_in(ui, {{at.x, y}, {at.x + cap, y + ui.px(cap_height)}}, name,
                      {FontRole::small_bold, t.text, draw::Align::centre});
        const float offset = std::round((ui.px(cap_height) - ui.line(FontRole::small)) / 2);
        const float height =
            draw::text_wrapped(ui, {text_x, y + offset}, text_width, tr(k.does), {FontRole::small, t.text});
        if (&k == &keys.back()) ui.items->add("help/last key", {{at.x, y}, {at.x + width, y + height}});
        y += std::max(ui.px(help_row_height), height + ui.px(8));
    }
    return y - at.y;
}

/// Draws the list of languages if there is more than English; returns its height.
float draw_languages(const Frame& frame, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const std::vector<Language>& languages = frame.state.window.languages;
    if (languages.size() < 2) return 0;
    const float height = ui.px(30), label = draw::text_size(ui, tr("Language"), FontRole::body).x + ui.px(12);
    draw::text_in(ui, {at, {at.x + label, at.y + height}}, tr("Language"), {FontRole::body});
    std::vector<std::string_view> codes, names;
    std::string_view now;
    for (const Language& one : languages) {
        codes.push_back(one.code), names.push_back(one.name);
        if (one.code == language()) now = one.name;
    }
    const Box list{{at.x + label, at.y}, {at.x + std::min(width, label + ui.px(180)), at.y + height}};
    const int chosen = dropdown(ui, "language", list, now, codes, -1, names);
    if (chosen >= 0) frame.state.window.choose(languages[chosen]);
    return height;
}

/// Draws some paragraphs about what is on screen, and the languages; returns their height.
float draw_about(const Frame& frame, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    float y = at.y;
    draw::text(ui, {at.x, y}, tr("What am I looking at?"), {FontRole::body_bold});
    y += ui.line(FontRole::body_bold) + ui.px(10);
    for (const About& one : about)
        if (!one.holds || one.holds(frame))
            y += draw::text_wrapped(ui, {at.x, y}, width, tr(one.text), {FontRole::body, t.text_muted}) + ui.px(8);
    y += draw_languages(frame, {at.x, y + ui.px(10)}, width) + ui.px(10);
    return y - at.y;
}

/// Draws everything below the title; returns its height, so that a low window can scroll.
float draw_help_body(const Frame& frame, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const float space = ui.px(28);
    if (width < ui.px(least_two_columns)) {
        const float first = draw_about(frame, at, width) + ui.px(14);
        return first + draw_keys(ui, {at.x, at.y + first}, width);
    }
    const float left = std::floor((width - space) * 0.38f);  // so that the keys' texts take one line each
    return std::max(draw_about(frame, at, left), draw_keys(ui, {at.x + left + space, at.y}, width - space - left));
}

/// Returns the height of what is below the title.
float draw_help_card(const Frame& frame, const Box& card) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(22), close = ui.px(28);
    draw::card(ui, card);
    ui.items->add("help/card", card);
    draw::text_in(ui,
                  {{card.min.x + pad, card.min.y + ui.px(8)},
                   {card.max.x - pad - close, card.min.y + ui.px(8) + ui.px(title_space)}},
                  tr("Glassformer in a minute"), {FontRole::title_bold});
    const ImVec2 corner = {card.max.x - ui.px(12) - close, card.min.y + ui.px(14)};
    if (close_button(ui, "help/close", Box::sized(corner, close, close), tr("Close (Esc)")))
        frame.state.window.help = false;
    const ImVec2 from = {card.min.x + pad, card.min.y + ui.px(8) + ui.px(title_space)};
    ChildWindow window(ui, "##help body", {from, {card.max.x - ui.px(8), card.max.y - ui.px(12)}},
                       ChildWindow::Kind::scrolls);
    const ImVec2 at = window.start();
    const float height = draw_help_body(frame, at, card.max.x - pad - from.x);
    window.reaches({at.x + 1, at.y + height});
    return height;
}

}  // namespace

std::span<const KeyHelp> key_help() { return keys; }

void draw_help(const Frame& frame, const Box& box) {
    if (!frame.state.window.help) return;
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(widest_help), box.width() - ui.px(32));
    const bool columns = width - 2 * ui.px(22) >= ui.px(least_two_columns);
    // As high as its content, which the previous frame measured.
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("help body");
    const float wanted = kept.GetFloat(key, ui.px(columns ? 640 : 900)) + ui.px(22 + title_space);
    const float height = std::min(wanted, box.height() - ui.px(32));
    const Box card =
        Box::sized({std::round((box.min.x + box.max.x - width) / 2), std::round((box.min.y + box.max.y - height) / 2)},
                   width, height);
    const ModalCard over(ui, "help", box, card);
    if (over.clicked_beside()) frame.state.window.help = false;
    kept.SetFloat(key, draw_help_card(frame, card));
}

}  // namespace glassformer::app
