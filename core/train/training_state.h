#pragma once

#include <cstdint>

#include "core/base/reflection.h"
#include "core/graph/parameters.h"

namespace glassformer {

/// Stochastic gradient descent (Robbins & Monro 1951), with momentum (Polyak 1964), Adam (Kingma & Ba 2015), AdamW
/// (Loshchilov & Hutter 2019).
enum class OptimizerKind { sgd, momentum, adam, adamw };
template <>
inline constexpr auto enum_names<OptimizerKind> = names_up_to<OptimizerKind::adamw>("sgd", "momentum", "adam", "adamw");

/// What an optimizer remembers from one update to the next; shared, never changed.
struct OptimizerState {
    OptimizerKind kind = OptimizerKind::adamw;
    std::int64_t updates = 0;   // made since the moments were 0
    Parameters m = {}, v = {};  // null where the method has none, or where they were not kept

    /// Whether everything that the method needs is there.
    bool complete() const;
};

/// Everything but the options that decides what a training does next: from the same state and options it continues with
/// the same bytes. Batches and dropout are drawn from (seed, step); the running statistics of batch
/// normalization are cells of the parameters. A snapshot: shared, never changed.
struct TrainingState {
    std::int64_t step = 0;  // updates made so far
    Parameters parameters = {};
    OptimizerState optimizer = {};
    std::uint64_t seed = 1;

    /// Whether training continues from here as it did the first time; a state of parameters alone can be looked at, and
    /// trained on with new moments.
    bool exact() const { return step == 0 || optimizer.complete(); }
    /// Bytes of its values.
    std::size_t bytes() const;
};

}  // namespace glassformer
