#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/train/update_explanation.h"

namespace glassformer::app {

class TrainingRun;

/// What to look at in a running training; nothing else is computed.
enum class Inspected { nothing, histograms, weight, batch };

/// The distribution of one tensor's values.
struct Histogram {
    static constexpr int bins = 48;

    double least = 0.0, most = 0.0, mean = 0.0, deviation = 0.0;  // of all its values
    double from = 0.0, to = 0.0;                                  // range of the bins: `least` to `most`
    std::array<std::int64_t, bins> count{};
};

/// One parameter of the model in the newest update.
struct ParameterHistograms {
    std::string name;  // "blocks.0.attn.W_Q"
    Shape shape;
    std::int64_t offset = 0;  // of its first cell in the flat parameter vector
    Histogram weight;         // now
    Histogram gradient;       // before clipping; like the moments, of the newest update
    bool has_gradient = false, has_m = false, has_v = false;
    Histogram m, v;
};

/// A sentence that the newest update learned from.
struct LearnedSentence {
    struct Token {
        int id = 0;         // as the model read it
        int target = 0;     // as the model should have predicted it
        float loss = 0.0f;  // nats, or squared error; NaN if nothing was asked here
    };
    std::vector<Token> tokens;        // without padding
    std::vector<int> source;          // of a translation
    std::vector<float> read, wanted;  // [token, d_input] and [token, d_output], if the model reads or predicts numbers
};

/// The result of an inspection, for the newest step of the training. Immutable.
struct Inspection {
    Inspected what = Inspected::nothing;
    std::int64_t step = 0;
    std::vector<ParameterHistograms> parameters;
    std::optional<UpdateExplanation> weight;
    std::vector<LearnedSentence> batch;  // the first few sentences
    float batch_loss = 0.0f;             // of the whole batch
    std::size_t batch_size = 0;          // in sentences
    TransformerConfig config;            // with that update's dropout
    std::string missing;                 // why there is nothing to show yet
};

/// Inspects the newest update of the active run. `cell` is the weight's index in the flat parameter vector.
std::shared_ptr<const Inspection> inspect(TrainingRun& run, Inspected what, std::int64_t cell);

}  // namespace glassformer::app
