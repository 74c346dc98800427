#include "app/export/export_dialog.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/common/copy_python.h"
#include "app/common/film_speed.h"
#include "app/common/provenance.h"
#include "app/language/tr.h"
#include "app/ui/input.h"
#include "app/ui/modal_card.h"
#include "app/views/registry.h"
#include "core/platform/clipboard.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

constexpr std::array<std::string_view, 7> formats = {"PNG", "SVG", "PDF", "CSV", "NPZ", "MP4", "GIF"};
constexpr std::array<const char*, 7> meanings = {
    N_("A pixel image, for slides."),
    N_("An editable vector image, for papers and the web."),
    N_("A vector page, for papers and print."),
    N_("The panel's numbers as a table."),
    N_("The same numbers as NumPy arrays: numpy.load(file)."),
    N_("A film of this panel, with a picture for each kept training step. Needs ffmpeg."),
    N_("The same film for a web page: a larger file, played in a loop.")};
constexpr float card_width = 520, pad = 20, row = 32, gap = 12;  // pixels at 100 %

/// Returns the smallest card under the pointer.
Box panel_at(ImVec2 at, const Box& window) {
    Box found = window;
    for (const Box& card : draw::cards_of_frame())
        if (card.contains(at) && card.width() * card.height() < found.width() * found.height()) found = card;
    return found;
}

/// Returns "glassformer-all-heads-1200" in the home folder, without a step that is not known, and with a number
/// appended if that already exists.
std::string free_name(const Frame& frame, const char* ending) {
    std::string name = "glassformer-" + std::string(chosen_view(frame.state).name);
    if (const auto step = frame.snapshot.model->known_step(frame.snapshot.step)) name += "-" + std::to_string(*step);
    for (char& c : name) c = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::filesystem::path folder = platform::home_folder();
    std::error_code error;
    std::filesystem::path file = folder / (name + ending);
    for (int i = 2; i < 1000 && std::filesystem::exists(file, error); ++i)
        file = folder / (name + "-" + std::to_string(i) + ending);
    return file.string();
}

/// Returns the name of a number's node; empty if the trace on screen has no such cell.
std::string node_of(const Frame& frame, const TracedCell& number) {
    if (!fits(number, frame.snapshot)) return {};
    return frame.trace(number.slot)->graph()[number.cell.node].name;
}

/// Returns false if another model or sentence came while the dialog was open, so that the number is no longer on
/// screen.
bool has_number(const Frame& frame, const ExportDialog& dialog) {
    return dialog.number && !dialog.number_node.empty() && node_of(frame, *dialog.number) == dialog.number_node;
}

void open_dialog(const Frame& frame, const Box& window) {
    ExportDialog& dialog = frame.own<ExportDialog>();
    dialog.open = dialog.take_focus = true;
    dialog.ask = ExportDialog::Ask::nothing;
    dialog.problem.clear();
    dialog.copies_pictures = platform::can_copy_pictures();
    dialog.box = panel_at(ImGui::GetIO().MousePos, window);
    dialog.window = dialog.box.width() >= window.width() && dialog.box.height() >= window.height();
    dialog.number.reset();
    if (frame.state.hovered.cell.node >= 0)
        dialog.number = frame.state.hovered;
    else if (!frame.state.trail.empty())
        dialog.number = frame.state.trail.back();
    dialog.number_node = dialog.number ? node_of(frame, *dialog.number) : std::string();
    dialog.file = free_name(frame, export_endings[dialog.format]);
}

/// The dialog must not be in its own picture.
bool is_seen(const Frame& frame) {
    const ExportDialog& dialog = frame.own<ExportDialog>();
    return dialog.open && dialog.ask == ExportDialog::Ask::nothing;
}

bool is_picture(ExportFormat format) { return format <= ExportFormat::pdf; }
/// A film of the whole window shows model and step in its top bar.
bool has_caption(const ExportDialog& dialog) {
    return is_picture(dialog.kind()) || (is_film(dialog.kind()) && !dialog.window);
}
bool is_text(ExportFormat format) { return format == ExportFormat::svg || format == ExportFormat::csv; }

