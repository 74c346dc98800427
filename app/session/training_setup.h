#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/nn/config.h"
#include "core/train/task.h"
#include "core/train/train_options.h"

namespace glassformer::app {

/// Everything that decides a training: with the world's files as they are, the same set-up gives the same bytes.
struct TrainingSetup {
    std::string world;                     // as make_task takes it: a name or a file; or the name of `source`
    std::optional<std::string> unit = {};  // of a text: what its tokens are
    TransformerConfig config;              // sizes and switches; what it reads and says is the world's
    TrainOptions options;
    /// The world, where it is of a person's own file: then that is not read again. Null: it is found by its name.
    std::shared_ptr<const WorldSource> source = nullptr;
    bool operator==(const TrainingSetup&) const = default;
};

/// The same model without these heads, too: they stay at zero while it is trained. Throws Error naming the layer or the
/// head that it does not have.
TrainingSetup without_heads(TrainingSetup setup, std::span<const RemovedHead> heads);

/// What a set-up changes about another one, in words for the list of runs: "learning rate 0.05, no warm-up"; empty
/// where they are the same.
std::string describe_change(const TrainingSetup& from, const TrainingSetup& to);

}  // namespace glassformer::app
