#pragma once

#include <memory>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/nn/transformer.h"
#include "core/train/adamw.h"
#include "core/train/batch_source.h"
#include "core/train/running_statistics.h"
#include "core/train/schedule.h"
#include "core/train/training_state.h"

namespace glassformer {

/// How a Trainer trains.
struct TrainOptions {
    Schedule schedule;
    AdamWOptions adamw;
    float clip = 1.0f;  // largest norm of the whole gradient
    int batch = 64;
    std::uint64_t seed = 1;
};

/// What one update reports.
struct StepReport {
    std::int64_t step = 0;  // updates made so far, this one included
    float loss = 0.0f;      // of the batch, before the update
    double gradient_norm = 0.0;
    float learning_rate = 0.0f;
    std::int64_t tokens = 0;  // read from the batch, padding left out
};

/// Trains one model. The same seed gives the same parameters, byte for byte, on any number of
/// threads of the same machine. Not thread-safe. After the first step nothing is allocated.
class Trainer {
public:
    Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options);

    /// One update. Throws Error, with the parameters left as they were, when the loss or the gradient is not finite.
    StepReport step();

    /// Back to step 0 with the seed's fresh parameters.
    void reset(std::uint64_t seed);
    /// Goes on from these parameters as if `step` updates had been made; the optimizer's moments start anew.
    void restore(std::span<const float> parameters, std::int64_t step);
    /// Goes on from a state as if the training had never stopped: the same settings give the same bytes. Throws Error,
    /// with nothing changed, when the state is not of this model and optimizer.
    void restore(const TrainingState& state);
    TrainingState state() const;

    std::int64_t steps() const { return steps_; }
    std::span<const float> parameters() const { return parameters_; }
    const TransformerConfig& config() const { return model_.config; }
    const TrainOptions& options() const { return options_; }
    void set_peak_learning_rate(float rate) { options_.schedule.peak = rate; }
    void set_batch(int batch);

private:
    void plan();
    void set_inputs();
    void require_parameters(std::size_t count) const;

    CpuBackend& backend_;
    std::shared_ptr<const BatchSource> batches_;
    TrainOptions options_;
    TransformerGraph model_;
    std::unique_ptr<RunningStatistics> statistics_;
    std::unique_ptr<Execution> run_;
    AdamW optimizer_;
    AlignedFloats parameters_, gradients_;
    Batch batch_;
    std::int64_t steps_ = 0;
};

}  // namespace glassformer
