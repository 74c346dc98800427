#pragma once

#include <cstdint>
#include <vector>

namespace glassformer {

/// The loss that an answer can be instead of a logit: −ln P, as training has it.
enum class AnswerLoss : std::uint8_t {
    none,
    of_word,        ///< of `word` at `position`, or of that class
    of_next_words,  ///< the mean over the sentence's words but the first, each predicted from those before it
};

/// An answer of a model as one number f.
struct Answer {
    int position = 0;        ///< where the logits are read; of a model that sorts sentences it is not used
    int word = 0;            ///< or class: f is its logit
    int minus = -1;          ///< and less this one's; −1: less none
    bool less_mean = false;  ///< or less the mean of all logits

    AnswerLoss loss = AnswerLoss::none;

    /// Or a sense, at `position` of the stream x after `layer` blocks: f = cos(x, sense) − cos(x, other), which is
    /// above 0 where the sense probe would say `sense`. −1: f is a logit or a loss.
    int layer = -1;
    std::vector<float> sense = {}, other = {};  ///< centroids [d_model], see sense_centroids()

    bool operator==(const Answer&) const = default;
};

}  // namespace glassformer
