#pragma once

#include <cstddef>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A word of the vocabulary, and how much a neuron's weights speak for it.
struct NeuronWord {
    int id = 0;
    double score = 0.0;
};

struct NeuronWords {
    std::vector<NeuronWord> favoured, opposed;  // the largest scores, largest first; the smallest, smallest first
};

/// The words that a neuron's own direction points at and away from (Geva et al. 2021, "Transformer Feed-Forward Layers
/// Are Key-Value Memories": the value vector read by the unembedding):
///     score_w = Σ_j W_out[neuron, j] · U[j, w]
/// what one unit of the neuron, written into the stream, adds to the word's logit when the unembedding reads it there
/// and then. The final norm (its mean, √(σ² + ε) and γ) and the blocks in between are left out: it is a property of the
/// weights, not of a sentence.
/// Throws Error for a block without MLP, a neuron that is not there, and where has_neuron_words() is false.
NeuronWords neuron_words(const Trace& trace, int block, int neuron, std::size_t count);

/// Whether the model says words, by an unembedding of its stream's width.
bool has_neuron_words(const TransformerGraph& model);

}  // namespace glassformer