/// Returns the height of the longest format description, so that nothing moves when another format is chosen.
float meaning_height(const Ui& ui, float width) {
    float height = 0;
    for (const char* meaning : meanings)
        height = std::max(height, draw::wrapped_height(ui, width, tr(meaning), FontRole::small));
    return height;
}

float picture_choices_height(const Ui& ui) { return ui.px(row + gap) + ui.px(28); }

/// Draws the size of a PNG, the speed of a film, and whether a picture gets a caption.
void draw_picture_choices(const Frame& frame, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    ExportDialog& dialog = frame.own<ExportDialog>();
    float y = at.y;
    if (is_film(dialog.kind())) {
        segmented(ui, "export/speed", {{at.x, y}, {at.x + width, y + ui.px(row)}}, film_speed_names, dialog.speed);
        y += ui.px(row + gap);
    }
    if (!has_caption(dialog)) return;
    if (dialog.kind() == ExportFormat::png) {
        static constexpr std::array<std::string_view, 4> sizes = {"1 ×", "2 ×", "3 ×", "4 ×"};
        int chosen = dialog.times - 1;
        segmented(ui, "export/size", {{at.x, y}, {at.x + ui.px(200), y + ui.px(row)}}, sizes, chosen);
        dialog.times = chosen + 1;
        const auto pixels = [&](float size) {
            return static_cast<int>(std::lround(size * static_cast<float>(dialog.times)));
        };
        draw::text_in(ui, {{at.x + ui.px(212), y}, {at.x + width, y + ui.px(row)}},
                      ui.items->format(tr("%d × %d pixels"), pixels(dialog.box.width()), pixels(dialog.box.height())),
                      {FontRole::small, ui.theme->text_muted});
        y += ui.px(row + gap);
    }
    checkbox(ui, "export/caption", {at.x, y}, tr("Add a caption: model, step, sentence"), dialog.caption);
}

void draw_buttons(const Frame& frame, ImVec2 at) {
    const Ui& ui = frame.ui;
    ExportDialog& dialog = frame.own<ExportDialog>();
    ButtonStyle primary, copy;
    primary.tone = Tone::primary;
    primary.enabled = !dialog.file.empty();
    const bool picture = dialog.kind() == ExportFormat::png;
    copy.enabled = is_text(dialog.kind()) || (picture && dialog.copies_pictures);
    copy.tooltip = copy.enabled ? tr("Copy to clipboard")
                   : picture
                       ? tr("Pictures go to the clipboard where wl-copy or xclip is installed; SVG and CSV always do.")
                       : tr("The clipboard takes text and pictures: choose SVG, CSV or PNG.");
    if (chip(ui, "export/save", at, ui.px(row), tr("Save"), primary)) dialog.ask = ExportDialog::Ask::save;
    if (chip(ui, "export/copy", at, ui.px(row), tr("Copy"), copy)) dialog.ask = ExportDialog::Ask::copy;
    if (chip(ui, "export/cancel", at, ui.px(row), tr("Cancel"))) dialog.open = false;
    if (!has_number(frame, dialog)) return;
    const std::string number = frame.cell_name(dialog.number->slot, dialog.number->cell),
                      torch = filled(tr("PyTorch code that computes {1} from the model's file"), {number}),
                      numpy{tr("The same code with NumPy instead of PyTorch")};
    ButtonStyle python{.tone = Tone::quiet, .tooltip = torch};
    const bool with_torch = chip(ui, "export/python", at, ui.px(row), tr("Copy as PyTorch"), python).clicked;
    python.tooltip = numpy;
    const bool with_numpy = chip(ui, "export/python_numpy", at, ui.px(row), tr("Copy as NumPy"), python).clicked;
    if (!with_torch && !with_numpy) return;
    dialog.open = false;
    copy_python(frame, *dialog.number, with_torch ? ops::PythonLibrary::torch : ops::PythonLibrary::numpy);
}

