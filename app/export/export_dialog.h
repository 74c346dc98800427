#pragma once

#include <array>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/ui/box.h"
#include "app/ui/items.h"
#include "core/io/npz.h"

namespace glassformer::app {

enum class ExportFormat { png, svg, pdf, csv, npz, mp4, gif };
/// The extensions of the files' names, in the same order.
inline constexpr std::array<const char*, 7> export_endings = {".png", ".svg", ".pdf", ".csv", ".npz", ".mp4", ".gif"};

/// Returns true for a film: pictures of the training's kept steps, or of the forward pass, one after another.
inline bool is_film(ExportFormat format) { return format >= ExportFormat::mp4; }

/// What to write of a panel, and whether that was requested: the window then draws one more frame, for the file.
struct ExportDialog {
    bool open = false, take_focus = false;
    enum class Ask { nothing, save, copy } ask = Ask::nothing;
    Box box{};            // of the panel, in window coordinates
    bool window = false;  // the box is the whole window
    int format = 0, times = 1;
    int speed = 1;  // of a film; index into film_seconds
    bool caption = true;
    std::string file, problem;
    std::string number_node;           // name of the node of `number` when the dialog opened
    std::optional<TracedCell> number;  // under the pointer, or the explained one: for Python code
    bool copies_pictures = false;      // the desktop's clipboard accepted them when the dialog opened

    ExportFormat kind() const { return static_cast<ExportFormat>(format); }
};

/// Panels being saved to a file or copied to the clipboard: a large picture takes seconds, and the window keeps
/// running.
struct ExportsOnTheWay {
    struct Done {
        std::string told;
        bool good = true;
        std::string clipboard = {};  ///< text for the window to put there
    };
    std::vector<std::shared_future<Done>> all;
};

/// Handles Ctrl+E and the right mouse button: exports the panel under the pointer, otherwise the whole window.
void export_keys(const Frame& frame, const Box& window);
/// Draws a frame around the panel to export while the dialog is open.
void mark_exported_panel(const Frame& frame);
/// Draws the dialog over everything else while it is open. Items: "export/card", "export/format/…", "export/file",
/// "export/choose", "export/save", "export/python" …
void draw_export_dialog(const Frame& frame, const Box& window);

/// "Words with two meanings · step 1200\nA: he swung the bat and hit a foul ."
std::string export_caption(const Frame& frame);

/// A number shown by a panel, under its name for scripts.
struct PanelNumber {
    std::string label;
    double value = 0;
};

/// Returns the numbers whose centre is in the box, and all rows of an area in it that scrolls, even those out of sight.
/// Among equal names the last one counts, as for scripts. Leaves out the states of controls (item_state()) and numbers
/// hidden before a guess or by a lesson.
std::vector<PanelNumber> panel_numbers(const Items& items, const Box& box);

/// Returns a table with a row for each number, in full precision. `of`: lines of text with the model, step, changes and
/// sentences that the numbers belong to; the last field of each row contains it.
std::string to_csv(const std::vector<PanelNumber>& numbers, const std::string& of);
/// Returns the same as arrays, as precise: "A/near 0", "A/near 1" … become one array, "A/near".
std::vector<NamedDoubles> to_arrays(const std::vector<PanelNumber>& numbers);

}  // namespace glassformer::app
