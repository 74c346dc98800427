#include "app/desktop/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/ui/ui.h"
#include "core/base/error.h"
#include "core/devices/backend_wish.h"
#include "core/io/run_settings.h"
#include "core/platform/atomic_file.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace fs = std::filesystem;

fs::path settings_file() {
    const fs::path folder = platform::config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

namespace {

fs::path setup_file(const fs::path& settings) { return settings.parent_path() / "last-run.json"; }

std::optional<TrainingSetup> load_setup(const fs::path& settings) {
    try {
        if (settings.empty() || !fs::exists(setup_file(settings))) return std::nullopt;
        const RunSettings run = read_run_settings(setup_file(settings));
        return TrainingSetup{run.world, run.unit, run.config, run.options};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void save_setup(const fs::path& settings, const TrainingSetup& setup) {
    RunSettings run;
    run.name = "last used";
    run.world = run.world_name = setup.world;
    run.unit = setup.unit;
    run.config = setup.config;
    run.options = setup.options;
    write_run_settings(setup_file(settings), run);
}

/// The largest budget that can be chosen and is no more than what the file says.
int budget_at_most(int gigabytes) {
    int found = DiskSteps::budgets.front();
    for (const int budget : DiskSteps::budgets)
        if (budget <= gigabytes) found = budget;
    return found;
}

}  // namespace

Settings load_settings(const fs::path& file) {
    Settings s;
    s.last_setup = load_setup(file);
    try {
        if (file.empty() || !fs::exists(file)) {
            s.lessons.offer = true;
            return s;
        }
        const nlohmann::json j = nlohmann::json::parse(read_file(file, 65536));
        s.theme = j.value("theme", "light") == "dark" ? ThemeKind::dark : ThemeKind::light;
        s.scale = std::clamp(j.value("scale", 1.0f), text_scale::least, text_scale::most);
        s.compare = j.value("compare", true);
        s.reduce_motion = j.value("reduce_motion", false);
        s.width = std::clamp(j.value("width", 1600), 640, 16384);
        s.height = std::clamp(j.value("height", 1000), 400, 16384);
        s.view = j.value("view", "");
        s.backend = std::string(name_of(backend_wish(j.value("backend", "auto"))));
        s.disk_steps.on = j.value("steps_on_disk", false);
        s.disk_steps.gigabytes = budget_at_most(j.value("gigabytes_of_steps", 4));
        if (j.contains("x") && j.contains("y")) s.place = ScreenPlace{j.at("x").get<int>(), j.at("y").get<int>()};
        s.lessons.offer = j.value("offer_lesson", false);
        s.lessons.at = j.value("lesson_steps", std::map<std::string, int>{});
    } catch (const std::exception&) {
        return {};
    }
    return s;
}

void save_settings(const fs::path& file, const Settings& s) {
    if (file.empty()) return;
    nlohmann::json j{{"theme", s.theme == ThemeKind::dark ? "dark" : "light"},
                     {"scale", s.scale},
                     {"compare", s.compare},
                     {"reduce_motion", s.reduce_motion},
                     {"width", s.width},
                     {"height", s.height},
                     {"view", s.view},
                     {"backend", s.backend},
                     {"steps_on_disk", s.disk_steps.on},
                     {"gigabytes_of_steps", s.disk_steps.gigabytes},
                     {"offer_lesson", s.lessons.offer},
                     {"lesson_steps", s.lessons.at}};
    if (s.place) j["x"] = s.place->x, j["y"] = s.place->y;
    try {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, j.dump(2) + "\n");
        if (s.last_setup) save_setup(file, *s.last_setup);
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace glassformer::app
