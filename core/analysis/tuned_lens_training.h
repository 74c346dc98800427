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

/// The streams of many positions, by layer: [rows, d_model].
struct StreamRows {
    std::vector<AlignedFloats> layers;
    std::int64_t rows = 0;
    int sentences = 0;
};

/// Runs a model on batches of a world and collects the streams of all their words. Planned once; not thread-safe.
class StreamCollector {
public:
    /// Throws Error as OutputHead does.
    StreamCollector(Backend& backend, const TransformerConfig& config, const BatchShape& shape);

    /// Adds those of a batch, padding left out, up to `most` rows.
    void add(const Batch& batch, const ParameterView& parameters, std::int64_t most, StreamRows& to);
    const OutputHead& head() const { return head_; }

private:
    OutputHead head_;
    std::unique_ptr<Execution> run_;
    std::vector<float> block_;
};

/// Learns the maps, layer by layer, by Adam on KL(model ‖ lens) at positions drawn from `learn`. Of every layer the
/// step is kept that did best on `held_out`, the logit lens being step 0: there no layer is ever worse than it.
class TunedLensTraining {
public:
    struct Options {
        int steps = 400, rows = 256, check_every = 25;
        float learning_rate = 3e-3f;  // falls to 0 in a straight line
        std::uint64_t seed = 1;
    };

    /// Keeps a reference to the pool. Throws Error where the output head reads more than a position's own stream, and
    /// where there are no rows.
    TunedLensTraining(OutputHead head, Parameters parameters, StreamRows learn, StreamRows held_out, ThreadPool& pool,
                      const Options& options);
    TunedLensTraining(OutputHead head, Parameters parameters, StreamRows learn, StreamRows held_out, ThreadPool& pool)
        : TunedLensTraining(std::move(head), std::move(parameters), std::move(learn), std::move(held_out), pool,
                            Options()) {}

    bool done() const { return layer_ == layers(); }
    /// 0 … 1.
    double share() const;
    /// One step of one layer, and where it is due the look at the held-out positions.
    void work();
    const TunedLens& lens() const { return lens_; }

private:
    int layers() const { return static_cast<int>(lens_.maps.size()); }
    HeadRun::Outside outside();
    std::span<const float> rows(const AlignedFloats& stream, std::int64_t first, std::int64_t count) const;
    void begin_layer();
    void learn();
    /// The mean KL of the layer's map as it is now on the held-out rows.
    double held_out_kl();
    void check();

    OutputHead head_;
    Parameters parameters_;
    StreamRows learn_, held_out_;
    ThreadPool& pool_;
    Options options_;
    TunedLens lens_;
    Graph map_graph_;  // A and b alone, for the optimizer
    std::unique_ptr<Optimizer> optimizer_;
    AlignedFloats now_, gradients_;
    int layer_ = 0, step_ = 0;
};

}  // namespace glassformer
