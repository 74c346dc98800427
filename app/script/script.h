#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/ui/input.h"

/// Scripts refer to what is on screen by item label. One command per line; '#' starts a comment; labels and texts with
/// spaces go in double quotes; \" and \\ inside are " and \, any other \ is itself.
///
///     click ITEM | double_click ITEM | right_click ITEM | hover ITEM
///                                                  (click LIST/CHOICE opens the list if it is closed)
///     drag ITEM dx dy | drag ITEM to ITEM          (pixels at 100 %)
///     scroll ITEM lines                            (positive scrolls up)
///     key [Ctrl+][Shift+]Name                      (Tab Left PageDown F5 a 1 + - …)
///     type TEXT
///     frames N
///     wait ITEM OP VALUE [timeout SECONDS]         (OP: == != < <= > >= ~; ~ looks for VALUE in the text; 10 s)
///     wait ITEM [timeout SECONDS]                  (until it appears)
///     expect ITEM OP VALUE [tolerance T]
///     expect_item ITEM | expect_no_item ITEM | expect_text ITEM TEXT
///     lesson NAME [STEP]                           (from 1; waits until its scene is on screen)
///     shot FILE.png
///     print ITEM | print BEGINNING*                 (all items whose labels begin like that; *: all)
namespace glassformer::app {

/// One line of a script.
struct ScriptCommand {
    enum class Verb {
        click,
        double_click,
        right_click,
        hover,
        drag_by,
        drag_to,
        scroll,
        key,
        type,
        frames,
        wait,
        wait_item,
        expect,
        expect_item,
        expect_no_item,
        expect_text,
        lesson,
        shot,
        print
    };
    enum class Op { equal, not_equal, less, less_equal, greater, greater_equal, contains };

    Verb verb = Verb::frames;
    int line = 0;        ///< counted from 1
    std::string source;  ///< the line as written, for messages
    std::string item;    ///< item label; for shot: the file name
    std::string text;    ///< second item, or the text to type or compare with
    Op op = Op::equal;
    bool numeric = false;  ///< `text` is a number; its value is in x
    double x = 0;          ///< number to compare with, dx, wheel lines, frames, or a lesson's step
    double y = 0;          ///< dy
    double limit = 0;      ///< timeout in seconds, or tolerance
    Key key = Key::tab;
    bool ctrl = false, shift = false;
};

/// A parsed script.
struct Script {
    std::string name;  ///< file name, for messages
    std::vector<ScriptCommand> commands;
};

/// Throws Error "file:line: …" that names the wrong word.
Script parse_script(const std::string& source, const std::string& name);
/// The size limit of a script file.
inline constexpr std::uint64_t most_script_bytes = 1 << 20;

/// The same for a file. Throws Error if it cannot be read or is not a regular file of at most most_script_bytes.
Script load_script(const std::string& path);

}  // namespace glassformer::app
