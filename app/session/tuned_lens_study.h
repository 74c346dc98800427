#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/study.h"
#include "core/analysis/tuned_lens_training.h"

namespace glassformer::app {

/// A tuned lens for the open model at one step, without changes, trained on sentences that the model's training draws.
struct TunedLensShown {
    std::weak_ptr<const ParameterValues> parameters;  // that it was trained for; it can only read traces of these
    TrainOptions drawing;                             // which sentences it learned from, see drawing_of()
    std::int64_t step = 0;
    std::string why_not;                    // why there is none
    int learned = 0, held_out = 0;          // numbers of sentences
    double share = 0;                       // of the work that is done
    std::shared_ptr<const TunedLens> lens;  // null until it is trained
};

/// Trains a tuned lens once it is asked for, while the step stays on screen.
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
        std::shared_ptr<const BatchSource> sentences;  // those that the training draws
        std::uint64_t seed = 1;
        Parameters parameters;
        std::optional<StreamCollector> collector;
        StreamRows learn;
        int batches = 0;  // number of batches run
        std::optional<TunedLensTraining> training;
    };

    void begin(const Subject& of, const TrainOptions& drawing);
    /// Runs a batch of the world; after the last one, starts the training.
    void collect(Running& r, CpuBackend& backend);

    bool asked_ = false;
    std::optional<Running> running_;
    std::shared_ptr<TunedLensShown> shown_;  // replaced, never modified, once shown
};

}  // namespace glassformer::app
