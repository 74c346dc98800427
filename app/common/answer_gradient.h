#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// If `on`, every number shows how steeply the answer of the page "words" (Logit attribution) changes with it. The
/// worker is then asked for that answer on every page and view.
struct GradientsEverywhere {
    bool on = false;
};

/// The name of an answer: "logit of “bat” − mean", "loss: mean of −ln P of each next word".
std::string answer_name(const Frame& frame, int slot, const AskedWordParts& asked);

/// A gradient and where it comes from.
struct AnswerGradient {
    double value = 0.0;
    std::string answer;                    ///< the name of f
    std::vector<NodeGradients::Way> ways;  ///< see NodeGradients::ways(); only answer_gradient_ways() fills it
};
/// ∂f/∂x of a number x in a card's trace, where f is that answer for the sentence as shown. Empty if gradients are off
/// or not computed yet, or if f does not depend on x.
std::optional<AnswerGradient> answer_gradient(const Frame& frame, int slot, const Cell& cell);
std::optional<AnswerGradient> answer_gradient_ways(const Frame& frame, int slot, const Cell& cell);

}  // namespace glassformer::app
