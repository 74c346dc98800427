#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/nn/config.h"
#include "core/train/task.h"
#include "core/train/train_options.h"

namespace glassformer::app {

/// Everything that determines a training: while the world's files stay the same, the same set-up gives the same bytes.
struct TrainingSetup {
    std::string world;                     // as make_task takes it: a name or a file; or the name of `source`
    std::optional<std::string> unit = {};  // for a text: what its tokens are
    TransformerConfig config;              // sizes and switches; inputs and outputs are the world's
    TrainOptions options;
    /// The world, if it comes from the user's own file, which is then not read again. Null: it is found by its name.
    std::shared_ptr<const WorldSource> source = nullptr;
    bool operator==(const TrainingSetup&) const = default;
};

/// Returns the set-up with these heads removed as well: they stay at zero during training. Throws Error naming the
/// layer or the head that the model does not have.
TrainingSetup without_heads(TrainingSetup setup, std::span<const RemovedHead> heads);

/// The same for the heads that are removed in `from`, whose model may be built differently, with their cells elsewhere.
TrainingSetup without_heads_of(TrainingSetup setup, const TrainingSetup& from);

/// Describes the removed heads of a set-up: "head 0.1 removed"; empty if there are none.
std::string describe_removed(const TrainingSetup& setup);

/// Describes which sentences a training draws: "seed 2, 10 % of the training sentences".
std::string describe_drawing(const TrainOptions& options);

/// Describes what changes from one set-up to another, for the list of runs: "learning rate 0.05, no warm-up"; empty if
/// they are the same.
std::string describe_change(const TrainingSetup& from, const TrainingSetup& to);

}  // namespace glassformer::app
