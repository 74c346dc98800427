#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/sense_sentences.h"
#include "core/backend/backend.h"
#include "core/nn/config.h"

namespace glassformer {

/// The residual stream at the homonym of each of many sentences, in every layer. Of a homonym of several pieces it is
/// the mean of theirs, as is usual where a word is asked for (Hewitt & Manning 2019).
struct SenseVectors {
    std::size_t d_model = 0;
    std::vector<std::vector<float>> layers;  ///< 0 the embedding, then after each block: [sentence, d_model]

    std::span<const float> at(std::size_t layer, std::size_t sentence) const {
        return std::span(layers[layer]).subspan(sentence * d_model, d_model);
    }
};

/// Runs the sentences, for models of any size: some of one length at a time, and nothing is kept but what is returned.
/// `go_on` hears after each of these runs how many sentences are done; where it says false, nothing is returned.
std::optional<SenseVectors> sense_vectors(Backend& backend, const TransformerConfig& config,
                                          const ParameterView& parameters, std::span<const SenseSentence> sentences,
                                          const std::function<bool(std::size_t done)>& go_on);

}  // namespace glassformer
