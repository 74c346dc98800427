#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

namespace glassformer::app {

/// Whether the steps of the timelines that memory has no room for are kept on disk, and how much of it they may take.
struct DiskSteps {
    static constexpr std::array<int, 4> budgets{1, 4, 16, 64};  // in gigabytes, of all runs together

    bool on = false;
    int gigabytes = 4;  // one of them
    bool operator==(const DiskSteps&) const = default;

    std::uint64_t bytes() const { return static_cast<std::uint64_t>(gigabytes) << 30; }
};

/// $XDG_CACHE_HOME/glassformer/steps, or under ~/.cache, or among the system's temporary files. What is in it goes with
/// the program.
std::filesystem::path disk_steps_folder();

}  // namespace glassformer::app
