#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/trace.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// A word of a corpus at which a neuron fires.
struct TopActivation {
    int sentence = -1, position = 0;
    float activation = 0.0f;  // after the nonlinearity, mlp.hook_post
};

/// The words of a corpus that activate each neuron of one block most.
struct NeuronExamples {
    int block = 0, neurons = 0;
    std::vector<std::vector<int>> sentences;  // token ids, without padding or duplicates
    std::size_t each = 0;                     // examples per neuron
    std::vector<TopActivation> top;           // [neurons, each], largest activation first; ties in corpus order

    std::span<const TopActivation> of(int neuron) const {
        return std::span(top).subspan(static_cast<std::size_t>(neuron) * each, each);
    }
};

/// Runs sentences of a world through a model and finds, for each neuron of a block, where it is most active. Such lists
/// show what a neuron "is for" (Geva et al. 2021; Bills et al. 2023). Words masked for training are shown. Planned
/// once; not thread-safe.
class NeuronCorpus {
public:
    static constexpr std::size_t most_examples = 8;

    /// Draws at least `sentences` sentences from `source` and keeps the distinct ones. Throws Error for a block without
    /// MLP, and for a model that reads numbers instead of words.
    NeuronCorpus(Backend& backend, const TransformerConfig& config, const BatchSource& source, int block,
                 int sentences = 200, std::uint64_t seed = 1);

    /// The examples for these parameters; fewer than most_examples if the corpus has fewer words.
    NeuronExamples study(std::span<const float> parameters);
    const std::vector<std::vector<int>>& sentences() const { return sentences_; }

private:
    static constexpr int batch = 32;

    /// A batch, and for each of its rows the index in sentences_; −1 for a duplicate.
    struct Drawn {
        Batch inputs;
        std::vector<int> sentence;
    };

    void draw(const BatchSource& source, std::uint64_t seed, std::int64_t step);

    TransformerGraph model_;
    int block_, post_;
    std::unique_ptr<Execution> run_;
    std::vector<Drawn> drawn_;
    std::vector<std::vector<int>> sentences_;
};

/// A word of the vocabulary, and how much a neuron's weights favour it.
struct NeuronWord {
    int id = 0;
    double score = 0.0;
};

struct NeuronWords {
    std::vector<NeuronWord> favoured, opposed;  // highest scores, highest first; lowest, lowest first
};

/// The words that a neuron's output direction points towards and away from (Geva et al. 2021, "Transformer Feed-Forward
/// Layers Are Key-Value Memories": the value vector read by the unembedding):
///     score_w = Σ_j W_out[neuron, j] · U[j, w]
/// This is what one unit of the neuron, written into the stream, adds to the word's logit if the unembedding reads it
/// directly. Ignores the final norm (its mean, √(σ² + ε) and γ) and the blocks in between: the score is a property of
/// the weights, not of a sentence.
/// Throws Error for a block without MLP, if there is no such neuron, and if has_neuron_words() is false.
NeuronWords neuron_words(const Trace& trace, int block, int neuron, std::size_t count);

/// True if the model predicts words through an unembedding as wide as its stream.
bool has_neuron_words(const TransformerGraph& model);

}  // namespace glassformer
