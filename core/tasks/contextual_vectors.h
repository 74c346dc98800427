#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// Runs many sentences and collects the residual stream after the embedding and after every block.
/// Sentences of one length run together, so that no time goes into padding. Not thread-safe; planned once.
class ContextualVectors {
public:
    ContextualVectors(Backend& backend, const TransformerConfig& config, std::vector<std::vector<int>> sentences);

    /// Layers collected: n_layers + 1 (0 is the embedding with its position).
    int layers() const { return layers_; }
    int d_model() const { return d_model_; }
    const std::vector<std::vector<int>>& sentences() const { return sentences_; }

    /// Runs every sentence with these parameters.
    void run(std::span<const float> parameters);
    /// After run(): the stream [d_model] of one word.
    std::span<const float> at(int layer, std::size_t sentence, int position) const;

private:
    static constexpr std::size_t largest_batch = 64;

    /// The sentences of one length.
    struct Group {
        std::size_t batch = 0;  // that many run at a time
        TransformerGraph model;
        std::vector<int> streams;  // node ids, by layer
        std::unique_ptr<Execution> run;
        std::vector<std::size_t> members;
    };

    void run_batch(Group& group, std::size_t first, std::span<const float> parameters);

    std::vector<std::vector<int>> sentences_;
    int layers_, d_model_;
    std::map<std::size_t, Group> groups_;       // by length
    std::vector<std::size_t> first_word_;       // by sentence, into values_
    std::vector<std::vector<float>> values_;    // by layer: [word, d_model]
    std::vector<float> tokens_, ones_, block_;  // one batch
};

}  // namespace glassformer
