#include "app/session/recovery.h"

#include <algorithm>
#include <cstdio>

#include "core/base/error.h"
#include "core/io/run_folder.h"
#include "core/platform/process.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

/// Whether new_recovery() chose this name.
bool is_ours(const fs::path& folder) {
    int process = 0, number = 0, used = 0;
    const std::string name = folder.filename().string();
    return std::sscanf(name.c_str(), "run-%9d-%9d%n", &process, &number, &used) == 2 &&
           static_cast<std::size_t>(used) == name.size();
}

}  // namespace

fs::path recovery_folder() {
    const fs::path state = platform::state_folder();
    return state.empty() ? state : state / "recovery";
}

std::vector<LostRun> lost_runs(const fs::path& recovery) {
    std::vector<std::pair<fs::file_time_type, LostRun>> found;
    std::error_code error;
    for (fs::directory_iterator entry(recovery, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path folder = entry->path();
        if (!is_ours(folder) || is_being_written(folder)) continue;
        try {
            found.push_back(
                {fs::last_write_time(folder), {folder, run_settings_in(folder).name, newest_step_in(folder)}});
        } catch (const std::exception&) {
            continue;  // perhaps killed while creating it: there is nothing to offer
        }
    }
    std::ranges::sort(found, {}, [](const auto& run) { return run.first; });
    std::vector<LostRun> runs;
    for (auto& run : found) runs.push_back(std::move(run.second));
    return runs;
}

fs::path new_recovery(const fs::path& recovery) {
    std::error_code error;
    fs::create_directories(recovery, error);
    if (error) throw Error("cannot create the folder {1}: {2}", recovery.string(), error.message());
    const std::string process = "run-" + std::to_string(platform::process_id()) + "-";
    int number = 0;
    while (fs::exists(recovery / (process + std::to_string(number)), error)) ++number;
    return recovery / (process + std::to_string(number));
}

void remove_recovery(const fs::path& folder) {
    std::error_code ignored;
    if (is_ours(folder)) fs::remove_all(folder, ignored);
}

}  // namespace glassformer::app
