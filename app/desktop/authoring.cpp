
#include <filesystem>
#include <utility>

#include "app/desktop/app.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/scene_format.h"
#include "app/panels/leaving/saving.h"
#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/platform/user_folders.h"

// The user's own lessons: opened, begun, and written from what is on screen.
namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most_bytes = 1 << 20;

/// A new file name in the user's folder of lessons, which is created.
fs::path new_lesson_file(const std::string& title) {
    const fs::path data = platform::data_folder();
    if (data.empty()) throw Error("no home folder for lessons was found; set HOME or XDG_DATA_HOME");
    const fs::path folder = data / "lessons";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error("cannot create the folder {1}: {2}", folder.string(), error.message());
    const std::string name = as_file_name(title);
    fs::path file = folder / (name + ".lesson");
    for (int n = 2; fs::exists(fs::symlink_status(file, error)); ++n)
        file = folder / (name + "-" + std::to_string(n) + ".lesson");
    return file;
}

/// Writes it only if it can be read back.
void write_lesson(const fs::path& file, const std::string& text) {
    parse_lesson(text, file.string());
    write_file_atomically(file, text);
}

/// Makes a title one line: a newline in it would begin something else in the file.
std::string on_one_line(std::string text) {
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    return text;
}

}  // namespace

void App::open_lesson(const fs::path& file) {
    load_lesson(file);  // says what is wrong with it
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(file, error);
    lessons_.look_also(error ? file : whole);
    state_.window.authoring.file = (error ? file : whole).string();
    start_lesson(lessons_.folder().name_of(file));
}

void App::author(const Frame& frame) {
    Authoring asked = std::exchange(frame.state.window.authoring, Authoring{.file = frame.state.window.authoring.file});
    if (asked.open.empty() && asked.begin.empty() && !asked.add_scene) return;
    std::string& written = frame.state.window.authoring.file;
    try {
        if (!asked.open.empty()) return open_lesson(asked.open);
        if (!asked.begin.empty()) {
            const fs::path file = new_lesson_file(asked.begin);
            write_lesson(file, lesson_head(on_one_line(asked.begin), *frame.snapshot.model) +
                                   step_of_screen(frame, tr("Step 1")));
            written = file.string();
        } else {
            if (written.empty()) throw Error("Start a lesson first (New lesson…), or open one of your own.");
            const std::string before = read_file(written, most_bytes);
            const auto count = parse_lesson(before, written).steps.size();
            write_lesson(written, before + (before.ends_with('\n') ? "" : "\n") +
                                      step_of_screen(frame, filled(tr("Step {1}"), {std::to_string(count + 1)})));
        }
        lessons_.look_also(written);
        const std::string done = filled(
            tr("This scene is now a step of {1}. Write its text in that file; the lesson reloads when you save it."),
            {written});
        state_.window.notice = {done, true};
    } catch (const std::exception& e) {
        state_.window.notice = {tr(e)};
    }
}

}  // namespace glassformer::app
