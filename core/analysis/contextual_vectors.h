#pragma once

#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// Runs many sentences and collects the residual stream after the embedding and after every block.
/// Not thread-safe; planned once.
class ContextualVectors {
public:
    ContextualVectors(Backend& backend, const TransformerConfig& config, std::vector<std::vector<int>> sentences);

    /// Layers collected: n_layers + 1 (0 is the embedding with its position).
    int layers() const { return static_cast<int>(streams_.size()); }
    int d_model() const { return model_.config.d_model; }
    const std::vector<std::vector<int>>& sentences() const { return sentences_; }

    /// Runs every sentence with these parameters.
    void run(std::span<const float> parameters);
    /// After run(): the stream [d_model] of one word.
    std::span<const float> at(int layer, std::size_t sentence, int position) const;

private:
    static constexpr int batch = 32;

    std::vector<std::vector<int>> sentences_;
    TransformerGraph model_;
    std::vector<int> streams_;  // node ids
    std::unique_ptr<Execution> run_;
    std::vector<std::vector<float>> values_;  // by layer: [sentence, position, d_model]
};

}  // namespace glassformer
