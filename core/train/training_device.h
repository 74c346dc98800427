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

/// Makes a Trainer's updates somewhere other than the CPU, with its own parameters, gradients and moments. If a call
/// throws Error, the trainer continues on the CPU.
class TrainingDevice {
public:
    /// The most updates that may be in flight at once.
    static constexpr int most_pending = 8;

    struct Report {
        std::int64_t update = 0;  // counted as in OptimizerState
        float loss = 0.0f;
        double gradient_norm = 0.0;
        bool finite = true;  // whether every number of the forward pass was finite
    };                       // if any of the three is not finite, neither this update nor any later one was made

    virtual ~TrainingDevice() = default;

    /// "GPU · NVIDIA …".
    virtual std::string description() const = 0;
    /// Switches to another graph with the same parameters (batch, dropout); everything must be written again. Throws
    /// Error, leaving the old plan in place.
    virtual void plan(const TransformerGraph& model, const RunningStatistics& statistics) = 0;
    /// Applies from the next step on.
    virtual void set_method(const OptimizerOptions& options, float clip) = 0;
    /// Treats the gradient of exactly these cells as 0.
    virtual void freeze_at_zero(std::span<const ParameterRange> ranges) = 0;
    /// Sets what the next step starts from; m and v are empty if the method has none.
    virtual void write(std::span<const float> parameters, std::span<const float> m, std::span<const float> v,
                       std::int64_t updates) = 0;

    /// Use it to set the batch's inputs before each step.
    virtual Execution& execution() = 0;
    /// Queues one update; `shares` is RunningStatistics::shares() of its batch. Throws Error if most_pending reports
    /// have not been taken.
    virtual void step(float learning_rate, std::span<const float> shares) = 0;
    /// Takes the oldest report. Returns nothing if it has not arrived yet; with `waiting`, only if no update is in
    /// flight.
    virtual std::optional<Report> report(bool waiting) = 0;

    // These wait for everything that is queued.
    virtual void read_parameters(std::span<float> parameters) const = 0;
    virtual void read_gradients(std::span<float> gradients) const = 0;
    virtual void read_moments(std::span<float> m, std::span<float> v) const = 0;
};

}  // namespace glassformer
