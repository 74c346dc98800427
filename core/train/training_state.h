#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glassformer {

/// Everything that a training goes on from: with the same settings, training on from here gives the same bytes as never
/// having stopped.
struct TrainingState {
    /// What an optimizer remembers of each parameter: Adam's "m" and "v".
    struct Moment {
        std::string name;
        std::vector<float> values;  // one for each parameter
        bool operator==(const Moment&) const = default;
    };

    std::int64_t step = 0;     // updates made since the run began
    std::int64_t updates = 0;  // of the optimizer, since its moments were 0
    std::vector<float> parameters;
    std::vector<Moment> moments;  // none for an optimizer that remembers nothing

    bool operator==(const TrainingState&) const = default;
};

}  // namespace glassformer
