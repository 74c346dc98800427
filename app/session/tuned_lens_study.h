#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/study.h"
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
class TunedLensStudy : public Study {
public:
    static constexpr int batches = 8, of_a_batch = 64;
    static constexpr std::int64_t most_rows = 8192, most_held_out = 2048;

    void ask(bool go) {
        asked_ = go;
        if (!go) forget();
    }
    void forget() override {
        running_.reset();
        shown_ = nullptr;
    }
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override { return running_.has_value(); }
    void work(const Subject& of) override;

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

    void begin(const Subject& of);
    /// Runs a batch of the world; with the last one the training begins.
    void collect(Running& r, CpuBackend& backend);

    bool asked_ = false;
    std::optional<Running> running_;
    std::shared_ptr<TunedLensShown> shown_;  // made anew before it changes
};

}  // namespace glassformer::app
