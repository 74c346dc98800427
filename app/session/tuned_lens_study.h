#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/active_model.h"
#include "core/analysis/tuned_lens_training.h"

namespace glassformer::app {

/// A tuned lens of the open model as it was at one step, without changes, learned from sentences of its world.
struct TunedLensShown {
    std::weak_ptr<const ParameterValues> parameters;  // that it was learned with: it reads traces of these alone
    std::int64_t step = 0;
    std::string why_not;                    // why there is none
    int learned = 0, held_out = 0;          // sentences
    double share = 0;                       // of the work that is done
    std::shared_ptr<const TunedLens> lens;  // null as long as it is learned
};

/// Learns it once it is asked for, as long as the step stays on screen.
class TunedLensStudy {
public:
    static constexpr int batches = 8, of_a_batch = 64;
    static constexpr std::int64_t most_rows = 8192, most_held_out = 2048;

    void ask(bool go) {
        asked_ = go;
        if (!go) forget();
    }
    void forget() {
        running_.reset();
        shown_ = nullptr;
    }
    /// For Snapshot::tuned_lens; null where none was asked for of this step.
    std::shared_ptr<const TunedLensShown> shown(ActiveModel& model, CpuBackend& backend, const Parameters& parameters,
                                                std::int64_t step);
    bool under_way() const { return running_.has_value(); }
    /// Goes on for about `seconds`. Throws Error where the model has no such lens.
    void work_for(double seconds, CpuBackend& backend);

private:
    struct Running {
        std::shared_ptr<const Task> task;
        TransformerConfig config;
        std::uint64_t seed = 1;
        Parameters parameters;
        std::optional<StreamCollector> collector;
        StreamRows learn;
        int batches = 0;  // that were run
        std::optional<TunedLensTraining> training;
    };

    /// Runs a batch of the world; with the last one the training begins.
    void collect(Running& r, CpuBackend& backend);

    bool asked_ = false;
    std::optional<Running> running_;
    std::shared_ptr<TunedLensShown> shown_;  // made anew before it changes
};

}  // namespace glassformer::app
