#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/word_parts.h"

namespace glassformer::app {

/// The answer of a sentence that its words' parts are asked of.
struct AskedWordParts {
    int position = 0;
    int word = 0;            ///< or class
    int minus = -1;          ///< −1: none
    bool less_mean = false;  ///< less the mean of all logits
    bool gradients = false;  ///< of every number, too
    int sense = -1;          ///< or that the word there has this sense, by the sense probe after the last block
    AnswerLoss loss = AnswerLoss::none;  ///< or the loss, of `word` there or of the whole sentence

    bool operator==(const AskedWordParts&) const = default;
};
/// By card; none: nobody looks.
using AskedOfSentences = std::array<std::optional<AskedWordParts>, 2>;

/// The parts of a sentence's words in an answer; filled run by run.
struct WordPartsShown {
    std::weak_ptr<const Trace> of;  ///< the sentence's, as it is shown
    AskedWordParts asked;
    WordParts found;
    std::shared_ptr<const NodeGradients> gradients;  ///< where they were asked for
    int done = 0, total = 0;                         ///< runs
    bool complete = false;                           ///< or failed, or stopped: no more comes
    bool stopped = false;
    bool leaves_out_own = false;  ///< changes of this one sentence: they are not made where words are missing
    std::string failure;          ///< why there is nothing, or no more
    std::string no_rollout;       ///< why there is no rollout
};

}  // namespace glassformer::app
