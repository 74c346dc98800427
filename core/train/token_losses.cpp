#include "core/train/token_losses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// log Σ e^x − x_target, in double.
double cross_entropy(std::span<const float> logits, std::size_t target) {
    const double top = *std::ranges::max_element(logits);
    double sum = 0.0;
    for (const float x : logits) sum += std::exp(static_cast<double>(x) - top);
    return std::log(sum) + top - static_cast<double>(logits[target]);
}

double squared_error(std::span<const float> predicted, std::span<const float> target) {
    double sum = 0.0;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const double error = static_cast<double>(predicted[i]) - static_cast<double>(target[i]);
        sum += error * error;
    }
    return sum / static_cast<double>(predicted.size());
}

}  // namespace

TokenLosses::TokenLosses(Backend& backend, const TransformerGraph& model) : model_(model) {
    if (model.loss < 0 || model.loss_weights < 0) throw Error("this model has no loss, so its words have none");
    run_ = backend.prepare(model.graph, {{model.logits}, -1});
    losses_.resize((*model.graph)[model.loss_weights].shape.elements());
}

std::span<const float> TokenLosses::run(std::span<const float> parameters, const Batch& batch, std::uint64_t seed,
                                        std::int64_t step) {
    set_training_inputs(*run_, model_, batch, seed, step);
    run_->forward(parameters);
    const std::span<const float> out = run_->view(model_.logits);
    const std::size_t width = out.size() / losses_.size();
    for (std::size_t i = 0; i < losses_.size(); ++i) {
        losses_[i] = std::numeric_limits<float>::quiet_NaN();
        if (batch.loss_weights[i] == 0.0f) continue;
        const std::span<const float> row = out.subspan(i * width, width);
        losses_[i] = static_cast<float>(
            model_.targets >= 0
                ? cross_entropy(row, static_cast<std::size_t>(batch.targets[i]))
                : squared_error(row, std::span<const float>(batch.target_values).subspan(i * width, width)));
    }
    return losses_;
}

}  // namespace glassformer
