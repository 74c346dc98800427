#include "core/analysis/contextual_vectors.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

int longest(const std::vector<std::vector<int>>& sentences) {
    std::size_t most = 1;
    for (const auto& sentence : sentences) most = std::max(most, sentence.size());
    return static_cast<int>(most);
}

}  // namespace

ContextualVectors::ContextualVectors(Backend& backend, const TransformerConfig& config, std::vector<std::vector<int>> sentences)
    : sentences_(std::move(sentences)), model_(build_encoder(config, batch, longest(sentences_))) {
    for (int layer = 0; layer <= config.n_layers; ++layer)
        streams_.push_back(model_.graph->at(layer == 0 ? "blocks.0.hook_resid_pre" : "blocks." + std::to_string(layer - 1) + ".hook_resid_post"));
    run_ = backend.prepare(model_.graph, {streams_, -1});
    const std::size_t batches = (sentences_.size() + batch - 1) / batch;
    const auto batch_cells = static_cast<std::size_t>(model_.graph->nodes()[static_cast<std::size_t>(streams_[0])].shape.elements());
    values_.assign(streams_.size(), std::vector<float>(batches * batch_cells));
}

void ContextualVectors::run(std::span<const float> parameters) {
    const auto positions = static_cast<std::size_t>(model_.positions);
    const std::size_t batch_cells = batch * positions * static_cast<std::size_t>(d_model());
    std::vector<float> tokens(batch * positions), mask(batch * positions);
    for (std::size_t first = 0; first < sentences_.size(); first += batch) {
        std::ranges::fill(tokens, 0.0f);
        std::ranges::fill(mask, 0.0f);
        for (std::size_t b = 0; b < batch && first + b < sentences_.size(); ++b)
            for (std::size_t p = 0; p < sentences_[first + b].size(); ++p) {
                tokens[b * positions + p] = static_cast<float>(sentences_[first + b][p]);
                mask[b * positions + p] = 1.0f;
            }
        run_->set_input(model_.tokens, tokens);
        run_->set_input(model_.key_mask, mask);
        run_->forward(parameters);
        for (std::size_t layer = 0; layer < streams_.size(); ++layer)
            run_->read(streams_[layer], {values_[layer].data() + first / batch * batch_cells, batch_cells});
    }
}

std::span<const float> ContextualVectors::at(int layer, std::size_t sentence, int position) const {
    const auto d = static_cast<std::size_t>(d_model());
    const std::size_t row = sentence * static_cast<std::size_t>(model_.positions) + static_cast<std::size_t>(position);
    return std::span(values_[static_cast<std::size_t>(layer)]).subspan(row * d, d);
}

}  // namespace glassformer
