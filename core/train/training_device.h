#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/nn/transformer.h"
#include "core/train/optimizer.h"
#include "core/train/running_statistics.h"
#include "core/train/train_options.h"

namespace glassformer {

/// Makes a Trainer's updates elsewhere than on the processor, with parameters, gradients and moments of its own. Where
/// a call throws Error, the trainer continues on the processor.
class TrainingDevice {
public:
    /// Updates that may be on their way at once.
    static constexpr int most_pending = 8;

    struct Report {
        std::int64_t update = 0;  // as OptimizerState counts them
        float loss = 0.0f;
        double gradient_norm = 0.0;
        bool finite = true;  // whether every number inside the forward pass was
    };                       // where one of the three is not finite, neither this update nor a later one was made

    virtual ~TrainingDevice() = default;

    /// "GPU · NVIDIA …".
    virtual std::string description() const = 0;
    /// Another graph of the same parameters (batch, dropout); everything is to be written again. Throws Error with the
    /// plan left as it was.
    virtual void plan(const TransformerGraph& model, const RunningStatistics& statistics) = 0;
    /// From the next step on.
    virtual void set_method(const OptimizerOptions& options, float clip) = 0;
    /// Takes the gradient of these cells, and of no others, for 0.
    virtual void freeze_at_zero(std::span<const ParameterRange> ranges) = 0;
    /// What the next step starts from; m and v are empty where the method has none.
    virtual void write(std::span<const float> parameters, std::span<const float> m, std::span<const float> v,
                       std::int64_t updates) = 0;

    /// For the batch: set its inputs before each step.
    virtual Execution& execution() = 0;
    /// One update, queued; `shares` is what RunningStatistics::shares() says of its batch. Throws Error when
    /// most_pending reports were not taken.
    virtual void step(float learning_rate, std::span<const float> shares) = 0;
    /// The oldest report that was not handed out yet: none where it has not arrived, or, `waiting` for it, where none
    /// is on its way.
    virtual std::optional<Report> report(bool waiting) = 0;

    // After all that is queued.
    virtual void read_parameters(std::span<float> parameters) const = 0;
    virtual void read_gradients(std::span<float> gradients) const = 0;
    virtual void read_moments(std::span<float> m, std::span<float> v) const = 0;
};

}  // namespace glassformer
