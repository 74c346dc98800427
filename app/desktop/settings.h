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
    std::string view = {};             // name of the picture that the sentences show; empty: the first
    std::optional<ScreenPlace> place;  // of the window, where the system told it
    LessonMemory lessons;
    std::string backend = "auto";  // or cpu, gl: what trainings are computed on
    DiskSteps disk_steps;
    PanelsOpen panels;
    std::vector<std::string> recent;          // folders of models and runs, the newest first
    std::optional<TrainingSetup> last_setup;  // that a run was begun with; in a file beside the settings
    std::string language;                     // of the texts; empty: the system's
    bool keep_session = false;                // what is on the screen at the end comes back at the next start
    bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/glassformer/settings.json, or under ~/.config; empty when there is no home.
std::filesystem::path settings_file();
/// Where there is no file, it is the first start: one sentence, panels closed, and the first lesson offers itself. A
/// field that is missing or makes no sense has its default, and the others are read: settings never keep the program
/// from starting.
Settings load_settings(const std::filesystem::path& file);
/// Where the file that is there has a wrong field, or is no JSON, a copy of it stays beside it (settings.json.damaged);
/// fields of other versions of the program are kept. A failure is not worth a message: the settings are then forgotten.
void save_settings(const std::filesystem::path& file, const Settings& settings);

/// Keeps the file up to date while the program runs: one that is killed forgets the last seconds, no more.
class KeptSettings {
public:
    KeptSettings(std::filesystem::path file, Settings at_start);
    /// After each frame. What changed is written on a thread of its own, two seconds after the last writing at the
    /// earliest.
    void follow(const Settings& now);
    /// At the end: writes them, changed or not.
    void finish(const Settings& now);

private:
    std::filesystem::path file_;
    Settings kept_;
    std::chrono::steady_clock::time_point next_;
    std::future<void> writing_;
};

}  // namespace glassformer::app
