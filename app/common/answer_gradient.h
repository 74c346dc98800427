#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// Whether every number shows how steeply the answer of the page "words" (Logit attribution) changes with it: then that
/// answer is asked about on whatever page and view is on screen.
struct GradientsEverywhere {
    bool on = false;
};

/// What an answer is called: "logit of “bat” − mean", "loss: mean of −ln P of each next word".
std::string answer_name(const Frame& frame, int slot, const AskedWordParts& asked);

/// A gradient and where it comes from.
struct AnswerGradient {
    double value = 0.0;
    std::string answer;                    ///< what f is called
    std::vector<NodeGradients::Way> ways;  ///< see NodeGradients::ways(); of answer_gradient_ways() alone
};
/// ∂f/∂x of a number x of a card's trace, where f is that answer, at the sentence as it is shown; nothing where they
/// are off, not there yet, or where x does not lead to f.
std::optional<AnswerGradient> answer_gradient(const Frame& frame, int slot, const Cell& cell);
std::optional<AnswerGradient> answer_gradient_ways(const Frame& frame, int slot, const Cell& cell);

}  // namespace glassformer::app
