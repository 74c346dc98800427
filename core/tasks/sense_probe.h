#pragma once

#include <memory>
#include <vector>

#include "core/tasks/contextual_vectors.h"
#include "core/tasks/world_training.h"

namespace glassformer {

/// What the probe found at one moment of training.
struct SenseProbeResult {
    std::vector<float> accuracy;  // by layer (0 the embedding), over all homonyms, 0 … 1
    std::vector<std::vector<float>>
        word_means;                        // by layer: [d_vocab, d_model], mean stream of each word; zeros where unseen
    std::vector<bool> word_seen;           // [d_vocab]
    std::vector<std::vector<float>> mean;  // by layer: [d_model], over all words
};

/// Can a layer tell the two senses of a homonym apart? For each sense the mean direction (centroid) of the homonym's
/// stream over training sentences; a held-out sentence, made from templates that training never saw, counts as right
/// when its stream points nearer (cosine) to the centroid of its own sense than to the other's. Chance is 0.5.
class SenseProbe {
public:
    /// `per_sense` sentences of each sense for the centroids, and as many held-out ones to test.
    SenseProbe(Backend& backend, const WorldTraining& training, std::size_t per_sense = 20);

    SenseProbeResult measure(std::span<const float> parameters);
    std::size_t tested() const { return test_truth_.size(); }

private:
    struct Truth {
        int sense, position;
    };
    float accuracy(int layer, const std::vector<std::vector<float>>& centroids) const;
    std::vector<std::vector<float>> centroids(int layer) const;
    void word_means(int layer, SenseProbeResult& result) const;

    int senses_, d_vocab_;
    std::vector<Truth> train_truth_, test_truth_;
    std::unique_ptr<ContextualVectors> train_, test_;
};

}  // namespace glassformer
