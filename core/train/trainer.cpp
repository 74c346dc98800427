#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace glassformer {

Trainer::Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
                 const TrainOptions& options)
    : backend_(backend),
      batches_(std::move(batches)),
      options_(options),
      model_(build_transformer(config, batches_->shape(options.batch))),
      optimizer_(*model_.graph, options.adamw),
      gradients_(static_cast<std::size_t>(model_.graph->parameter_count())) {
    plan();
    reset(options.seed);
}

void Trainer::plan() {
    statistics_ = std::make_unique<RunningStatistics>(*model_.graph);
    run_ = backend_.prepare(model_.graph, {statistics_->keep(), model_.loss});
}

void Trainer::reset(std::uint64_t seed) {
    options_.seed = seed;
    const std::vector<float> fresh = initial_parameters(*model_.graph, seed);
    parameters_.assign(fresh.begin(), fresh.end());
    optimizer_.reset();
    steps_ = 0;
}

void Trainer::require_parameters(std::size_t count) const {
    if (count != parameters_.size())
        throw Error("these parameters are not of this model: " + std::to_string(count) + " values, not " +
                    std::to_string(parameters_.size()));
}

void Trainer::restore(std::span<const float> parameters, std::int64_t step) {
    require_parameters(parameters.size());
    std::ranges::copy(parameters, parameters_.begin());
    optimizer_.reset();
    steps_ = step;
}

void Trainer::restore(const TrainingState& state) {
    require_parameters(state.parameters.size());
    optimizer_.restore(state);
    std::ranges::copy(state.parameters, parameters_.begin());
    steps_ = state.step;
}

TrainingState Trainer::state() const {
    return {steps_, optimizer_.updates(), {parameters_.begin(), parameters_.end()}, optimizer_.moments()};
}

void Trainer::set_batch(int batch) {
    if (batch == options_.batch) return;
    options_.batch = batch;
    model_ = build_transformer(model_.config, batches_->shape(batch));
    plan();
}

void Trainer::set_inputs() {
    glassformer::set_inputs(*run_, model_, batch_);
    // Below 2^24 a float holds every integer.
    constexpr std::uint64_t exact = std::uint64_t{1} << 24;
    const float state[] = {1.0f, static_cast<float>(static_cast<std::uint64_t>(steps_ + 1) % exact),
                           static_cast<float>(options_.seed % exact)};
    if (model_.state >= 0) run_->set_input(model_.state, state);
}

namespace {

std::int64_t tokens_of(const Batch& batch) {
    const auto read = [](const std::vector<float>& mask) { return std::ranges::count(mask, 1.0f); };
    return read(batch.key_mask) + read(batch.source_key_mask);
}

}  // namespace

StepReport Trainer::step() {
    batches_->draw(options_.seed, steps_ + 1, options_.batch, batch_);
    set_inputs();
    run_->forward(parameters_);
    StepReport report;
    report.step = steps_ + 1;
    report.loss = run_->loss();
    report.tokens = tokens_of(batch_);
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
    statistics_->update(*run_, batch_, parameters_);
    steps_ = report.step;
    return report;
}

}  // namespace glassformer
