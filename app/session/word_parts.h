#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/word_parts.h"

namespace glassformer::app {

/// The answer for which the parts (attributions) of a sentence's words are asked.
struct AskedWordParts {
    int position = 0;
    int word = 0;            ///< or class
    int minus = -1;          ///< −1: none
    bool less_mean = false;  ///< minus the mean of all logits
    bool gradients = false;  ///< also compute the gradient of every number
    int sense = -1;          ///< instead, that this word has this sense, by the sense probe after the last block
    AnswerLoss loss = AnswerLoss::none;  ///< instead, the loss: of `word` at this position or of the whole sentence

    bool operator==(const AskedWordParts&) const = default;
};
/// By card; none: nobody looks.
using AskedOfSentences = std::array<std::optional<AskedWordParts>, 2>;

/// The parts of a sentence's words in an answer; filled run by run.
struct WordPartsShown {
    std::weak_ptr<const Trace> of;  ///< the sentence's, as it is shown
    AskedWordParts asked;
    WordParts found;
    std::shared_ptr<const NodeGradients> gradients;  ///< if they were asked for
    int done = 0, total = 0;                         ///< numbers of runs
    bool complete = false;                           ///< done, failed or stopped: nothing more comes
    bool stopped = false;
    bool leaves_out_own = false;  ///< this sentence's own changes are not applied when words are left out
    std::string failure;          ///< why there is nothing, or nothing more
    std::string no_rollout;       ///< why there is no rollout
};

}  // namespace glassformer::app
