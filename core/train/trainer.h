#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/nn/transformer.h"
#include "core/train/batch_source.h"
#include "core/train/optimizer.h"
#include "core/train/running_statistics.h"
#include "core/train/timeline.h"
#include "core/train/train_options.h"
#include "core/train/training_device.h"

namespace glassformer {

/// The loss of each word of a batch. Runs a separate forward pass, so that training itself never pays for it. Not
/// thread-safe.
class TokenLosses {
public:
    /// Throws Error if the model has no loss.
    TokenLosses(Backend& backend, const TransformerGraph& model);

    /// Returns the losses in the shape of the batch's loss_weights ([batch, pos]; [batch] for classes): −log p(target)
    /// in nats, or the mean squared error of values; NaN where nothing is predicted (weight 0). Their mean, weighted
    /// with loss_weights, is the loss that update number `step` saw, dropout included. Valid until the next run().
    std::span<const float> run(std::span<const float> parameters, const Batch& batch, std::uint64_t seed,
                               std::int64_t step);

private:
    TransformerGraph model_;
    std::unique_ptr<Execution> run_;
    std::vector<float> losses_;
};

/// Where the first non-finite number appeared in a training step.
struct Diagnosis {
    enum class Where {
        nowhere,    // every number is finite
        parameter,  // a weight was not finite before the step
        forward,    // an op's output
        backward,   // a parameter's gradient: the first that the backward pass reached
        norm        // every gradient is finite, but the sum of their squares overflows
    };
    Where where = Where::nowhere;
    std::int64_t step = 0;   // the update that was not made
    int node = -1;           // graph node of the op (forward: it computed the value; backward: it read the parameter)
    std::string op;          // "linear"; empty if there is none
    std::string node_name;   // "blocks.0.mlp.hook_pre"
    std::string parameter;   // the op's own parameter, or the nearest one before it; empty if there is none
    std::int64_t cell = -1;  // row-major, in the node's value, the parameter, or the parameter's gradient
    float value = 0.0f;      // NaN, inf or −inf; for `norm`, the largest gradient
    std::string cell_text;   // "[3, 2, 17]"

    /// In words: "the first such value is inf in blocks.0.mlp.hook_pre [3, 2, 17] (linear, with blocks.0.mlp.W_in)".
    std::string text() const;
};

/// Runs update number `step` again up to its gradients, keeping every value, and finds the first that is not finite:
/// the output of the first op in graph order on the path to the loss, otherwise the first parameter gradient of the
/// backward pass. A −∞ written by a mask is correct and passes. Slow; allocates.
Diagnosis diagnose(Backend& backend, const TransformerGraph& model, std::span<const float> parameters,
                   const Batch& batch, std::uint64_t seed, std::int64_t step);

/// What one update reports.
struct StepReport {
    std::int64_t step = 0;  // updates made so far, including this one
    float loss = 0.0f;      // of the batch, before the update
    double gradient_norm = 0.0;
    float learning_rate = 0.0f;
    float clip_factor = 1.0f;  // factor that the gradient was multiplied by
    std::int64_t words = 0;    // in the batch, padding excluded
    bool finite = true;        // whether every number of the forward pass was finite

    /// True if everything in it is finite, so that the update may be made.
    bool is_finite() const;
    /// The point of the training curves that it makes.
    MetricPoint point(double tokens_per_second) const;
};

/// What the newest update was made of. The spans have one value per parameter, in the graph's flat order, and are valid
/// until the trainer changes again.
struct StepInside {
    StepReport report;
    std::span<const float> gradients;  // before clipping; 0 in cells held at zero
    std::span<const float> m, v;       // after the update; empty if the method has none
    const Batch* batch = nullptr;      // the batch it learned from
    // Only for a watched update, otherwise empty:
    std::span<const float> parameters_before, m_before, v_before;
};

/// A copy of what an update overwrites, so that the update can be inspected afterwards.
class StepSnapshot {
public:
    /// Call this before an update: copies the parameters and the moments. Allocates only the first time.
    void keep(std::span<const float> parameters, const Optimizer& optimizer);
    /// Discards the copy.
    void forget() { kept_ = false; }
    bool kept() const { return kept_; }

