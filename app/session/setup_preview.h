#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/session/training_setup.h"
#include "core/graph/graph.h"

namespace glassformer {
class CpuBackend;
}

namespace glassformer::app {

/// What a set-up would give, for the window where it is chosen. Immutable.
struct SetupPreview {
    TrainingSetup setup;                 // as asked, with the sizes that the world determines filled in
    std::string refusal;                 // why it cannot be made, in one sentence; the next fields may then be unset
    std::shared_ptr<const Graph> graph;  // of a short sentence, for the map
    std::int64_t parameter_count = 0;
    double step_seconds = 0.0;       // one update, measured; 0: not measured
    std::string metric_name, title;  // of the world
    std::int64_t trained_on = 0;     // sentences used: training_size times the data share
    // Of the world alone: set even beside a refusal, unless the world itself is refused.
    std::vector<std::string> units;  // units into which its text can be cut; empty if it is not a text
    std::int64_t training_size = 0;  // see BatchSource::size()
};

/// Makes the world and the model's graph. With `measure`, also times one update after a warm-up update, which takes as
/// long as the two do. Never throws because of what the set-up says: see `refusal`.
SetupPreview preview(CpuBackend& backend, const TrainingSetup& setup, const std::filesystem::path& worlds,
                     bool measure);

/// Returns how a world proposes to be trained (`source`: the world's content, if given). Throws Error as make_task()
/// does.
TrainingSetup proposed_setup(const std::string& world, const std::optional<std::string>& unit,
                             const std::filesystem::path& worlds,
                             const std::shared_ptr<const WorldSource>& source = nullptr);

}  // namespace glassformer::app
