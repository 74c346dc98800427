#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace glassformer {

Trainer::Trainer(CpuBackend& backend, const TransformerConfig& config, MaskedWords task, const TrainOptions& options)
    : backend_(backend),
      task_(std::move(task)),
      options_(options),
      model_(build_encoder(config, task_.batch(), task_.positions())),
      optimizer_(*model_.graph, options.adamw),
      gradients_(static_cast<std::size_t>(model_.graph->parameter_count())) {
    plan();
    reset(options.seed);
}

void Trainer::plan() { run_ = backend_.prepare(model_.graph, {{}, model_.loss}); }

void Trainer::reset(std::uint64_t seed) {
    options_.seed = seed;
    task_ = MaskedWords(task_.corpus(), task_.batch(), task_.positions(), seed);
    const std::vector<float> fresh = initial_parameters(*model_.graph, seed);
    parameters_.assign(fresh.begin(), fresh.end());
    optimizer_.reset();
    steps_ = 0;
}

void Trainer::restore(std::span<const float> parameters, std::int64_t step) {
    if (parameters.size() != parameters_.size())
        throw Error("these parameters are not of this model: " + std::to_string(parameters.size()) + " values, not " +
                    std::to_string(parameters_.size()));
    std::ranges::copy(parameters, parameters_.begin());
    optimizer_.reset();
    steps_ = step;
}

void Trainer::set_batch(int batch) {
    if (batch == task_.batch()) return;
    task_ = MaskedWords(task_.corpus(), batch, task_.positions(), options_.seed);
    options_.batch = batch;
    model_ = build_encoder(model_.config, batch, task_.positions());
    plan();
}

StepReport Trainer::step() {
    task_.draw(steps_ + 1, batch_);
    run_->set_input(model_.tokens, batch_.tokens);
    run_->set_input(model_.key_mask, batch_.key_mask);
    run_->set_input(model_.targets, batch_.targets);
    run_->set_input(model_.loss_weights, batch_.loss_weights);
    run_->forward(parameters_);
    StepReport report;
    report.step = steps_ + 1;
    report.loss = run_->loss();
    run_->backward(gradients_);
    report.gradient_norm = gradient_norm(gradients_, backend_.pool());
    if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
        throw Error("the loss stopped being a number at step " + std::to_string(report.step) +
                    "; lower the learning rate (it was " + std::to_string(options_.schedule.at(report.step)) +
                    ") and start again");
    report.learning_rate = options_.schedule.at(report.step);
    const auto clip = static_cast<double>(options_.clip);
    const float factor = report.gradient_norm > clip ? static_cast<float>(clip / (report.gradient_norm + 1e-6)) : 1.0f;
    optimizer_.step(parameters_, gradients_, factor, report.learning_rate, backend_.pool());
    steps_ = report.step;
    return report;
}

}  // namespace glassformer
