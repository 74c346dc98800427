#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/analysis/output_head.h"
#include "core/analysis/tuned_lens.h"
#include "core/graph/parameters.h"
#include "core/train/batch_source.h"
#include "core/train/optimizer.h"

namespace glassformer {

/// The streams at many positions, by layer: [rows, d_model].
struct StreamRows {
    std::vector<AlignedFloats> layers;
    std::int64_t rows = 0;
    int sentences = 0;
};

/// Runs a model on batches of a world and collects the streams of all their words. Planned once; not thread-safe.
class StreamCollector {
public:
    /// Throws Error like OutputHead.
    StreamCollector(Backend& backend, const TransformerConfig& config, const BatchShape& shape);

    /// Adds the streams of a batch without its padding, up to `most` rows in total.
    void add(const Batch& batch, const ParameterView& parameters, std::int64_t most, StreamRows& to);
    const OutputHead& head() const { return head_; }

private:
    OutputHead head_;
    std::unique_ptr<Execution> run_;
    std::vector<float> block_;
};

/// Learns the maps layer by layer, with Adam on KL(model ‖ lens) at positions drawn from `learn`. For each layer it
/// keeps the step that did best on `held_out`; step 0 is the logit lens, so no layer is ever worse there.
class TunedLensTraining {
public:
    struct Options {
        int steps = 400, rows = 256, check_every = 25;
        float learning_rate = 3e-3f;  // falls linearly to 0
        std::uint64_t seed = 1;
    };

    /// Keeps a reference to the pool. Throws Error if the output head reads more than a position's own stream, or if
    /// there are no rows.
    TunedLensTraining(OutputHead head, Parameters parameters, StreamRows learn, StreamRows held_out, ThreadPool& pool,
                      const Options& options);
    TunedLensTraining(OutputHead head, Parameters parameters, StreamRows learn, StreamRows held_out, ThreadPool& pool)
        : TunedLensTraining(std::move(head), std::move(parameters), std::move(learn), std::move(held_out), pool,
                            Options()) {}

    bool done() const { return layer_ == layers(); }
    /// Progress, 0 … 1.
    double share() const;
    /// Runs one step of one layer, plus the check on the held-out rows when it is due.
    void work();
    const TunedLens& lens() const { return lens_; }

private:
    int layers() const { return static_cast<int>(lens_.maps.size()); }
    HeadRun::Outside outside();
    std::span<const float> rows(const AlignedFloats& stream, std::int64_t first, std::int64_t count) const;
    void begin_layer();
    void learn();
    /// The mean KL of the layer's current map on the held-out rows.
    double held_out_kl();
    void check();

    OutputHead head_;
    Parameters parameters_;
    StreamRows learn_, held_out_;
    ThreadPool& pool_;
    Options options_;
    TunedLens lens_;
    Graph map_graph_;  // only A and b, for the optimizer
    std::unique_ptr<Optimizer> optimizer_;
    AlignedFloats now_, gradients_;
    int layer_ = 0, step_ = 0;
};

}  // namespace glassformer
