#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"
#include "core/train/task.h"

namespace glassformer {

/// One batch that never changes (held-out data), run forward again and again as the parameters change. Not
/// thread-safe.
class FixedBatch {
public:
    /// `keep` names the nodes to read afterwards ("logits", "blocks.1.attn.hook_pattern"); throws Error when one does
    /// not exist.
    FixedBatch(Backend& backend, const TransformerConfig& config, const BatchShape& shape, Batch batch,
               const std::vector<std::string>& keep = {"logits"});

    void run(std::span<const float> parameters);
    /// The values of a kept node after run(), row-major, batch axis first; valid until the next run().
    std::span<const float> values(const std::string& name);
    /// The logits of one word of a row, where "logits" are kept.
    std::span<const float> logits(std::size_t row, std::size_t position);

    const TransformerGraph& model() const { return model_; }
    const Batch& batch() const { return batch_; }

private:
    struct Kept {
        std::string name;
        int node;
        std::vector<float> values;
        bool read = false;  // since the last run
    };

    TransformerGraph model_;
    Batch batch_;
    std::unique_ptr<Execution> run_;
    std::vector<Kept> kept_;
};

/// The index of the largest of a row's values (the first of equals).
int argmax(std::span<const float> row);

/// The training's own loss on one batch that it never sees (BatchSource::eval_batch). Its distance from the loss of the
/// training batches tells learning the language from learning sentences by heart. Not thread-safe.
class HeldOutLoss {
public:
    static constexpr int sentences = 64;

    /// For models of `config`, which read and say what the task's own does.
    HeldOutLoss(Backend& backend, const Task& task, const TransformerConfig& config);

    /// In the unit of the loss, nats per predicted word or mean squared error; dropout off.
    float measure(std::span<const float> parameters);

private:
    FixedBatch batch_;
};

}  // namespace glassformer
