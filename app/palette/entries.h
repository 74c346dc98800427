#pragma once

#include <imgui.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/language/tr.h"

namespace glassformer::app {

/// One line of the command palette: its name, its kind, and what choosing it does.
struct PaletteEntry {
    std::string title;  // in English: scripts use it as the row's name

    std::string kind;      // "command", "head", "word of A": shown on the right
    std::string keywords;  // further words that find it
    std::string key;       // its keyboard shortcut, "" if it has none
    std::function<void(const Frame&)> run;
    float handicap = 0;      // ranks entries that explain behind those that act, if they match equally well
    std::string shown = {};  // on screen, if it differs from the title's translation: it contains numbers

    std::string text() const { return shown.empty() ? tr(title) : shown; }
};

/// A title that contains numbers: in English, which names the row, and as shown. `format` is a translatable text.
struct Title {
    std::string name, shown;
};
Title titled(const char* format, ...) IM_FMTARGS(1);

/// A command that is always available in the window: one row of the table.
struct WindowCommand {
    std::string_view title, keywords, key;
    void (*run)(const Frame& frame);
    bool (*offered)(const Frame& frame) = nullptr;  // null: always
};
/// Returns the table; defined in commands.cpp.
std::span<const WindowCommand> window_commands();

/// Returns everything that can be found now, in the order for an empty query: commands, views, stages, blocks, heads,
/// words, models, worlds, lessons, samples, terms. Some entries depend on `query`: a step to travel to.
std::vector<PaletteEntry> all_entries(const Frame& frame, std::string_view query);
/// Adds the "What if" switches; defined in what_if_entries.cpp.
void add_what_if(const Frame& frame, std::vector<PaletteEntry>& entries);
/// Returns the entries that match `query`, best first.
std::vector<PaletteEntry> found_entries(std::vector<PaletteEntry> entries, std::string_view query);

}  // namespace glassformer::app
