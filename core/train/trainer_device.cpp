// Training on a device: steps are queued there, and the copy here is updated when it is read.
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

// The most steps that must be repeated if a device is lost.
constexpr std::int64_t fetch_every = 100;

}  // namespace

void Trainer::use(std::unique_ptr<TrainingDevice> device) {
    transfer();
    if (device) device->plan(model_, *statistics_);
    if (!device && !run_) prepare_on_cpu();
    device_ = std::move(device);
    if (device_) run_ = nullptr;
    queued_.reserve(TrainingDevice::most_pending);
    device_configured_ = device_current_ = false;
    token_losses_ = nullptr;
    forget_step();
}

void Trainer::prepare_on_cpu() { run_ = backend_.prepare(model_.graph, {statistics_->keep(), model_.loss, true}); }

void Trainer::configure_device() {
    if (!device_configured_) {
        device_->set_method(options_.optimizer, options_.clip);
        device_->freeze_at_zero(options_.frozen_zero);
        device_configured_ = true;
    }
    if (device_current_) return;
    updates_ = optimizer_->updates();
    device_->write(parameters_, optimizer_->m(), optimizer_->v(), updates_);
    device_current_ = true;
}

void Trainer::queue_step() {
    if (steps_ - fetched_ >= fetch_every) fetch();
    if (!device_) throw Error(device_trouble_);
    configure_device();
    StepReport report;
    report.step = steps_ + 1;
    report.learning_rate = options_.schedule.at(report.step);
    batches_->draw(options_.seed, report.step, options_.batch, batch_);
    report.words = words_of(batch_);
    set_training_inputs(device_->execution(), model_, batch_, options_.seed, report.step);
    device_->step(report.learning_rate, statistics_->shares(batch_));
    queued_.push_back({report, options_.clip});
    ++steps_;
    ++updates_;
}

std::optional<StepReport> Trainer::take_report(bool waiting) {
    if (queued_.empty()) return std::nullopt;
    const std::optional<TrainingDevice::Report> arrived = device_->report(waiting);
    if (!arrived) return std::nullopt;
    StepReport report = queued_.front().report;
    const auto clip = static_cast<double>(queued_.front().clip);
    queued_.erase(queued_.begin());
    report.loss = arrived->loss;
    report.gradient_norm = arrived->gradient_norm;
    report.finite = arrived->finite;
    if (report.gradient_norm > clip) report.clip_factor = static_cast<float>(clip / (report.gradient_norm + 1e-6));
    return report;
}

std::optional<StepReport> Trainer::take_delayed_report() {
    const StepReport oldest = delayed_reports_.front();
    delayed_reports_.erase(delayed_reports_.begin());
    return oldest;
}

StepReport Trainer::step_on_device() {
    const std::int64_t wanted = steps_ + 1;
    StepReport report;
    try {
        drop_reports();
        if (watching_) {
            fetch();
            watch_.keep(parameters_, *optimizer_);
        }
        queue_step();
        report = take_report(true).value();
    } catch (const Error& e) {
        return resume_on_cpu(e.what(), wanted, wanted);
    }
    require_finite(report);
    last_ = report;
    return report;
}

std::optional<StepReport> Trainer::step_async() {
    if (delayed_reports_.empty() && !device_ && !watching_ && !tasks_have_threads()) return step_while_turn_lasts();
    if (delayed_reports_.empty() && (!device_ || watching_)) return step();
    forget_step();
    if (!device_) {
        delayed_reports_.push_back(step_on_cpu());
        return take_delayed_report();
    }
    const std::int64_t wanted = steps_ + 1, unreported = first_unreported();
    std::optional<StepReport> arrived;
    try {
        arrived = take_report(queued_.size() == static_cast<std::size_t>(TrainingDevice::most_pending));
        if (!arrived || arrived->is_finite()) queue_step();
    } catch (const Error& e) {
        delayed_reports_.push_back(resume_on_cpu(e.what(), wanted, unreported));
        return take_delayed_report();
    }
    if (arrived) require_finite(*arrived);
    return arrived;
}

std::optional<StepReport> Trainer::next_report() {
    if (!delayed_reports_.empty()) return take_delayed_report();
    if (!device_) return std::nullopt;
    const std::int64_t wanted = steps_, unreported = first_unreported();
    std::optional<StepReport> arrived;
    try {
        arrived = take_report(true);
    } catch (const Error& e) {
        delayed_reports_.push_back(resume_on_cpu(e.what(), wanted, unreported));
        return take_delayed_report();
    }
    if (!arrived) return std::nullopt;
    require_finite(*arrived);
    if (arrived->step == steps_) last_ = arrived;
    return arrived;
}

std::int64_t Trainer::first_unreported() const { return queued_.empty() ? steps_ + 1 : queued_.front().report.step; }

// Repeats the steps that only the device knew, up to and including the wanted one. Reports that the caller has not
// received yet are returned later.
StepReport Trainer::resume_on_cpu(const std::string& why, std::int64_t wanted, std::int64_t unreported) {
    give_up_device(why);
    forget_step();
    while (steps_ + 1 < wanted)
        if (const StepReport again = step_on_cpu(); again.step >= unreported) delayed_reports_.push_back(again);
    return step_on_cpu();
}

// Neither that step nor the steps queued after it changed anything.
void Trainer::require_finite(const StepReport& report) {
    if (report.is_finite()) return;
    drop_reports();
    const std::int64_t undone = steps_ - (report.step - 1);
    steps_ -= undone;
    updates_ -= undone;
    transfer();
    batches_->draw(options_.seed, report.step, options_.batch, batch_);
    throw_diagnosis(report);
}

void Trainer::fetch() const {
    if (!device_ || fetched_ == steps_) return;
    try {
        device_->read_parameters(parameters_);
        device_->read_gradients(gradients_);
        device_->read_moments(optimizer_->m_to_write(), optimizer_->v_to_write());
    } catch (const Error& e) {
        give_up_device(e.what());
        return;
    }
    optimizer_->set_updates(updates_);
    fetched_ = steps_;
}

void Trainer::drop_reports() const {
    while (device_ && !queued_.empty()) {
        if (!device_->report(true)) break;
        queued_.erase(queued_.begin());
    }
}

void Trainer::transfer() {
    delayed_reports_.clear();
    if (!device_) return;
    try {
        drop_reports();
    } catch (const Error& e) {
        give_up_device(e.what());
    }
    fetch();
    device_current_ = false;
}

void Trainer::give_up_device(const std::string& why) const {
    if (!device_) return;
    device_trouble_ = filled_with(N_("{1}; training continues on the CPU"), why);
    device_ = nullptr;
    queued_.clear();
    steps_ = fetched_;
    run_ = backend_.prepare(model_.graph, {statistics_->keep(), model_.loss, true});
}

}  // namespace glassformer
