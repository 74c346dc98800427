#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/train/batch_source.h"
#include "core/train/optimizer.h"

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

namespace {

void require_in(const Graph& graph, const std::vector<ParameterRange>& ranges) {
    for (const ParameterRange& r : ranges)
        if (r.offset < 0 || r.count < 0 || r.offset > graph.parameter_count() ||
            r.count > graph.parameter_count() - r.offset)
            throw Error("{1} cells from {2} on cannot be held at zero: the model has {3}", r.count, r.offset,
                        graph.parameter_count());
}

std::string what_broke(const StepReport& report) {
    if (!std::isfinite(report.loss)) return N_("the loss");
    return report.finite ? N_("the gradient") : N_("a number inside the model, which the loss does not show,");
}

Parameters copy(std::span<const float> values) {
    return std::make_shared<const ParameterValues>(values.begin(), values.end());
}

}  // namespace

void StepSnapshot::keep(std::span<const float> parameters, const Optimizer& optimizer) {
    parameters_.assign(parameters.begin(), parameters.end());
    m_.assign(optimizer.m().begin(), optimizer.m().end());
    v_.assign(optimizer.v().begin(), optimizer.v().end());
    kept_ = true;
}

std::span<const float> StepSnapshot::change(std::span<const float> parameters) {
    change_.resize(parameters.size());
    for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = parameters[i] - parameters_[i];
    return change_;
}

bool StepReport::is_finite() const { return finite && std::isfinite(loss) && std::isfinite(gradient_norm); }

MetricPoint StepReport::point(double tokens_per_second) const {
    return {.step = step,
            .loss = loss,
            .gradient_norm = static_cast<float>(gradient_norm),
            .learning_rate = learning_rate,
            .tokens_per_second = static_cast<float>(tokens_per_second),
            .clip_factor = clip_factor};
}

Trainer::Trainer(Empty, CpuBackend& backend, const TransformerConfig& config,
                 std::shared_ptr<const BatchSource> batches, const TrainOptions& options)
    : backend_(backend), batches_(std::move(batches)), options_(options) {
    validate(options);
    batches_ = training_batches(std::move(batches_), options);
    plan(config, options.batch);
    require_in(*model_.graph, options.frozen_zero);
    optimizer_ = make_optimizer(*model_.graph, options.optimizer);
    parameters_.resize(model_.graph->parameter_count());
    gradients_.resize(model_.graph->parameter_count());
}

Trainer::Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
                 const TrainOptions& options)
    : Trainer(Empty(), backend, config, std::move(batches), options) {
    reset(options.seed);
}

Trainer::Trainer(CpuBackend& backend, const TransformerConfig& config, std::shared_ptr<const BatchSource> batches,
                 const TrainOptions& options, const TrainingState& state)
    : Trainer(Empty(), backend, config, std::move(batches), options) {
    restore(state);
}

// Builds the whole new plan before dropping the old one.
void Trainer::plan(const TransformerConfig& config, int batch) {
    TransformerGraph model = build_transformer(config, batches_->shape(batch));
    auto statistics = std::make_unique<RunningStatistics>(*model.graph);
    if (device_) {
        transfer();
        device_configured_ = false;
        try {
            device_->plan(model, *statistics);
        } catch (const Error& e) {
            give_up_device(e.what());
        }
    }
    if (!device_) run_ = backend_.prepare(model.graph, {statistics->keep(), model.loss, true});
    statistics_ = std::move(statistics);
    model_ = std::move(model);
    token_losses_ = nullptr;
    forget_step();
}

void Trainer::reset(std::uint64_t seed) {
    transfer();
    options_.seed = seed;
    const std::vector<float> fresh = initial_parameters(*model_.graph, seed);
    parameters_.assign(fresh.begin(), fresh.end());
    optimizer_->reset();
    steps_ = fetched_ = 0;
    zero_held_cells();
    forget_step();
}

TrainingState Trainer::state() const {
    fetch();
    return {steps_, copy(parameters_), optimizer_->state(), options_.seed};
}

void Trainer::restore(const TrainingState& state) {
    const std::size_t given = state.parameters ? state.parameters->size() : 0;
    if (given != parameters_.size())
        throw Error("these parameters are not of this model: {1} values, not {2}", given, parameters_.size());
    transfer();
    optimizer_->restore(state.optimizer);
    state.parameters->copy(0, parameters_);
    options_.seed = state.seed;
    steps_ = fetched_ = state.step;
    zero_held_cells();
    forget_step();
}

void Trainer::restore(std::span<const float> parameters, std::int64_t step) {
    restore({step, copy(parameters), {}, options_.seed});
}

void Trainer::set_schedule(const Schedule& schedule) {
    validate(schedule);
    options_.schedule = schedule;
}

void Trainer::set_clip(float norm) {
    TrainOptions changed = options_;
    changed.clip = norm;
    validate(changed);
    options_.clip = norm;
    device_configured_ = false;
}

void Trainer::set_batch(int batch) {
    if (batch == options_.batch) return;
    TrainOptions changed = options_;
    changed.batch = batch;
    validate(changed);
    plan(model_.config, batch);
    options_.batch = batch;
}

void Trainer::set_dropout(float share) {
    TransformerConfig config = model_.config;
    config.dropout = share;
    if (config == model_.config) return;
    validate(config);
    plan(config, options_.batch);
}

void Trainer::set_optimizer(const OptimizerOptions& options) {
    if (options.kind == options_.optimizer.kind) {
        optimizer_->set_options(options);
    } else {
        transfer();
        optimizer_ = make_optimizer(*model_.graph, options);
        forget_step();
    }
    options_.optimizer = options;
    device_configured_ = false;
}