/// Returns the height of the card.
float draw_card(const Frame& frame, ImVec2 min, float width) {
    const Ui& ui = frame.ui;
    ExportDialog& dialog = frame.own<ExportDialog>();
    const float left = min.x + ui.px(pad), right = min.x + width - ui.px(pad);
    float y = min.y + ui.px(pad);
    draw::text(ui, {left, y}, tr("Save this panel"), {FontRole::title_bold});
    y += ui.line(FontRole::title_bold) + ui.px(gap);
    const int before = dialog.format;
    if (segmented(ui, "export/format", {{left, y}, {right, y + ui.px(row)}}, formats, dialog.format) &&
        dialog.file.ends_with(export_endings[before]))
        dialog.file = free_name(frame, export_endings[dialog.format]);
    y += ui.px(row + 6);
    draw::text_wrapped(ui, {left, y}, right - left, tr(meanings[dialog.format]),
                       {FontRole::small, ui.theme->text_muted});
    y += meaning_height(ui, right - left) + ui.px(gap);
    draw_picture_choices(frame, {left, y}, right - left);
    y += picture_choices_height(ui) + ui.px(gap);
    bool entered = false;
    if (std::exchange(dialog.take_focus, false)) ui.focus->enter_field();  // Enter saves
    float file_to = right;
    if (FolderDialog& desktop = frame.state.window.folder_dialog; desktop.there) {
        file_to -= chip_width(ui, tr("Choose…")) + ui.px(8);
        ImVec2 at{file_to + ui.px(8), y};
        if (chip(ui, "export/choose", at, ui.px(row), tr("Choose…")))
            desktop.asked = FolderDialog::Ask::export_file, desktop.file = dialog.file;
    }
    text_field(ui, "export/file", {{left, y}, {file_to, y + ui.px(row)}}, dialog.file, tr("file"), &entered);
    if (entered && !dialog.file.empty()) dialog.ask = ExportDialog::Ask::save;
    y += ui.px(row + gap);
    if (!dialog.problem.empty())
        y += draw::label_wrapped(ui, {left, y}, right - left, dialog.problem, {FontRole::small, ui.theme->danger_text},
                                 {"export/problem"}) +
             ui.px(gap);
    draw_buttons(frame, {left, y});
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) dialog.take_focus = true;  // after any click
    return y + ui.px(row + pad) - min.y;
}

}  // namespace

std::string export_caption(const Frame& frame) {
    const Provenance first = provenance(frame, 0);
    std::string caption = first.title();
    const View& view = chosen_view(frame.state);
    if (const std::string also = view.caption_suffix ? view.caption_suffix(frame) : ""; !also.empty())
        caption += " · " + also;
    caption += first.altered_line();
    for (int slot = 0; slot < 2; ++slot)
        if (is_shown(frame.state, slot)) caption += provenance(frame, slot).caption_line(part_shown(frame, slot));
    return caption;
}

void export_keys(const Frame& frame, const Box& window) {
    if (frame.own<ExportDialog>().open) return;
    const bool list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    const bool by_key = (ctrl_down() && key_pressed(Key::e) && keys_are_commands()) ||
                        std::exchange(frame.state.window.save_panel_asked, false);
    if (!list_open && (by_key || ImGui::GetIO().MouseClicked[ImGuiMouseButton_Right])) open_dialog(frame, window);
}

void mark_exported_panel(const Frame& frame) {
    if (!is_seen(frame)) return;
    const Box& panel = frame.own<ExportDialog>().box;
    frame.ui.list()->AddRect(panel.min, panel.max, frame.ui.theme->focus, frame.ui.px(8), 0, frame.ui.px(2));
}

void draw_export_dialog(const Frame& frame, const Box& window) {
    ExportDialog& dialog = frame.own<ExportDialog>();
    if (!frame.own<ExportsOnTheWay>().all.empty()) frame.state.more_to_compute = true;  // they report in a frame
    if (dialog.open && key_pressed(Key::escape)) dialog.open = false;
    if (!is_seen(frame)) return;
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(card_width), window.width() - ui.px(32));
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("export height");
    const float height = kept.GetFloat(key, ui.px(320));
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(std::max(window.min.y + ui.px(8), (window.min.y + window.max.y - height) / 2))};
    const Box card{min, {min.x + width, min.y + height}};
    const ModalCard over(ui, "export", window, card);
    if (over.clicked_beside()) dialog.open = false;
    draw::card(ui, card);
    ui.items->add("export/card", card);
    kept.SetFloat(key, draw_card(frame, min, width));
}

}  // namespace glassformer::app
