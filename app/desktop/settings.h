#pragma once

#include <chrono>
#include <filesystem>
#include <future>

#include "app/common/view_state.h"
#include "app/lessons/lesson_runner.h"
#include "app/session/disk_steps.h"
#include "app/session/training_setup.h"
#include "app/window/surface.h"

namespace glassformer::app {

/// What the window remembers from one start to the next.
struct Settings {
    ThemeKind theme = ThemeKind::light;
    float scale = 1.0f, stage_scale = 1.0f;
    bool compare = true;
    bool reduce_motion = false;
    int width = 1600, height = 1000;
    std::string view = {};             // name of the view; empty: the first
    std::optional<ScreenPlace> place;  // of the window, if the system reports it
    LessonMemory lessons;
    std::string backend = "auto";  // or cpu, gl: what trainings run on
    DiskSteps disk_steps;
    PanelsOpen panels;
    std::vector<std::string> recent;          // folders of models and runs, the newest first
    std::optional<TrainingSetup> last_setup;  // of the last run begun; in a file beside the settings
    std::string language;                     // of the texts; empty: the system's
    bool keep_session = false;                // what is on the screen at the end comes back at the next start
    bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/glassformer/settings.json, or under ~/.config; empty if there is no home.
std::filesystem::path settings_file();
/// No file means a first start: one sentence, closed panels, and the first lesson is offered. A field that is missing
/// or invalid gets its default, and the others are read: settings never keep the program from starting.
Settings load_settings(const std::filesystem::path& file);
/// If the existing file has an invalid field, or is no JSON, a copy of it stays beside it (settings.json.damaged).
/// Fields of other program versions are kept. With `since`, writes only what differs from that: another window may have
/// changed the rest. A failure gets no message: returns false, and the settings are then lost.
bool save_settings(const std::filesystem::path& file, const Settings& settings, const Settings* since = nullptr);

/// Keeps the file up to date while the program runs: if it is killed, only the last seconds are lost.
class KeptSettings {
public:
    KeptSettings(std::filesystem::path file, Settings at_start);
    /// Call after each frame. Writes changes on another thread, two seconds after the last write at the earliest.
    void follow(const Settings& now);
    /// Call at the end: writes what has changed; all of it if there is no file yet.
    void finish(const Settings& now);

private:
    /// Waits for the last write.
    void end_writing();

    std::filesystem::path file_;
    Settings kept_, tried_;  // this window's, as the file has them, and as they were last written, if that worked
    std::chrono::steady_clock::time_point next_;
    std::future<bool> writing_;
};

}  // namespace glassformer::app
