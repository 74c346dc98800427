#pragma once

#include <cstdint>

#include "tests/cli/program.h"

namespace glassformer {

/// The arguments that train and keep the run, with a state every seven steps.
inline std::vector<std::string> keep(const std::filesystem::path& folder, const std::string& world,
                                     const std::string& steps) {
    return {"train", "--world", world, "--steps", steps, "--batch", "8", "--run", folder.string(), "--save-every", "7"};
}

/// Kills the program once the run's folder has a state of at least this step.
inline void kill_at_state(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                          std::int64_t step) {
    const auto reached = [&] {
        for (std::int64_t s = step; s < step + 100; ++s)
            if (std::filesystem::exists(folder / ("state-" + std::to_string(s) + ".safetensors"))) return true;
        return false;
    };
    kill_when(arguments, reached);
}

}  // namespace glassformer
