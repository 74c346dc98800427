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
#include "core/train/train_options.h"
#include "core/train/training_device.h"

namespace glassformer {

/// The loss of each word of a batch: a forward pass of its own, so that training itself never pays for it. Not
/// thread-safe.
class TokenLosses {
public:
    /// For this model; throws Error when it has no loss.
    TokenLosses(Backend& backend, const TransformerGraph& model);

    /// In the shape of the batch's loss_weights ([batch, pos]; [batch] for classes): −log p(target), or the mean
    /// squared error of values; NaN where nothing is to be predicted (weight 0). Their mean, weighted with
    /// loss_weights, is the batch's loss as the update of number `step` saw it, dropout included. In nats. Valid until
    /// the next run().
    std::span<const float> run(std::span<const float> parameters, const Batch& batch, std::uint64_t seed,
                               std::int64_t step);

private:
    TransformerGraph model_;
    std::unique_ptr<Execution> run_;
    std::vector<float> losses_;
};

/// Where the first number that is not finite appeared in a step of training.
struct Diagnosis {
    enum class Where {
        nowhere,    // every number is finite
        parameter,  // a weight was not finite before the step
        forward,    // an op's output
        backward,   // a parameter's gradient: the first that the backward pass came to
        norm        // every gradient is finite, but their squares are too large to be added up
    };
    Where where = Where::nowhere;
    std::int64_t step = 0;   // the update that was not made
    int node = -1;           // graph node of the op (forward: that made the value; backward: that read the parameter)
    std::string op;          // "linear"; empty where there is none
    std::string node_name;   // "blocks.0.mlp.hook_pre"
    std::string parameter;   // the op's own parameter, or the nearest one before it; empty where there is none
    std::int64_t cell = -1;  // row-major, of the node's value, the parameter, or the parameter's gradient
    float value = 0.0f;      // NaN, inf or −inf; of `norm`, the largest gradient
    std::string cell_text;   // "[3, 2, 17]"

    /// In words: "the first such value is inf in blocks.0.mlp.hook_pre [3, 2, 17] (linear, with blocks.0.mlp.W_in)".
    std::string text() const;
};

/// Runs update number `step` again up to its gradients, with every value kept, and finds the first that is not finite:
/// the first op in graph order on the way to the loss, else the first parameter that the backward pass gave such a
/// gradient. −∞ that a mask writes is as it should be. Slow; allocates.
Diagnosis diagnose(Backend& backend, const TransformerGraph& model, std::span<const float> parameters,
                   const Batch& batch, std::uint64_t seed, std::int64_t step);

/// What one update reports.
struct StepReport {
    std::int64_t step = 0;  // updates made so far, this one included
    float loss = 0.0f;      // of the batch, before the update
    double gradient_norm = 0.0;
    float learning_rate = 0.0f;
    float clip_factor = 1.0f;  // what the gradient was multiplied with
    std::int64_t words = 0;    // of the batch, padding left out
    bool finite = true;        // whether every number inside the forward pass was

    /// Whether everything in it is finite, so that the update may be made.
    bool is_finite() const;
};

/// What the newest update was made of. The spans have a value for each parameter, in the graph's flat order, and are
/// valid until the trainer's next change.
struct StepInside {
    StepReport report;
    std::span<const float> gradients;  // before clipping; 0 in cells held at zero
    std::span<const float> m, v;       // after the update; empty where the method has none
    const Batch* batch = nullptr;      // that it learned from
    // Only of an update that was watched, else empty:
    std::span<const float> parameters_before, m_before, v_before;
};

/// What an update overwrites, kept so that the update can be looked at afterwards.
class StepSnapshot {
public:
    /// Before an update: copies the parameters and the moments. Allocates nothing but the first time.
    void keep(std::span<const float> parameters, const Optimizer& optimizer);
    /// Nothing is kept any more.
    void forget() { kept_ = false; }
    bool kept() const { return kept_; }

    /// As they were before the newest update; m and v are empty where the method has none.
    std::span<const float> parameters() const { return parameters_; }
    std::span<const float> m() const { return m_; }
    std::span<const float> v() const { return v_; }