    /// As they were before the newest update; m and v are empty if the method has none.
    std::span<const float> parameters() const { return parameters_; }
    std::span<const float> m() const { return m_; }
    std::span<const float> v() const { return v_; }

    /// `parameters` minus those before, element by element.
    std::span<const float> change(std::span<const float> parameters);

private:
    AlignedFloats parameters_, m_, v_, change_;
    bool kept_ = false;
};

/// Trains one model. The same seed gives the same parameters, byte for byte, on any number of threads of the same
/// machine. Not thread-safe. Allocates nothing after the first step.
///
/// Updates run on the CPU, or on a TrainingDevice (use()), which keeps parameters and moments to itself until they are
/// read here.
class Trainer {
public:
    /// Starts at step 0 with parameters initialised from the seed. Throws Error if an option is out of range, or a
    /// range to hold at zero is not in the model.
    Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options);
    /// Continues from that state without initialising parameters; throws as restore() does.
    Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options, const TrainingState& state);

    /// Makes one update. Throws Error, with the parameters unchanged, if the loss, the gradient or a number inside the
    /// model is not finite, even if the loss does not show it. The message names the step and where the first such
    /// number appeared; trouble() has the details.
    StepReport step();
    /// On a device: starts one update without waiting for it, and returns the oldest report that has arrived but was
    /// not returned yet (usually of an earlier step), if any. Throws for those steps as step() does; steps() is then
    /// the last one made. On the CPU: the same as step(), except in a turn between two frames (take_turns()). There it
    /// does as much of the update as fits into the turn, and the next call continues it; if anything that the update
    /// depends on changes, it starts again.
    std::optional<StepReport> step_async();
    /// Waits for the oldest step that step_async() queued. Returns nothing if every report has been returned.
    std::optional<StepReport> next_report();

    /// Continues from here on that device, or on the CPU (null), with the same parameters, moments and number of steps.
    /// Waits for all queued steps and discards their reports. Throws Error, with nothing changed, if the device cannot
    /// run this model.
    void use(std::unique_ptr<TrainingDevice> device);
    /// Null on the CPU.
    const TrainingDevice* device() const { return device_.get(); }
    /// Why the device is no longer used, in a sentence; returned once, then "". Training continues on the CPU: step()
    /// repeats the steps that only the device knew, at most a hundred, and step_async() and next_report() also return
    /// the reports lost with it. Any other call goes back to the last step known here.
    std::string take_device_trouble() { return std::exchange(device_trouble_, {}); }

    /// Goes back to step 0 with parameters initialised from the seed.
    void reset(std::uint64_t seed);
    /// A copy of everything that determines how training continues.
    TrainingState state() const;
    /// Continues from that state; with the same options, byte for byte as the first time. The moments start over if
    /// they are of another method or were not kept. Throws Error, with nothing changed, if the state is of another
    /// model.
    void restore(const TrainingState& state);
    /// Continues with these parameters as if `step` updates had been made; the optimizer's moments start over.
    void restore(std::span<const float> parameters, std::int64_t step);

    std::int64_t steps() const { return steps_; }
    /// On a device, waits for all queued steps and copies.
    std::span<const float> parameters() const {
        fetch();
        return parameters_;
    }
    const TransformerConfig& config() const { return model_.config; }
    const Graph& graph() const { return *model_.graph; }
    /// The source of the batches; see training_batches().
    const BatchSource& batches() const { return *batches_; }
    const TrainOptions& options() const { return options_; }
    const Optimizer& optimizer() const {
        fetch();
        return *optimizer_;
    }

    // Settings, from the next step on. Each throws Error, with nothing changed, if a value is out of range.
    void set_schedule(const Schedule& schedule);
    void set_clip(float norm);
    void set_batch(int batch);
    /// Dropout rate in training, in [0, 1); the parameters stay as they are.
    void set_dropout(float share);
    /// Keeps the moments if the method is the same; another method starts with new ones.
    void set_optimizer(const OptimizerOptions& options);
    /// Sets exactly these cells to 0 and keeps them there: their gradient counts as 0. Cells no longer listed learn
    /// again.
    void freeze_at_zero(std::vector<ParameterRange> ranges);
    /// Also holds this head at zero (see head_output).
    void remove_head(const std::string& attention, int head);

    // Inspection.
    /// Whether steps keep what they overwrite; takes three copies the size of the parameters.
    void watch(bool on);
    bool watching() const { return watching_; }
    /// Throws Error before the first step, and after a change that invalidates the newest step.
    StepInside inside() const;
    /// What the newest update added to each parameter, in the graph's flat order. Throws Error if it was not watched.
    std::span<const float> last_update();
    /// The loss of each word of the newest step's batch (see TokenLosses), computed now. Throws Error if the step was
    /// not watched.
    std::span<const float> loss_of_tokens();
    const RunningStatistics& running_statistics() const { return *statistics_; }
    const Execution& execution() const { return device_ ? device_->execution() : *run_; }

    /// Where the numbers broke, if that is why the newest step() threw.
    const std::optional<Diagnosis>& trouble() const { return trouble_; }

