#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/language/tr.h"

namespace glassformer::app {

/// One line of the command palette: what it is called, what it is, and what choosing it does.
struct PaletteEntry {
    std::string title;  // in English: scripts name the row by it

    std::string kind;      // "command", "head", "word of A": shown at the right
    std::string keywords;  // found by these too
    std::string key;       // its key, "" where it has none
    std::function<void(const Frame&)> run;
    float handicap = 0;      // among equally good finds: what explains is behind what acts
    std::string shown = {};  // on the screen, where that is not the title's translation: there are numbers in it

    std::string text() const { return shown.empty() ? tr(title) : shown; }
};

/// A title with numbers in it: in English, which names the row, and as it is shown. The format is a text of the
/// program.
struct Title {
    std::string name, shown;
};
Title titled(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Something that the window can do at any time: a row of the table of commands.
struct WindowCommand {
    std::string_view title, keywords, key;
    void (*run)(const Frame& frame);
    bool (*offered)(const Frame& frame) = nullptr;  // null: always
};
/// The table; commands.cpp.
std::span<const WindowCommand> window_commands();

/// Everything that can be found now, in the order of the table for an empty query: commands, views, stages, blocks,
/// heads, words, models, worlds, lessons, samples, terms. `query` is for entries that depend on it: a step to travel
/// to.
std::vector<PaletteEntry> all_entries(const Frame& frame, std::string_view query);
/// The switches of "What if"; what_if_entries.cpp.
void add_what_if(const Frame& frame, std::vector<PaletteEntry>& entries);
/// What of it `query` finds, best first.
std::vector<PaletteEntry> found_entries(std::vector<PaletteEntry> entries, std::string_view query);

}  // namespace glassformer::app
