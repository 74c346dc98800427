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

/// What a set-up would be, for the window that it is chosen in. Immutable.
struct SetupPreview {
    TrainingSetup setup;                 // as it was asked about; the sizes that the world gives are filled in
    std::string refusal;                 // why it cannot be made, in one sentence; then what follows is empty
    std::shared_ptr<const Graph> graph;  // of a short sentence, for the map
    std::int64_t parameter_count = 0;
    double step_seconds = 0.0;       // one update, measured; 0: not measured
    std::string metric_name, title;  // of the world
    std::int64_t trained_on = 0;     // how many of training_size the share is
    // Of the world alone, so that they are there beside a refusal, too, unless the world itself is refused.
    std::vector<std::string> units;  // what its text may be cut into; empty where it is no text
    std::int64_t training_size = 0;  // see BatchSource::size()
};

/// Makes the world and the model's graph. With `measure`, times an update or two, which takes as long as those do.
/// Never throws for what the set-up says: see `refusal`.
SetupPreview preview(CpuBackend& backend, const TrainingSetup& setup, const std::filesystem::path& worlds,
                     bool measure);

/// How a world proposes to be learned (`source`: a world that is carried); throws Error as make_task() does.
TrainingSetup proposed_setup(const std::string& world, const std::optional<std::string>& unit,
                             const std::filesystem::path& worlds,
                             const std::shared_ptr<const WorldSource>& source = nullptr);

}  // namespace glassformer::app
