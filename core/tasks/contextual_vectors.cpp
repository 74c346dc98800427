#include "core/tasks/contextual_vectors.h"

#include <algorithm>

namespace glassformer {

ContextualVectors::ContextualVectors(Backend& backend, const TransformerConfig& config,
                                     std::vector<std::vector<int>> sentences)
    : sentences_(std::move(sentences)), layers_(config.n_layers + 1), d_model_(config.d_model) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
        first_word_.push_back(words);
        words += sentences_[i].size();
        groups_[sentences_[i].size()].members.push_back(i);
    }
    for (auto& [length, group] : groups_) {
        // As few batches as can be, all of one size, so that hardly a row of them is idle.
        const std::size_t count = group.members.size(), batches = (count + largest_batch - 1) / largest_batch;
        group.batch = (count + batches - 1) / batches;
        group.model = build_transformer(config, {static_cast<int>(group.batch), static_cast<int>(length)});
        for (int layer = 0; layer < layers_; ++layer)
            group.streams.push_back(group.model.graph->at(stream_name(layer)));
        group.run = backend.prepare(group.model.graph, {group.streams, -1});
    }
    values_.assign(static_cast<std::size_t>(layers_), std::vector<float>(words * static_cast<std::size_t>(d_model_)));
}

void ContextualVectors::run(std::span<const float> parameters) {
    for (auto& [length, group] : groups_)
        for (std::size_t first = 0; first < group.members.size(); first += group.batch)
            run_batch(group, first, parameters);
}

// A last batch that is not full repeats its last sentence; those rows are not copied.
void ContextualVectors::run_batch(Group& group, std::size_t first, std::span<const float> parameters) {
    const auto length = static_cast<std::size_t>(group.model.positions), d = static_cast<std::size_t>(d_model_);
    const std::size_t batch = group.batch;
    const std::size_t count = std::min(batch, group.members.size() - first);
    tokens_.resize(batch * length);
    ones_.assign(batch * length, 1.0f);
    block_.resize(batch * length * d);
    for (std::size_t b = 0; b < batch; ++b) {
        const std::vector<int>& sentence = sentences_[group.members[first + std::min(b, count - 1)]];
        std::ranges::copy(sentence, tokens_.begin() + static_cast<std::ptrdiff_t>(b * length));
    }
    group.run->set_input(group.model.tokens, tokens_);
    group.run->set_input(group.model.key_mask, ones_);
    group.run->forward(parameters);
    for (std::size_t layer = 0; layer < values_.size(); ++layer) {
        group.run->read(group.streams[layer], block_);
        for (std::size_t b = 0; b < count; ++b)
            std::copy_n(
                block_.begin() + static_cast<std::ptrdiff_t>(b * length * d), length * d,
                values_[layer].begin() + static_cast<std::ptrdiff_t>(first_word_[group.members[first + b]] * d));
    }
}

std::span<const float> ContextualVectors::at(int layer, std::size_t sentence, int position) const {
    const std::size_t d = d_model_;
    const std::size_t word = first_word_[sentence] + static_cast<std::size_t>(position);
    return std::span(values_[layer]).subspan(word * d, d);
}

}  // namespace glassformer