    /// parameters − those before, each.
    std::span<const float> change(std::span<const float> parameters);

private:
    AlignedFloats parameters_, m_, v_, change_;
    bool kept_ = false;
};

/// Trains one model. The same seed gives the same parameters, byte for byte, on any number of
/// threads of the same machine. Not thread-safe. After the first step nothing is allocated.
///
/// The updates are made on the processor, or on a TrainingDevice (use()), which keeps parameters and moments to itself
/// until they are read here.
class Trainer {
public:
    /// At step 0 with the seed's fresh parameters. Throws Error when an option is out of range, or a range that is held
    /// at zero is not in the model.
    Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options);
    /// Goes on from that state, as restore() does, and throws as it does; no fresh parameters are drawn.
    Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
            const TrainOptions& options, const TrainingState& state);

    /// One update. Throws Error, with the parameters left as they were, when the loss or the gradient is not finite, or
    /// a number inside the model, whether or not the loss shows it; the message names the step and where the first such
    /// number appeared, and trouble() has it in parts.
    StepReport step();
    /// Starts one update without waiting for it, on a device, and returns the oldest report that has arrived and was
    /// not returned yet (usually of an earlier step), if any. On the processor it is the same as step(). Throws for
    /// those steps as step() does; steps() is then the last one made. In a turn between two frames (take_turns()) the
    /// processor makes of the update what fits into the turn, and the next call goes on with it; a change of what it
    /// depends on begins it again.
    std::optional<StepReport> step_async();
    /// Waits for the oldest step that step_async() has queued; none when every report was returned.
    std::optional<StepReport> next_report();

    /// Continues from here on that device, or on the processor (null), with the same parameters, moments and number of
    /// steps. Waits for all queued steps, whose reports are lost. Throws Error, with nothing changed, when the device
    /// cannot run this model.
    void use(std::unique_ptr<TrainingDevice> device);
    /// Null on the processor.
    const TrainingDevice* device() const { return device_.get(); }
    /// Why the device is no longer used, in a sentence, once; else "". Training then continues on the processor: step()
    /// repeats the steps that only the device knew, a hundred at most, and step_async() and next_report() return the
    /// reports that were lost with it; other calls go back to the last step known here.
    std::string take_device_trouble() { return std::exchange(device_trouble_, {}); }

    /// Back to step 0 with the seed's fresh parameters.
    void reset(std::uint64_t seed);
    /// All that decides what comes next; a copy.
    TrainingState state() const;
    /// Goes on from that state: with the same options, the same bytes as the first time. Moments of another method, and
    /// those that were not kept, start over. Throws Error, with nothing changed, for a state of another model.
    void restore(const TrainingState& state);
    /// Goes on from these parameters as if `step` updates had been made; the optimizer's moments start over.
    void restore(std::span<const float> parameters, std::int64_t step);

    std::int64_t steps() const { return steps_; }
    /// On a device: waits for all queued steps, and copies.
    std::span<const float> parameters() const {
        fetch();
        return parameters_;
    }
    const TransformerConfig& config() const { return model_.config; }
    const Graph& graph() const { return *model_.graph; }
    /// Where the batches come from: see training_batches().
    const BatchSource& batches() const { return *batches_; }
    const TrainOptions& options() const { return options_; }
    const Optimizer& optimizer() const {
        fetch();
        return *optimizer_;
    }

    // Settings, from the next step on. Each throws Error, with nothing changed, for a number out of range.
    void set_peak_learning_rate(float rate) { options_.schedule.peak = rate; }
    void set_schedule(const Schedule& schedule);
    void set_clip(float norm);
    void set_batch(int batch);
    /// Dropout in training, 0 … 1, 1 excluded; the parameters stay as they are.
    void set_dropout(float share);
    /// Other numbers of the same method keep its moments; another method starts with new ones.
    void set_optimizer(const OptimizerOptions& options);
    /// These cells, and no others, become 0 and stay 0: their gradient is taken for 0. Those let go learn again.
    void freeze_at_zero(std::vector<ParameterRange> ranges);
    /// Adds a head to those held at zero (see head_output).
    void remove_head(const std::string& attention, int head);

    // Looking in.
    /// Whether steps keep what they overwrite; three copies of the parameters' size each.
    void watch(bool on);
    bool watching() const { return watching_; }
    /// Throws Error before the first step, and after a change that the newest step does not belong to.
    StepInside inside() const;
    /// What the newest update added to each parameter, in the graph's flat order; Error when it was not watched.
    std::span<const float> last_update();
    /// The loss of each word of the newest step's batch (see TokenLosses), computed now; Error when the step was not
    /// watched.
    std::span<const float> loss_of_tokens();
    const RunningStatistics& running_statistics() const { return *statistics_; }
    const Execution& execution() const { return device_ ? device_->execution() : *run_; }

    /// Where the numbers broke, when the newest step() threw for that.
    const std::optional<Diagnosis>& trouble() const { return trouble_; }

private:
    /// With everything but values for the parameters.
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
    /// The first step whose report was not handed out yet, or is still to be made.
    std::int64_t first_unreported() const;
    std::optional<StepReport> take_delayed_report();
    StepReport resume_on_cpu(const std::string& why, std::int64_t wanted, std::int64_t unreported);
    void require_finite(const StepReport& report);
    /// Makes what is here the newest there is.
    void fetch() const;
    void drop_reports() const;
    /// The same, and what is here goes to the device before the next step.
    void transfer();
    void give_up_device(const std::string& why) const;

    CpuBackend& backend_;
    std::shared_ptr<const BatchSource> batches_;
    TrainOptions options_;
    TransformerGraph model_;
    std::unique_ptr<RunningStatistics> statistics_;
    std::unique_ptr<Optimizer> optimizer_;
    Batch batch_;
    bool device_configured_ = false;  // the device has the settings
    bool device_current_ = false;     // the device has the parameters and moments that are here
    // What a look at a device renews: it fetches, and may find that the device is lost.
    mutable std::unique_ptr<Execution> run_;  // of the processor; null on a device
    mutable AlignedFloats parameters_, gradients_;
    mutable std::int64_t steps_ = 0;
    mutable std::unique_ptr<TrainingDevice> device_;
    struct Queued {
        StepReport report;
        float clip = 0.0f;  // that the step was made with
    };
    mutable std::vector<Queued> queued_;       // on their way
    std::vector<StepReport> delayed_reports_;  // of steps made again on the processor, not handed out yet
    mutable std::int64_t updates_ = 0;         // of the device's optimizer
    mutable std::int64_t fetched_ = 0;         // the step that what is here belongs to
    mutable std::string device_trouble_;

    enum class Part { none, forward, backward };
    Part next_part_ = Part::none;  // of the update that was begun in an earlier turn
    bool begins_part_ = false;
    bool watching_ = false;
    StepSnapshot watch_;
    std::optional<StepReport> last_;
    std::unique_ptr<TokenLosses> token_losses_;
    std::optional<Diagnosis> trouble_;
};

}  // namespace glassformer
