#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/items.h"
#include "core/base/error.h"

/// What several rooms must know about the window itself: what is open on it, and what keys, menus and the palette
/// request from App, which does it in the next frame.
namespace glassformer::app {

/// A message from the window, shown until it is dismissed.
struct Notice {
    std::string text;
    bool good = false;     // something worked; else something could not be done
    std::string run = {};  // folder of the run that it is about: it goes when another run, or a new start, is under way
};

/// A panel that can be closed.
enum class SidePanel { map, number, timeline };

/// Which of the panels around the sentences are open. A closed one leaves a rail, which opens it.
struct PanelsOpen {
    bool map = true, number = true, timeline = true;
    bool words_alone = false;  ///< of the panels about a word, show Words alone: a lesson asks for the rest later

    bool& of(SidePanel panel) { return panel == SidePanel::map ? map : panel == SidePanel::number ? number : timeline; }
    bool operator==(const PanelsOpen&) const = default;
};

/// Where the explanation panel is after a click on a number opened it: over the sentences until the pointer has left
/// them, so that nothing moves under it.
enum class NumberOverSentences { none, asked, left, right };

/// Undo and redo, as far as keys and menus need to know.
struct UndoState {
    int asked = 0;  // changes to undo (below 0) or redo (above 0)
    bool can_undo = false, can_redo = false;
};

/// The lecturer's console while the presenter is on: in a window of its own if there is a second screen, else a drawer
/// beside the panel.
struct PresenterConsole {
    bool on = false;
    bool second_screen = false;  // the console is there, and the audience's screen shows only the panel
    bool swap_screens = false;   // requested
    bool focused = false;        // its window has the keyboard
};

/// Requests of an author of lessons.
struct Authoring {
    std::string open = {};   // a lesson's file to open
    std::string begin = {};  // the title of a new lesson
    bool add_scene = false;  // add what is on the screen as the next step of the lesson being written
    std::string file = {};   // of the lesson being written; empty: none yet
};

/// A request from the palette to save the model, with all that is on screen, in a file.
struct HandingOn {
    std::string file;     // empty: none
    std::string student;  // who hands in homework; empty: nobody does
};

/// The folders of models and runs that were opened, the newest first; kept in the settings.
struct RecentPlaces {
    static constexpr std::size_t most = 10;
    std::vector<std::string> folders;

    void add(const std::string& folder) {
        std::erase(folders, folder);
        folders.insert(folders.begin(), folder);
        if (folders.size() > most) folders.resize(most);
    }
};

/// The desktop's own dialog for a folder or a file, requested by the palette and New run. App opens it and uses the
/// choice as requested.
struct FolderDialog {
    enum class Ask { nothing, open, open_file, world, hand_on, export_file };
    bool there = false;  // this desktop has one
    Ask asked = Ask::nothing;
    std::string file = {};  // the name it proposes for saving
};

/// The lessons, as far as the top bar and the keys need to know; lessons/lesson_runner.h acts on what is asked.
struct LessonMenu {
    std::vector<std::string> titles;
    std::vector<std::string> also;  // by lesson: what it asks, its steps' titles and its sentences, for search
    int open = -1;                  // the lesson that is being played
    bool waits = false;             // or one waits for its model
    /// forward, backward: a clicker's pages. A question and its answer are two pages, and a page after the last does
    /// not end the lesson.
    enum class Ask { nothing, start, next, back, forward, backward, again, over, leave } ask = Ask::nothing;
    bool course = false;                      // the page of all lessons is on screen
    bool open_model = false;                  // open the one that the lesson waits for
    int which = -1, step = -1;                // lesson and step to start; −1: where it was left
    std::optional<std::uint64_t> fresh_seed;  // of fresh models, if their lesson names none
    std::string named, about;                 // or: the file of a lesson to start, at the first step that is about this
    bool of_view = false;  // or: the first lesson that shows the view on screen, at the step that does
};

/// What a lesson's step points at. Panels show it even if they would leave it out for lack of room.
struct LessonLights {
    std::vector<std::string> lights;  ///< labels of items; " + " joins several into one frame

    bool hold(std::string_view label) const {
        return std::ranges::any_of(
            lights, [&](const std::string& light) { return std::ranges::count(joined_labels(light), label) > 0; });
    }
};

/// The command palette (app/palette).
struct PaletteState {
    enum class Page {
        everything,
        save,
        reset,
        keep,
        open_run,
        metrics,
        film,
        open_model,
        hand_on,
        homework,
        open_lesson,
        new_lesson,
        forward_film
    };  // what its list offers
    bool open = false, take_focus = false;
    Page page = Page::everything;
    std::string query = {};
    int row = 0, first = 0;  // the selected row, and the first visible one

    void open_page(Page wanted, std::string typed) {
        *this = {.open = true, .take_focus = true, .page = wanted, .query = std::move(typed)};
    }
};

struct WindowState {
    Notice notice;
    PanelsOpen panels;
    NumberOverSentences number_over = NumberOverSentences::none;
    UndoState undo;
    PresenterConsole console;
    Authoring authoring;
    HandingOn handing_on;
    RecentPlaces recent;
    FolderDialog folder_dialog;
    LessonMenu lessons;
    LessonLights lights;
    PaletteState palette;
    std::string term_card;            ///< the glossary term whose card is open; empty: none
    std::vector<Language> languages;  ///< to choose from
    std::string language;             ///< the chosen one, in the settings; empty: the system's
    bool help = false;                ///< the list of keys is open over everything
    bool save_panel_asked = false;    ///< open the dialog that saves a panel, as Ctrl+E does
    bool keep_session = false;  ///< what is on the screen at the end comes back at the next start; in the settings
    bool bare_view = false;     ///< the chosen view fills the window, without controls: for films of it
    std::string item_in_sight;  ///< scrolled areas keep it in view, for pictures of it; empty: none
    float stage_scale = 1;      ///< of text on the stage, on top of what its height requires (Presenter::scale())

    /// Switches the language of all texts from now on.
    void choose(const Language& other) {
        try {
            use_language(other.code, other.folder);
            language = other.code;
        } catch (const Error& e) {  // its catalogue existed when the list was made
            notice = {tr(e)};
        }
    }

    /// Opens the explanation panel, from this frame on.
    void open_number() {
        if (!panels.number) number_over = NumberOverSentences::asked;
        panels.number = true;
    }
};

}  // namespace glassformer::app