private:
    /// Tag: construct everything except the parameters' values.
    struct Empty {};
    Trainer(Empty, CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options);
    void plan(const TransformerConfig& config, int batch);
    void zero_held_cells();
    void clear_held_gradients();
    void forget_step();
    void require_watched() const;
    [[noreturn]] void throw_diagnosis(const StepReport& report);
    StepReport step_on_cpu();
    void begin_on_cpu();
    StepReport end_on_cpu();
    std::optional<StepReport> step_while_turn_lasts();
    void prepare_on_cpu();

    // On a device (trainer_device.cpp).
    StepReport step_on_device();
    void queue_step();
    void configure_device();
    std::optional<StepReport> take_report(bool waiting);
    /// The first step whose report has not been returned, or that is still to be made.
    std::int64_t first_unreported() const;
    std::optional<StepReport> take_delayed_report();
    StepReport resume_on_cpu(const std::string& why, std::int64_t wanted, std::int64_t unreported);
    void require_finite(const StepReport& report);
    /// Brings the copy here up to date with the device.
    void fetch() const;
    void drop_reports() const;
    /// Waits for the queued steps, fetches, and has the copy here written to the device before the next step.
    void transfer();
    void give_up_device(const std::string& why) const;

    CpuBackend& backend_;
    std::shared_ptr<const BatchSource> batches_;
    TrainOptions options_;
    TransformerGraph model_;
    std::unique_ptr<RunningStatistics> statistics_;
    std::unique_ptr<Optimizer> optimizer_;
    Batch batch_;
    bool device_configured_ = false;  // the device has the current settings
    bool device_current_ = false;     // the device has the parameters and moments of the copy here
    // Mutable because reading on a device fetches from it, and may find that it is lost.
    mutable std::unique_ptr<Execution> run_;  // on the CPU; null on a device
    mutable AlignedFloats parameters_, gradients_;
    mutable std::int64_t steps_ = 0;
    mutable std::unique_ptr<TrainingDevice> device_;
    struct Queued {
        StepReport report;
        float clip = 0.0f;  // used by the step
    };
    mutable std::vector<Queued> queued_;       // still running on the device
    std::vector<StepReport> delayed_reports_;  // of steps repeated on the CPU, not returned yet
    mutable std::int64_t updates_ = 0;         // of the device's optimizer
    mutable std::int64_t fetched_ = 0;         // the step that the copy here belongs to
    mutable std::string device_trouble_;

    enum class Part { none, forward, backward };
    Part next_part_ = Part::none;  // of the update begun in an earlier turn
    bool begins_part_ = false;
    bool watching_ = false;
    StepSnapshot watch_;
    std::optional<StepReport> last_;
    std::unique_ptr<TokenLosses> token_losses_;
    std::optional<Diagnosis> trouble_;
};

}  // namespace glassformer
