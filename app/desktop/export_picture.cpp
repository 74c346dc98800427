#include "app/desktop/export_picture.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "app/common/long_sentence.h"
#include "app/export/export_dialog.h"
#include "app/export/picture_files.h"
#include "app/film/film_folder.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/messages/error_bar.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "app/window/png.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/io/npz.h"
#include "core/platform/atomic_file.h"
#include "core/platform/clipboard.h"

namespace glassformer::app {

namespace {

/// Turns ImGui's anti-aliasing off or on: it draws lines and fills as many triangles each.
void without_soft_edges(bool without) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = style.AntiAliasedFill = !without;
}

/// Lasts until the style is applied again, as it is for another theme.
void without_scroll_bars() {
    for (const ImGuiCol part : {ImGuiCol_ScrollbarBg, ImGuiCol_ScrollbarGrab}) ImGui::GetStyle().Colors[part].w = 0;
}

std::string bytes_of(ExportFormat format, const ExportedPanel& panel, float times, const std::string& of) {
    const std::string title = of.substr(0, of.find('\n'));
    switch (format) {
        case ExportFormat::png:
            return png_bytes(to_image(panel.drawing, times));
        case ExportFormat::svg:
            return to_svg(panel.drawing, title);
        case ExportFormat::pdf:
            return to_pdf(panel.drawing, title);
        case ExportFormat::csv:
            return to_csv(panel.numbers, of);
        default:
            return doubles_to_npz(to_arrays(panel.numbers), std::vector<NamedText>{{"of", of}});
    }
}

ExportFormat format_of(const std::string& file) {
    const auto found = std::ranges::find(export_endings, std::filesystem::path(file).extension());
    const auto format = static_cast<ExportFormat>(found - export_endings.begin());
    if (found != export_endings.end() && !is_film(format)) return format;
    throw Error("\"{1}\" does not say which format: it must end in .png, .svg, .pdf, .csv or .npz", file);
}

/// Throws Error if the file exists: nothing is overwritten.
void require_new(const std::string& file) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) throw Error("{1} already exists; choose another name", file);
}

/// Runs on its own thread.
ExportsOnTheWay::Done written(const ExportDialog& asked, const ExportedPanel& panel, const std::string& file,
                              const std::string& of) {
    try {
        const auto times = static_cast<float>(asked.times);
        if (asked.ask == ExportDialog::Ask::save) {
            require_new(file);
            write_panel(file, panel, times, of);
            return {filled(tr("The panel was saved as {1}."), {file})};
        }
        std::string bytes = bytes_of(asked.kind(), panel, times, of);
        if (asked.kind() != ExportFormat::png)
            return {tr("The panel was copied to the clipboard."), true, std::move(bytes)};
        const std::string why = platform::copy_picture(bytes);
        if (why.empty()) return {tr("The picture was copied to the clipboard.")};
        return {filled(tr("The picture could not be copied to the clipboard: {1}"), {tr_sentence(why)}), false};
    } catch (const Error& e) {
        return {tr(e), false};
    } catch (const std::bad_alloc&) {
        return {tr("There was not enough memory for the picture; choose a smaller size."), false};
    }
}

/// Films the panel over the kept steps, or, if the whole model's story is on screen, its way from words to prediction.
void begin_film(App& app, const ExportDialog& asked) {
    const std::string file = save_folder(asked.file);
    if (!is_film_file(file)) throw Error("The name of the film must end in {1}.", ".mp4, .gif");
    require_film_place(file);
    ViewState& state = app.state();
    FilmRecording& film = state.own<TimelineState>().recording;
    if (film.total > 0) throw Error("Another film is still being made.");
    film.forward = chosen_view(state).name == "Whole model" && state.own<views::whole_model::CanvasState>().story.open;
    if (!film.forward && app.shown().kept_steps.size() < 2) throw Error("there is no film yet: train the model first");
    film.folder = file;
    film.panel = asked.window ? Box{} : asked.box;
    film.room = state.own<ErrorBarState>().room;
    film.caption = asked.caption;
    state.own<TimelineState>().film.speed = asked.speed;
    state.own<ExportDialog>().ask = ExportDialog::Ask::nothing;
    state.own<ExportDialog>().open = false;
}

