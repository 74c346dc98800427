#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "app/session/snapshot.h"
#include "core/analysis/sense_vectors.h"

/// What the layers of a model from elsewhere make of the homonyms of our world (bat, bank, spring …): the sentences of
/// that world, cut by the model's own tokenizer.
namespace glassformer::app {

/// What is measured, and with what.
struct SenseMeasurement {
    TransformerConfig config;
    Parameters parameters;
    std::vector<WhatIf> changes = {};  // of the model
    std::shared_ptr<const Tokenizer> tokenizer;
    std::filesystem::path grammar;  // of the world
    int threads = 0;
    /// Sentences of each sense that the centroids are made of, and as many from other templates to be tested.
    std::size_t per_sense = 12;
};

/// What was found.
struct MeasuredSenses {
    std::vector<Sense> senses;            // of the world: 2h and 2h + 1 are of homonym h
    std::vector<float> accuracy;          // by layer (0 the embedding): sense_accuracy() over all homonyms
    std::size_t learned = 0, tested = 0;  // sentences
    std::vector<std::string> unknown;     // homonyms that the tokenizer gives no tokens of their own: left out
    std::vector<std::string> in_pieces;   // homonyms that are several tokens
    std::vector<MeaningMap> maps;         // of the others: all sentences that were read
};

/// Whether a model can be asked: it reads a sentence of words with a published tokenizer.
bool can_measure_senses(const ModelInfo& model);

/// Reads the sentences. `go_on` hears how many of all are done; where it says false, nothing is returned. Throws Error
/// where the grammar or the model cannot be read, or the tokenizer knows none of the homonyms.
std::optional<MeasuredSenses> measure_senses(const SenseMeasurement& asked,
                                             const std::function<bool(std::size_t done, std::size_t all)>& go_on);

/// The sentences of a world that a measurement reads, train or held out.
std::vector<SenseSentence> sentences_of(const SenseMeasurement& asked, const World& world, Split split);

/// A guess at its seconds here, from the size of the model.
double guessed_seconds(const ModelInfo& model);

}  // namespace glassformer::app
