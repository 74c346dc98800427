#include "app/palette/palette.h"

#include <algorithm>
#include <cmath>

#include "app/common/glossary.h"
#include "app/common/links.h"
#include "app/language/tr.h"
#include "app/palette/entries.h"
#include "app/palette/open_places.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/input.h"
#include "app/ui/modal_card.h"
#include "core/base/trimmed.h"
#include "core/io/glass_file.h"

namespace glassformer::app {

namespace {

using Page = PaletteState::Page;
using Entries = std::vector<PaletteEntry>;

constexpr float widest = 660, field_height = 38, row_height = 32, padding = 10;  // pixels at 100 %
constexpr int most_rows = 10;

/// Returns the entry for Enter with the typed text; empty if there is too little text.
Entries on_enter(bool enough, const std::string& title, std::function<void(const Frame&)> run) {
    if (!enough) return {};
    return {{.title = title, .kind = "", .keywords = "", .key = "Enter", .run = std::move(run)}};
}

Entries save_entries(const Frame&, const std::string& typed) {
    const std::string folder = save_folder(typed);
    return on_enter(!folder.empty(), filled(tr("Save in {1}"), {folder}),
                    [folder](const Frame& f) { save_model(f, folder); });
}

Entries keep_entries(const Frame&, const std::string& typed) {
    const std::string folder = save_folder(typed);
    return on_enter(!folder.empty(), filled(tr("Save in {1}"), {folder}),
                    [folder](const Frame& f) { keep_runs(f, folder); });
}

Entries open_entries(const Frame&, const std::string& typed) {
    const std::string folder = save_folder(typed);
    return on_enter(!folder.empty(), filled(tr("Open the run in {1}"), {folder}),
                    [folder](const Frame& f) { open_kept_run(f, folder); });
}

Entries metrics_entries(const Frame&, const std::string& typed) {
    const std::string file = file_named(typed, ".csv");
    return on_enter(!file.empty(), filled(tr("Save as {1}"), {file}),
                    [file](const Frame& f) { save_metrics(f, file); });
}

Entries hand_on_entries(const Frame& frame, const std::string& typed) {
    const std::string file = file_named(typed, glass_ending);
    std::vector<PaletteEntry> entries = on_enter(!file.empty(), filled(tr("Save in {1}"), {file}),
                                                 [file](const Frame& f) { f.state.window.handing_on.file = file; });
    if (frame.state.window.folder_dialog.there)
        entries.push_back({tr("Choose where in a dialog…"), "", "", "", [file](const Frame& f) {
                               f.state.window.folder_dialog.asked = FolderDialog::Ask::hand_on;
                               f.state.window.folder_dialog.file = file;
                           }});
    return entries;
}

/// Asks only for a student's name. The file is named after the student and the lesson, so that the next lesson's file
/// does not replace it.
Entries homework_entries(const Frame& frame, const std::string& typed) {
    const LessonMenu& lessons = frame.state.window.lessons;
    const std::string lesson = lessons.open < 0 ? std::string() : lessons.titles[lessons.open];
    const std::string name(trimmed(typed)), file = save_folder(as_file_name(name + " " + lesson) + glass_ending);
    return on_enter(!name.empty(), filled(tr("Hand in as {1}: {2}"), {name, file}), [file, name](const Frame& f) {
        f.state.window.handing_on = {file, name};
    });
}

Entries new_lesson_entries(const Frame&, const std::string& typed) {
    const std::string title(trimmed(typed));
    return on_enter(!title.empty(), filled(tr("Start \"{1}\" from this screen"), {title}),
                    [title](const Frame& f) { f.state.window.authoring.begin = title; });
}

template <bool forward>
Entries film_entries(const Frame&, const std::string& typed) {
    const std::string folder = save_folder(typed);
    const bool one_file = folder.ends_with(".mp4") || folder.ends_with(".gif");
    return on_enter(!folder.empty(),
                    filled(one_file ? tr("Save the film as {1}") : tr("Save the pictures in {1}"), {folder}),
                    [folder](const Frame& f) {
                        f.state.window.notice = {};
                        f.state.own<TimelineState>().recording.folder = folder;
                        f.state.own<TimelineState>().recording.forward = forward;
                    });
}

Entries reset_entries(const Frame& frame, const std::string&) {
    const RunInfo* run = frame.snapshot.current_run();
    const std::string again =
        run && run->kept()
            ? filled(tr("Reset: start over from step 0 with new random weights; the training so far stays in {1}"),
                     {run->folder})
            : tr("Reset: start over from step 0 with new random weights; the model and its curve will be lost");
    return {{tr("Cancel: keep the trained model"), "", "", "", [](const Frame&) {}},
            {again, "", "", "", [](const Frame& f) { f.send(command::Reset{}); }}};
}

/// A page: the entries for the typed text, the hint in the empty field, and the text that replaces an empty list.
struct PalettePage {
    Page page;
    Entries (*entries)(const Frame& frame, const std::string& typed);
    const char *hint, *empty = N_("Nothing found.");
};

constexpr const char *folder_hint = N_("Name of a new folder, or a path"), *file_hint = N_("Name of a file, or a path"),
                     *film_hint = N_("Name of a new folder for pictures, or of a film: x.mp4, x.gif");

constexpr PalettePage pages[] = {
    {Page::everything,
     [](const Frame& frame, const std::string& typed) {
         if (!has_link(typed)) return found_entries(all_entries(frame, typed), typed);
         return Entries{
             {tr("Open the link"), "", "", "Enter", [typed](const Frame& f) { f.own<Links>().open = typed; }}};
     },
     N_("Search: head 3, bat, softmax, dark, train …")},
    {Page::save, save_entries, folder_hint, N_("Type the name of a folder to save the model in.")},
    {Page::reset, reset_entries, N_("Start over?")},
    {Page::keep, keep_entries, folder_hint, N_("Type the name of a folder to save the run in.")},
    {Page::open_run, open_entries, N_("Folder of a saved run"), N_("Type the folder of a run.")},
    {Page::metrics, metrics_entries, file_hint, N_("Type the name of a file for the table.")},
    {Page::film, film_entries<false>, film_hint, N_("Type the name of a new folder for the pictures of the film.")},
    {Page::forward_film, film_entries<true>, film_hint},
    {Page::open_model, open_place_entries, N_("Folder of a model or a run: type a path, or choose below"),
     N_("There is no such model or folder.")},
    {Page::hand_on, hand_on_entries, file_hint,
     N_("Type the name of a file, for the model and everything on the screen.")},
    {Page::homework, homework_entries, N_("Your name"),
     N_("Type your name, which is saved in the file that you hand in.")},
    {Page::open_lesson, open_lesson_entries, N_("A *.lesson file: type its path, or choose below"),
     N_("There is no such lesson or folder. You can also drop a file here.")},
    {Page::new_lesson, new_lesson_entries, N_("Title of the lesson"),
     N_("Type a title. What is on the screen becomes the first step.")}};

const PalettePage& page_of(Page page) { return *std::ranges::find(pages, page, &PalettePage::page); }

Entries entries_of(const Frame& frame) {
    const PaletteState& p = frame.state.window.palette;
    return page_of(p.page).entries(frame, p.query);
}

/// Moves up and down in the list.
void move_row(PaletteState& p, int count) {
    if (key_pressed(Key::down, true)) ++p.row;
    if (key_pressed(Key::up, true)) --p.row;
    if (key_pressed(Key::page_down, true)) p.row += most_rows - 1;
    if (key_pressed(Key::page_up, true)) p.row -= most_rows - 1;
    p.row = std::clamp(p.row, 0, std::max(0, count - 1));
}

void scroll(PaletteState& p, int count, int shown, bool by_keys, bool hovered) {
    if (by_keys) p.first = std::clamp(p.first, p.row - shown + 1, p.row);
    if (hovered) p.first -= static_cast<int>(std::lround(3 * ImGui::GetIO().MouseWheel));
    p.first = std::clamp(p.first, 0, std::max(0, count - shown));
}

/// Draws a key in its own column, so that what is before it is aligned.
void key_cap(const Ui& ui, float left, const Box& row, std::string_view key) {
    if (key.empty()) return;
    const float width = draw::text_size(ui, key, FontRole::small_bold).x + ui.px(12), cap = ui.px(20);
    const ImVec2 min{left, std::round((row.min.y + row.max.y - cap) / 2)}, max{left + width, min.y + cap};
    draw::rounded_box(ui, {min, max}, ui.theme->control, ui.theme->control_border, 5);
    draw::text_in(ui, {min, max}, key, {FontRole::small_bold, ui.theme->text_muted, draw::Align::centre});
}

/// Draws one line of the list; returns true if it was clicked.
bool draw_row(const Ui& ui, const PaletteEntry& entry, const Box& box, bool chosen, bool& hovered) {
    const Theme& t = *ui.theme;
    const std::string_view label = ui.items->format("palette/%s", entry.title.c_str());
    const Response r = click_area(ui, label, box, item_state(chosen ? 1 : 0), entry.kind);
    hovered = r.hovered;
    if (chosen) {
        draw::rounded_box(ui, box, t.attention_tint, 0, 6);
        ui.items->add("palette/chosen", box, std::nullopt, entry.title);
    }
    const float pad = ui.px(padding);
    const float keys = draw::text_size(ui, "Backspace", FontRole::small_bold).x + ui.px(12);
    const float right = box.max.x - pad - keys - ui.px(8);
    key_cap(ui, box.max.x - pad - keys, box, entry.key);
    const std::string kind_text = tr(entry.kind), title = entry.text();
    const float kind = std::min(draw::text_size(ui, kind_text, FontRole::small).x, box.width() * 0.3f);
    draw::text_in(ui, box.between_x(right - kind, right + 1), kind_text,
                  {FontRole::small, t.text_muted, draw::Align::right});
    const Box at = box.between_x(box.min.x + pad, right - kind - (kind > 0 ? pad : 0));
    const bool cut = draw::text_in(ui, at, title,
                                   {chosen ? FontRole::body_bold : FontRole::body, chosen ? t.attention_text : t.text});
    if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (r.hovered && cut) draw::tip(ui, box, title);
    return r.clicked;
}

/// Draws a thin bar on the right that shows how much more there is.
void draw_scroll_mark(const Ui& ui, const Box& list, const PaletteState& p, int count, int shown) {
    if (count <= shown) return;
    const float whole = list.height(), n = static_cast<float>(count);
    const float y = list.min.y + whole * static_cast<float>(p.first) / n;
    const float length = std::max(ui.px(14), whole * static_cast<float>(shown) / n);
    const float x = list.max.x + ui.px(3);
    ui.list()->AddRectFilled({x, y}, {x + ui.px(4), std::min(y + length, list.max.y)}, ui.theme->control_border,
                             ui.px(2));
}

/// Draws the rows from `first` on; returns the index of the clicked one, or −1.
int draw_rows(const Frame& frame, const std::vector<PaletteEntry>& entries, const Box& list, int shown) {
    const Ui& ui = frame.ui;
    PaletteState& p = frame.state.window.palette;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool mouse_moves = moved.x != 0 || moved.y != 0;
    int clicked = -1, under = -1;
    for (int i = p.first; i < std::min(p.first + shown, static_cast<int>(entries.size())); ++i) {
        const float y = list.min.y + ui.px(row_height) * static_cast<float>(i - p.first);
        bool hovered = false;
        const Box row = list.between_y(y, y + ui.px(row_height));
        ImGui::PushID(i);  // two words may have the same name
        if (draw_row(ui, entries[i], row, i == p.row, hovered)) clicked = i;
        ImGui::PopID();
        if (hovered && mouse_moves) under = i;
    }
    if (under >= 0) p.row = under;
    draw_scroll_mark(ui, list, p, static_cast<int>(entries.size()), shown);
    return clicked;
}

/// Draws the field; returns true if Enter was pressed in it.
bool draw_field(const Frame& frame, const Box& box) {
    PaletteState& p = frame.state.window.palette;
    if (p.take_focus) frame.ui.focus->enter_field();
    p.take_focus = false;
    bool entered = false;
    ImGui::PushID(static_cast<int>(p.page));  // each page starts with a fresh field
    // After a folder's path, further letters extend it.
    if (text_field(frame.ui, "palette", box, p.query, tr(page_of(p.page).hint), &entered,
                   p.query.ends_with('/') ? SelectAll::never : SelectAll::always))
        p.row = p.first = 0;
    ImGui::PopID();
    return entered;
}

/// Closes the palette first, because the entry may open something, or another page.
void choose(const Frame& frame, const PaletteEntry& entry) {
    frame.state.window.palette = {};
    entry.run(frame);
}

void draw_card(const Frame& frame, ImVec2 min, float width, float most_height) {
    const Ui& ui = frame.ui;
    PaletteState& p = frame.state.window.palette;
    const float pad = ui.px(padding), field = ui.px(field_height), row = ui.px(row_height);
    const Page page = p.page;
    const float left = min.x + pad, right = min.x + width - pad, list_y = min.y + pad + field + ui.px(6);
    const int fits = std::max(1, static_cast<int>((most_height - (list_y - min.y) - pad) / row));
    Entries entries = entries_of(frame);
    const int count = static_cast<int>(entries.size()), shown = std::min({most_rows, fits, std::max(count, 1)});
    const int before = p.row;
    move_row(p, count);
    const Box list{{left, list_y}, {right, list_y + row * static_cast<float>(shown)}};
    const ImVec2 max{min.x + width, list.max.y + pad};
    draw::card(ui, {min, max});
    ui.items->add("palette/card", {min, max}, item_state(count));
    scroll(p, count, shown, p.row != before || p.row < p.first, draw::hovered({min, max}));
    const std::string query = p.query;
    const bool entered = draw_field(frame, {{left, min.y + pad}, {right, min.y + pad + field}});
    if (entries.empty())
        draw::text_in(ui, list.right_of(left + pad), tr(page_of(page).empty), {FontRole::body, ui.theme->text_muted});
    int chosen = draw_rows(frame, entries, list, shown);
    if (entered) {
        if (p.query != query) entries = entries_of(frame);  // typed and chosen within one frame
        if (p.row < static_cast<int>(entries.size())) chosen = p.row;
        p.take_focus = true;  // Enter took the focus away
    }
    if (key_pressed(Key::escape))
        p = {};
    else if (chosen >= 0)
        choose(frame, entries[chosen]);
}

}  // namespace

bool palette_keys(const Frame& frame) {
    ViewState& s = frame.state;
    const bool list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (ctrl_down() && key_pressed(Key::k) && !list_open) {
        const bool open = !s.window.palette.open;
        s.window.palette = {.open = open, .take_focus = open};
        if (open) s.window.help = s.window.lessons.course = false;
    }
    if (ctrl_down() && key_pressed(Key::o) && !list_open && keys_are_commands() && !s.window.palette.open)
        s.window.palette.open_page(Page::open_model, "");
    if (ctrl_down() && key_pressed(Key::s) && !list_open && keys_are_commands() && !s.window.palette.open)
        s.window.palette.open_page(Page::hand_on, suggested_name(*frame.snapshot.model) + glass_ending);
    if (s.window.palette.open) return true;
    if (!s.window.term_card.empty() && keys_are_commands() && key_pressed(Key::escape)) {
        s.window.term_card.clear();
        return true;
    }
    if (!ctrl_down() || !keys_are_commands()) return false;
    if (key_pressed(Key::z, true)) s.window.undo.asked += shift_down() ? 1 : -1;
    if (key_pressed(Key::y, true)) ++s.window.undo.asked;
    return false;
}

void draw_palette(const Frame& frame, const Box& window) {
    if (!frame.state.window.palette.open) return;
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(widest), window.width() - ui.px(32));
    const float y = std::round(window.min.y + std::max(ui.px(16), window.height() * 0.12f));
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2), y};
    const float room = window.max.y - ui.px(16) - y;
    const ModalCard over(ui, "palette", window, {min, {min.x + width, min.y + room}}, true,
                         ImGuiWindowFlags_NoBackground);
    draw_card(frame, min, width, room);
    // A click beside the card closes it, also below the card, where its window continues.
    const bool below_card = ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered();
    const Item* card = ui.items->find("palette/card");
    const bool below = below_card && card && ImGui::GetIO().MousePos.y >= card->max.y;
    if (over.clicked_beside() || below) frame.state.window.palette = {};
}

}  // namespace glassformer::app
