#pragma once

#include <functional>
#include <optional>

#include "app/desktop/app.h"
#include "app/export/drawing.h"
#include "app/export/export_dialog.h"

namespace glassformer::app {

/// A part of the window as a file gets it.
struct ExportedPanel {
    Drawing drawing;
    std::vector<PanelNumber> numbers;
    bool complete = true;  // no row of a long list is still being computed
};

/// Whether the buttons of what is shown are in its picture: they are in one of the whole window, not in one of a panel.
enum class Controls { hidden, shown };

/// Draws one frame that nobody sees, in the light theme and without the pointer, and reads from it what `where` names;
/// throws Error where that gives no box. Of what scrolls the numbers are those of all rows. `caption` is below the
/// drawing; empty: none.
ExportedPanel export_panel(App& app, ImGuiHost& host, Surface& surface,
                           const std::function<std::optional<Box>(const Items&)>& where, const std::string& caption,
                           Controls controls = Controls::hidden);

/// What the pointer was on in the last frame is lit in the next one: not in a picture.
void forget_pointer(ViewState& state);

/// Writes it in the format that the file's ending names: .png, .svg, .pdf, .csv or .npz. Throws Error for another one.
/// `of`: what App::export_caption says; its first line is the title of a picture, all of it is beside numbers.
void write_panel(const std::string& file, const ExportedPanel& panel, float times, const std::string& of);

/// Before a frame: what the dialog asked for, to a file or to the clipboard.
void take_export(App& app, ImGuiHost& host, Surface& surface);

/// Where the film that is being made waits for its picture: lays the window out without mouse and without the film's
/// own messages, draws it, and hands it over unseen. Call it between two frames.
void take_film_picture(App& app, ImGuiHost& host, Surface& surface);

}  // namespace glassformer::app
