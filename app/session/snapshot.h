#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/pca.h"
#include "core/analysis/sense_probe.h"
#include "core/text/word_tokenizer.h"
#include "core/trace/trace.h"
#include "core/train/timeline.h"
#include "core/train/world_training.h"

namespace glassformer::app {

/// What does not change while the program runs: the language, its words, the sizes of the model.
struct ModelInfo {
    TransformerConfig config;
    WordTokenizer tokenizer{std::vector<std::string>{}};
    std::string world, world_title;
    std::vector<Sense> senses;      // 2h and 2h + 1 belong to one homonym
    std::vector<Sentence> samples;  // for the menus
    std::int64_t parameter_count = 0;
    std::string backend;  // "CPU · AVX2 · 2 threads"

    /// Index of the homonym that `word` is, or −1; its senses are 2h and 2h + 1.
    int homonym(const std::string& word) const;
};

/// One of the two sentences on screen, with everything the model computed for it.
struct WatchedSentence {
    std::string text;                                     // as picked or typed
    std::vector<WordTokenizer::Token> tokens;             // unknown words keep their text and have id unknown
    std::vector<std::vector<std::string>> nearest_known;  // by token: for unknown words, known ones to offer
    std::string error;     // why there is no trace (empty, too long, not text); then trace is null
    int sense = -1;        // the truth, where the sentence is a sample
    int homonym_pos = -1;  // the first homonym, or −1
    std::shared_ptr<const Trace> trace;
    /// [pos, d_vocab]: row p holds the probabilities at p when word p is replaced by <mask>.
    std::vector<float> masked_probabilities;
};

/// Every occurrence of one homonym in a part of the training corpus, in the residual stream of each layer.
struct MeaningMap {
    struct Layer {
        Pca pca;
        std::vector<std::array<float, 3>> points;
    };
    std::string homonym;
    int first_sense = 0;            // senses first_sense and first_sense + 1
    std::vector<int> sense;         // by point
    std::vector<std::string> text;  // by point: its sentence
    std::vector<Layer> layers;      // 0 the embedding, then after each block
};

enum class RunState { paused, training };

/// One consistent moment: everything the panels of a frame show. Immutable; made by the worker, read by the window.
struct Snapshot {
    std::uint64_t number = 0;  // grows with every snapshot
    std::shared_ptr<const ModelInfo> model;
    RunState state = RunState::paused;
    std::int64_t step = 0;           // the step that everything below belongs to
    std::int64_t live_step = 0;      // the newest step of the training
    bool live = true;                // step follows live_step; false while looking back
    std::int64_t planned_steps = 0;  // length of the learning-rate schedule
    float loss = 0.0f;               // smoothed over recent steps, at `step`
    float steps_per_second = 0.0f;   // while training
    float learning_rate = 0.0f;      // the peak of the schedule
    int batch = 0;
    std::uint64_t seed = 0;
    std::array<WatchedSentence, 2> sentences;
    std::shared_ptr<const SenseProbeResult> probe;
    std::shared_ptr<const MeaningMap> meaning;  // of the homonym that was asked for last
    std::shared_ptr<const std::vector<MetricPoint>> history;
    std::vector<std::int64_t> kept_steps;  // steps that can be travelled to, ascending
    std::string error;                     // of the last command or the training; shown once, dismissible
    std::uint64_t error_number = 0;        // grows with every new error
};

}  // namespace glassformer::app
