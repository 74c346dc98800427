#pragma once

#include <cstdint>
#include <vector>

namespace glassformer {

/// Selects a loss instead of a logit as the answer: −ln P, as in training.
enum class AnswerLoss : std::uint8_t {
    none,
    of_word,        ///< of `word` (or class) at `position`
    of_next_words,  ///< mean over all words but the first, each predicted from those before it
};

/// A model's answer as one number f.
struct Answer {
    int position = 0;        ///< where the logits are read; not used for a model that classifies sentences
    int word = 0;            ///< or class: f is its logit
    int minus = -1;          ///< subtract this word's logit; −1: none
    bool less_mean = false;  ///< subtract the mean of all logits

    AnswerLoss loss = AnswerLoss::none;

    /// Instead, a sense at `position` in the stream x after `layer` blocks: f = cos(x, sense) − cos(x, other), which is
    /// positive where the sense probe would say `sense`. −1: f is a logit or a loss.
    int layer = -1;
    std::vector<float> sense = {}, other = {};  ///< centroids [d_model], see sense_centroids()

    bool operator==(const Answer&) const = default;
};

}  // namespace glassformer