/// Reports the exports that have finished.
void report_exports(App& app) {
    std::erase_if(app.state().own<ExportsOnTheWay>().all, [&](const std::shared_future<ExportsOnTheWay::Done>& one) {
        if (one.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
        Notice& notice = app.state().window.notice;
        try {
            const ExportsOnTheWay::Done& done = one.get();
            if (!done.clipboard.empty()) ImGui::SetClipboardText(done.clipboard.c_str());
            notice = {done.told, done.good};
        } catch (const Error& e) {
            notice = {filled(tr("The panel could not be saved: {1}"), {tr(e)}), false};
        }
        return true;
    });
}

/// Reads what was drawn into the surface's target, before it is shown.
Image read_target(Surface& surface) {
    surface.bind_target();
    Image image = read_pixels(surface.size());
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;  // a window may keep another alpha
    return image;
}

/// The card that the story fills: the largest of the last frame.
Box largest_card() {
    Box largest{};
    for (const Box& card : draw::cards_of_frame())
        if (card.width() * card.height() > largest.width() * largest.height()) largest = card;
    return largest;
}

/// The window as it is, without the pointer; if the film is of a panel or of the forward pass, only that, without
/// controls.
Image picture_of(App& app, ImGuiHost& host, Surface& surface) {
    const bool forward = app.state().own<TimelineState>().recording.forward;
    const Box panel = app.film().panel();
    const bool chosen = panel.width() > 0;
    if (app.film().has_caption())
        return to_image(export_panel(
                            app, host, surface, [&](const Items&) { return std::optional(panel); },
                            [&] { return app.export_caption(host); })
                            .drawing,
                        1);
    forget_pointer(app.state());
    std::optional<ControlsHidden> hidden;
    if (forward || chosen) hidden.emplace();
    host.begin_frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    app.draw(host);
    host.end_frame_and_draw();
    const Image window = read_target(surface);
    if (chosen) return cut_out(window, panel);
    return forward ? cut_out(window, largest_card()) : window;  // of this frame, in which no bar reports the film
}

}  // namespace

void forget_pointer(ViewState& state) {
    state.hovering = {};
    state.hovering_word = {};
}

ExportedPanel export_panel(App& app, ImGuiHost& host, Surface& surface,
                           const std::function<std::optional<Box>(const Items&)>& where,
                           const std::function<std::string()>& caption, Controls controls) {
    surface.make_current();
    host.set_theme(ThemeKind::light);  // App::draw restores the user's own
    forget_pointer(app.state());
    std::optional<ControlsHidden> hidden;
    if (controls == Controls::hidden) hidden.emplace();
    host.begin_frame([&] {
        script_mouse({-1e6f, -1e6f}, false, false);
        without_soft_edges(true);
        if (hidden) without_scroll_bars();
    });
    bool& to_come = app.state().own<RowsToCome>().any;
    to_come = false;
    host.ui().every_row = true;
    app.draw(host);
    host.ui().every_row = false;
    ImGui::End();
    ImGui::Render();
    without_soft_edges(false);
    const std::optional<Box> box = where(host.items());
    if (!box) throw Error("there is no such panel on the screen");
    ExportedPanel panel{read_drawing(*ImGui::GetDrawData(), host.ui(), theme(ThemeKind::light), *box),
                        panel_numbers(host.items(), *box), !to_come};
    if (const std::string text = caption ? caption() : std::string(); !text.empty())
        add_caption(panel.drawing, host.ui(), text, theme(ThemeKind::light).text_muted);
    return panel;
}

void write_panel(const std::string& file, const ExportedPanel& panel, float times, const std::string& of) {
    write_file_atomically(file, bytes_of(format_of(file), panel, times, of));
}

void take_export(App& app, ImGuiHost& host, Surface& surface) {
    report_exports(app);
    const ExportDialog asked = app.state().own<ExportDialog>();
    if (asked.ask == ExportDialog::Ask::nothing) return;
    try {
        if (is_film(asked.kind())) return begin_film(app, asked);
        std::string file, caption;
        if (asked.ask == ExportDialog::Ask::save) {
            file = save_folder(asked.file);
            format_of(file), require_new(file);
        }
        ExportedPanel panel = export_panel(
            app, host, surface, [&](const Items&) { return std::optional(asked.box); },
            [&] {
                caption = app.export_caption(host);
                return asked.caption ? caption : std::string();
            },
            asked.window ? Controls::shown : Controls::hidden);
        const bool numbers = asked.kind() == ExportFormat::csv || asked.kind() == ExportFormat::npz;
        if (numbers && !panel.complete) return;  // tried again before the next frame
        ExportDialog& dialog = app.state().own<ExportDialog>();
        dialog.ask = ExportDialog::Ask::nothing;
        app.state().own<ExportsOnTheWay>().all.push_back(
            compute_beside("export", [asked, panel = std::move(panel), file, caption] {
                return written(asked, panel, file, caption);
            }).share());
        dialog.open = false;
    } catch (const Error& e) {
        ExportDialog& dialog = app.state().own<ExportDialog>();
        dialog.ask = ExportDialog::Ask::nothing;
        dialog.problem = tr(e);
    }
}

void take_film_picture(App& app, ImGuiHost& host, Surface& surface) {
    if (!app.film().wants_picture()) return;
    app.state().own<TimelineState>().recording.unseen = true;
    Image picture = picture_of(app, host, surface);
    app.state().own<TimelineState>().recording.unseen = false;
    app.film().take(std::move(picture));
}

}  // namespace glassformer::app
