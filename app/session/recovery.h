#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace glassformer::app {

/// Returns $XDG_STATE_HOME/glassformer/recovery, or the same under ~/.local/state. It holds the runs that are nowhere
/// else on disk, so that a killed program loses no more than a few seconds of them. A clean exit deletes them.
std::filesystem::path recovery_folder();

/// A run that was left there when a program was killed.
struct LostRun {
    std::filesystem::path folder;
    std::string name;
    std::int64_t step = 0;
    bool operator==(const LostRun&) const = default;
};

/// Returns the runs that no program is writing to, oldest first. What cannot be read is left out and not deleted.
std::vector<LostRun> lost_runs(const std::filesystem::path& recovery);

/// Returns an unused name in that folder and creates its parent folders; throws Error if they cannot be created.
std::filesystem::path new_recovery(const std::filesystem::path& recovery);

/// Deletes a run's folder, only if new_recovery() named it.
void remove_recovery(const std::filesystem::path& folder);

}  // namespace glassformer::app
