#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "app/session/snapshot.h"
#include "core/analysis/sense_vectors.h"

/// What the layers of a model from elsewhere make of the homonyms of our world (bat, bank, spring, …): its sentences,
/// cut by the model's own tokenizer.
namespace glassformer::app {

/// What to measure, and with what.
struct SenseMeasurement {
    TransformerConfig config;
    Parameters parameters;
    std::vector<WhatIf> changes = {};  // to the model
    std::shared_ptr<const Tokenizer> tokenizer;
    std::filesystem::path grammar;  // of the world
    int threads = 0;
    /// Sentences per sense from which the centroids are made; as many, from other templates, test them.
    std::size_t per_sense = 12;
};

/// The result of a measurement.
struct MeasuredSenses {
    std::vector<Sense> senses;            // of the world: 2h and 2h + 1 belong to homonym h
    std::vector<float> accuracy;          // by layer (0: the embedding); sense_accuracy() over all homonyms
    std::size_t learned = 0, tested = 0;  // numbers of sentences
    std::vector<std::string> unknown;     // homonyms left out because the tokenizer gives them no tokens of their own
    std::vector<std::string> in_pieces;   // homonyms that are several tokens
    std::vector<MeaningMap> maps;         // of all homonyms but `unknown`; all sentences read
};

/// Returns whether a model can be measured: it reads one sentence of words, with a published tokenizer.
bool can_measure_senses(const ModelInfo& model);

/// Reads the sentences and measures. `go_on` is called with the number of sentences done and the total; if it returns
/// false, the result is empty. Throws Error if the grammar or the model cannot be read, or if the tokenizer knows none
/// of the homonyms.
std::optional<MeasuredSenses> measure_senses(const SenseMeasurement& asked,
                                             const std::function<bool(std::size_t done, std::size_t all)>& go_on);

/// Returns the sentences of a world that a measurement reads, training or held out.
std::vector<SenseSentence> sentences_of(const SenseMeasurement& asked, const World& world, Split split);

/// Estimates the seconds that a measurement takes here, from the size of the model.
double guessed_seconds(const ModelInfo& model);

}  // namespace glassformer::app
