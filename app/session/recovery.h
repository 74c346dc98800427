#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace glassformer::app {

/// $XDG_STATE_HOME/glassformer/recovery, or under ~/.local/state: the runs that are nowhere else on disk, so that a
/// program that is killed loses no more than a few seconds of them. What is in it goes with a clean end.
std::filesystem::path recovery_folder();

/// A run that a program left there when it was killed.
struct LostRun {
    std::filesystem::path folder;
    std::string name;
    std::int64_t step = 0;
    bool operator==(const LostRun&) const = default;
};

/// Those that no program is writing to, the oldest first. What cannot be read is left out, and left where it is.
std::vector<LostRun> lost_runs(const std::filesystem::path& recovery);

/// A name in that folder that nothing has, made with the folders above it; throws Error when they cannot be made.
std::filesystem::path new_recovery(const std::filesystem::path& recovery);

/// Takes a run away that new_recovery() gave a name to; nothing else.
void remove_recovery(const std::filesystem::path& folder);

}  // namespace glassformer::app
