#pragma once

#include <functional>
#include <optional>

#include "app/desktop/app.h"
#include "app/export/drawing.h"
#include "app/export/export_dialog.h"

namespace glassformer::app {

/// A part of the window, as written to a file.
struct ExportedPanel {
    Drawing drawing;
    std::vector<PanelNumber> numbers;
    bool complete = true;  // no row of a long list is still being computed
};

/// Whether a picture shows buttons: one of the whole window does, one of a panel does not.
enum class Controls { hidden, shown };

/// Draws one frame that is never shown, in the light theme and without the pointer, and reads the box that `where`
/// returns. Throws Error if it returns none. In areas that scroll, the numbers are those of all rows. `caption` is
/// called once the frame is drawn, so that it is about the same snapshot; its text is below the drawing, if not empty.
ExportedPanel export_panel(App& app, ImGuiHost& host, Surface& surface,
                           const std::function<std::optional<Box>(const Items&)>& where,
                           const std::function<std::string()>& caption = {}, Controls controls = Controls::hidden);

/// Forgets what is under the pointer, so that it is not highlighted in a picture.
void forget_pointer(ViewState& state);

/// Writes it in the format of the file's extension: .png, .svg, .pdf, .csv or .npz. Throws Error for any other. `of`:
/// the text of App::export_caption(); its first line is a picture's title, all of it is beside numbers.
void write_panel(const std::string& file, const ExportedPanel& panel, float times, const std::string& of);

/// Call before a frame: exports what the dialog requests, to a file or the clipboard.
void take_export(App& app, ImGuiHost& host, Surface& surface);

/// If the film being made waits for its picture: lays the window out without the mouse and the film's own messages,
/// draws it, and hands it over unseen. Call between two frames.
void take_film_picture(App& app, ImGuiHost& host, Surface& surface);

}  // namespace glassformer::app
