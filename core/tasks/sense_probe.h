#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/config.h"
#include "core/nn/transformer.h"
#include "core/tasks/world_data.h"
#include "core/text/word_tokenizer.h"
#include "core/worlds/world.h"

namespace glassformer {

/// What training on a world needs: its words, the sizes of its model, its corpus.
struct WorldTraining {
    World world;
    WordTokenizer tokenizer;
    TransformerConfig config;

    static constexpr std::size_t sentences_per_sense = 300;

    explicit WorldTraining(World from);

    /// Masked-word prediction over a corpus of the world.
    std::shared_ptr<const MaskedWords> masked_words(Split split = Split::train) const;
    /// Token ids of a sentence of this world.
    std::vector<int> encode(const Sentence& sentence) const;
};

/// Runs many sentences and collects the residual stream after the embedding and after every block. Sentences of the
/// same length run together, so that no time is spent on padding. Planned once. Not thread-safe.
class ContextualVectors {
public:
    ContextualVectors(Backend& backend, const TransformerConfig& config, std::vector<std::vector<int>> sentences);

    /// Number of layers collected: n_layers + 1 (0 is the embedding with its position).
    int layers() const { return layers_; }
    int d_model() const { return d_model_; }
    const std::vector<std::vector<int>>& sentences() const { return sentences_; }

    /// Runs every sentence with these parameters.
    void run(std::span<const float> parameters);
    /// After run(): the residual stream [d_model] at one word.
    std::span<const float> at(int layer, std::size_t sentence, int position) const;

private:
    /// The sentences of one length.
    struct Group {
        std::size_t batch = 0;  // how many run at a time
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

/// The residual stream [d_model] at a homonym, and the sense meant there. The senses of homonym h are 2h and 2h + 1.
struct SensePoint {
    std::span<const float> stream;
    int sense = 0;
};

/// Result of the probe at one moment of training.
struct SenseProbeResult {
    std::vector<float> accuracy;  // by layer (0 the embedding), over all homonyms, 0 … 1
    std::vector<std::vector<float>>
        word_means;                        // by layer: [d_vocab, d_model], mean stream of each word; zeros if unseen
    std::vector<bool> word_seen;           // [d_vocab]
    std::vector<std::vector<float>> mean;  // by layer: [d_model], over all words
    std::vector<std::vector<std::vector<float>>> centroids;  // by layer, by sense: [d_model], see sense_centroids()
};

/// Can a layer tell the two senses of a homonym apart? Training sentences give, for each sense, the mean direction
/// (centroid) of the homonym's stream. A held-out sentence, from templates that training never saw, is right if its
/// stream is closer (by cosine) to the centroid of its own sense than to the other's. Chance is 0.5.
class SenseProbe {
public:
    /// Uses `per_sense` sentences of each sense for the centroids, and as many held-out ones to test.
    SenseProbe(Backend& backend, const WorldTraining& training, std::size_t per_sense = 20);

    SenseProbeResult measure(std::span<const float> parameters);
    std::size_t tested() const { return truth_.size() - learned_; }

private:
    struct Truth {
        int sense, position;
    };
    std::vector<SensePoint> points(int layer, std::size_t first, std::size_t end) const;
    void word_means(int layer, SenseProbeResult& result) const;

    int senses_, d_vocab_;
    std::size_t learned_ = 0;   // number of sentences for the centroids; the following ones are tested
    std::vector<Truth> truth_;  // by sentence
    std::unique_ptr<ContextualVectors> vectors_;
};

/// For each sense, the mean direction (centroid) of its points: the sum of unit vectors, so that long ones do not count
/// more. Zeros for a sense without points.
std::vector<std::vector<float>> sense_centroids(std::span<const SensePoint> points, std::size_t senses);

/// The share of points (0 … 1) that are closer (by cosine) to the centroid of their own sense than to the other's; a
/// tie counts half. 0 if there are no points; NaN if one cannot be compared, as in a diverged model. Chance is 0.5.
float sense_accuracy(std::span<const SensePoint> points, std::span<const std::vector<float>> centroids);

}  // namespace glassformer
