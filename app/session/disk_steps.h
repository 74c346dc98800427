#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

namespace glassformer::app {

/// Whether timeline steps that do not fit in memory are kept on disk, and how much space they may take.
struct DiskSteps {
    static constexpr std::array<int, 4> budgets{1, 4, 16, 64};  // in GiB, for all runs together

    bool on = false;
    int gigabytes = 4;  // one of `budgets`
    bool operator==(const DiskSteps&) const = default;

    std::uint64_t bytes() const { return static_cast<std::uint64_t>(gigabytes) << 30; }
};

/// Returns $XDG_CACHE_HOME/glassformer/steps, or the same under ~/.cache, or a folder among the system's temporary
/// files. Its content is deleted when the program ends.
std::filesystem::path disk_steps_folder();

}  // namespace glassformer::app