void Trainer::freeze_at_zero(std::vector<ParameterRange> ranges) {
    require_in(*model_.graph, ranges);
    transfer();
    options_.frozen_zero = std::move(ranges);
    device_configured_ = false;
    zero_held_cells();
    forget_step();
}

void Trainer::remove_head(const std::string& attention, int head) {
    const ParameterRange range = head_output(*model_.graph, model_.config, attention, head);
    std::vector<ParameterRange> ranges = options_.frozen_zero;
    if (std::ranges::find(ranges, range) != ranges.end()) return;
    ranges.push_back(range);
    freeze_at_zero(std::move(ranges));
}

void Trainer::zero_held_cells() {
    for (const ParameterRange& r : options_.frozen_zero) {
        std::fill_n(parameters_.begin() + r.offset, r.count, 0.0f);
        optimizer_->forget(r.offset, r.count);
    }
}

// If weight, gradient and moments are 0, the update is 0 with every method.
void Trainer::clear_held_gradients() {
    for (const ParameterRange& r : options_.frozen_zero) std::fill_n(gradients_.begin() + r.offset, r.count, 0.0f);
}

void Trainer::forget_step() {
    last_.reset();
    watch_.forget();
    trouble_.reset();
    next_part_ = Part::none;
}

StepReport Trainer::step() {
    delayed_reports_.clear();
    forget_step();
    return device_ ? step_on_device() : step_on_cpu();
}

StepReport Trainer::step_on_cpu() {
    begin_on_cpu();
    run_->forward(parameters_);
    run_->backward(gradients_);
    return end_on_cpu();
}

std::optional<StepReport> Trainer::step_while_turn_lasts() {
    if (next_part_ == Part::none) {
        forget_step();
        begin_on_cpu();
        next_part_ = Part::forward, begins_part_ = true;
    }
    while (turn_seconds(1) > 0) {
        const Part part = std::exchange(next_part_, Part::none);  // an update that throws starts over
        const bool first = std::exchange(begins_part_, false);
        const bool more =
            part == Part::forward ? run_->forward_part(parameters_, first) : run_->backward_part(gradients_, first);
        if (!more && part == Part::backward) return end_on_cpu();
        next_part_ = more ? part : Part::backward;
        begins_part_ = !more;
    }
    return std::nullopt;
}

void Trainer::begin_on_cpu() {
    batches_->draw(options_.seed, steps_ + 1, options_.batch, batch_);
    set_training_inputs(*run_, model_, batch_, options_.seed, steps_ + 1);
}

StepReport Trainer::end_on_cpu() {
    StepReport report;
    report.step = steps_ + 1;
    report.loss = run_->loss();
    report.finite = run_->finite();
    clear_held_gradients();
    report.gradient_norm = gradient_norm(gradients_, backend_.pool());
    report.learning_rate = options_.schedule.at(report.step);
    report.words = words_of(batch_);
    if (!report.is_finite()) throw_diagnosis(report);
    const auto clip = static_cast<double>(options_.clip);
    if (report.gradient_norm > clip) report.clip_factor = static_cast<float>(clip / (report.gradient_norm + 1e-6));
    if (watching_) watch_.keep(parameters_, *optimizer_);
    optimizer_->step(parameters_, gradients_, report.clip_factor, report.learning_rate, backend_.pool());
    statistics_->update(*run_, batch_, parameters_);
    steps_ = fetched_ = report.step;
    last_ = report;
    return report;
}

void Trainer::throw_diagnosis(const StepReport& report) {
    std::string where;
    try {
        trouble_ = diagnose(backend_, model_, parameters_, batch_, options_.seed, report.step);
        where = trouble_->text();
    } catch (const std::bad_alloc&) {
        // There may not be enough memory to keep every value; the message still names the step.
    }
    const std::string rate = significant(report.learning_rate);
    if (where.empty())
        throw Error(
            "{1} is NaN or infinite at step {2}; the parameters are still those of step {3}; train again "
            "with a lower learning rate (it was {4}), from the start or from an earlier step",
            what_broke(report), report.step, steps_, rate);
    throw Error(
        "{1} is NaN or infinite at step {2}: {3}; the parameters are still those of step {4}; train again with a "
        "lower learning rate (it was {5}), from the start or from an earlier step",
        what_broke(report), report.step, where, steps_, rate);
}

void Trainer::watch(bool on) {
    watching_ = on;
    next_part_ = Part::none;  // an update already begun is not watched
}

StepInside Trainer::inside() const {
    if (!last_) throw Error("there is no update to inspect yet: run a training step first");
    fetch();
    StepInside inside{*last_, gradients_, optimizer_->m(), optimizer_->v(), &batch_, {}, {}, {}};
    if (!watch_.kept()) return inside;
    inside.parameters_before = watch_.parameters();
    inside.m_before = watch_.m();
    inside.v_before = watch_.v();
    return inside;
}

void Trainer::require_watched() const {
    if (!last_ || !watch_.kept()) throw Error("the newest update was not watched: switch watching on and run a step");
}

std::span<const float> Trainer::last_update() {
    require_watched();
    fetch();
    return watch_.change(parameters_);
}

std::span<const float> Trainer::loss_of_tokens() {
    require_watched();
    if (!token_losses_) token_losses_ = std::make_unique<TokenLosses>(backend_, model_);
    return token_losses_->run(watch_.parameters(), batch_, options_.seed, steps_);
}

}  // namespace glassformer
