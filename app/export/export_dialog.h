#pragma once

#include <array>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/ui/box.h"
#include "app/ui/items.h"
#include "core/io/safetensors.h"

namespace glassformer::app {

enum class ExportFormat { png, svg, pdf, csv, npz, mp4, gif };
/// How the files' names end, in the same order.
inline constexpr std::array<const char*, 7> export_endings = {".png", ".svg", ".pdf", ".csv", ".npz", ".mp4", ".gif"};

/// Pictures of the training's kept steps, one after another.
inline bool is_film(ExportFormat format) { return format >= ExportFormat::mp4; }

/// What is to be written of a panel, and whether it was asked for: the window then draws one frame more, for the file.
struct ExportDialog {
    bool open = false, take_focus = false;
    enum class Ask { nothing, save, copy } ask = Ask::nothing;
    Box box{};            // of the panel, in the window
    bool window = false;  // all of it
    int format = 0, times = 1;
    int speed = 1;  // of a film; which of film_seconds
    bool caption = true;
    std::string file, problem;
    std::string number_node;           // name of the node that `number` is of, when the dialog opened
    std::optional<TracedCell> number;  // under the pointer, or the explained one: for Python
    bool copies_pictures = false;      // the desktop's clipboard takes them, since the dialog was opened

    ExportFormat kind() const { return static_cast<ExportFormat>(format); }
};

/// Panels on their way to a file or the clipboard: a large picture takes seconds, and the window goes on meanwhile.
struct ExportsOnTheWay {
    struct Done {
        std::string told;
        bool good = true;
        std::string clipboard = {};  ///< for the window to put there
    };
    std::vector<std::shared_future<Done>> all;
};

/// Ctrl+E and the right mouse button: for the panel under the pointer, else for the whole window.
void export_keys(const Frame& frame, const Box& window);
/// The frame around the panel that is to be written, while the dialog is open.
void mark_exported_panel(const Frame& frame);
/// Over everything else, while it is open. Items: "export/card", "export/format/…", "export/file", "export/choose",
/// "export/save", "export/python" …
void draw_export_dialog(const Frame& frame, const Box& window);

/// "Words with two meanings · step 1200\nA: he swung the bat and hit a foul ."
std::string export_caption(const Frame& frame);

/// A number that a panel shows, under the name that scripts call it by.
struct PanelNumber {
    std::string label;
    double value = 0;
};

/// Those whose middle lies in the box, and of an area in it that scrolls all rows, also those out of sight; of one name
/// the last, as scripts have it. States of controls are not among them (item_state()), nor numbers that are hidden
/// before a guess or by a lesson.
std::vector<PanelNumber> panel_numbers(const Items& items, const Box& box);

/// A table with a row for each number, in full precision. `of`: the model, step, changes and sentences that they are
/// of, lines of text; each row says it in its last field.
std::string to_csv(const std::vector<PanelNumber>& numbers, const std::string& of);
/// The same as arrays: "A/near 0", "A/near 1" … are one, "A/near".
std::vector<NamedTensor> to_arrays(const std::vector<PanelNumber>& numbers);

}  // namespace glassformer::app
