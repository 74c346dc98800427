#include "app/session/training_run.h"

#include <algorithm>
#include <utility>

#include "app/session/experiment_plan.h"
#include "core/base/error.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

using Clock = std::chrono::steady_clock;

/// While it trains, a kept run's state is saved this often, in seconds.
constexpr double save_every = 10.0;
/// If a step takes longer than this, in seconds, wait for the device: otherwise the steps in flight would delay
/// everything.
constexpr double slow_step = 0.01;

TrainingEvents events_for(const ModelInfo& model) {
    return {model.metric_name, model.metric_is_share, model.metric_level};
}

/// Returns what a branch changes, or, if nothing, what was changed during its parent's training.
std::string change_from(const TrainingRun& parent, const TrainingSetup& setup) {
    std::string change = describe_change(parent.setup(), setup);
    return change.empty() && !parent.origin().branched() ? parent.origin().change : change;
}

Parameters with_zeros(const Parameters& parameters, std::span<const ParameterRange> ranges) {
    if (ranges.empty()) return parameters;
    std::vector<float> values = *parameters;
    for (const ParameterRange& r : ranges) std::fill_n(values.begin() + r.offset, r.count, 0.0f);
    return std::make_shared<const ParameterValues>(std::move(values));
}

}  // namespace

TrainingRun::TrainingRun(int id, std::string name, std::shared_ptr<ActiveModel> model, TrainingSetup setup,
                         RunOrigin origin, const std::function<void()>& between)
    : id_(id),
      name_(std::move(name)),
      model_(std::move(model)),
      setup_(std::move(setup)),
      origin_(std::move(origin)),
      timeline_({most_timeline_bytes}),
      curve_(events_for(*model_->info)) {
    const Checkpoint& start = model_->start;
    state_.seed = setup_.options.seed;
    if (start.parameters) {
        opened_at_ = state_.step = start.step;
        state_.parameters = start.parameters;
        for (const Timeline::Keyframe& kept : start.keyframes) timeline_.keep(kept);
    } else {
        state_.parameters = std::make_shared<const ParameterValues>(
            initial_parameters(*parameter_graph(start.config), setup_.options.seed, between));
    }
    if (timeline_.empty() || timeline_.steps().back() < state_.step) timeline_.keep(state_);
    curve_.begin(start.log, {}, state_.step > 0 ? state_.step : -1);
    saved_step_ = state_.step;
}

TrainingRun::TrainingRun(int id, std::string name, const TrainingRun& parent, std::int64_t step, TrainingSetup setup,
                         const TrainingState& state)
    : id_(id),
      name_(std::move(name)),
      model_(parent.model_),
      setup_(std::move(setup)),
      origin_{parent.id_, {}, step, change_from(parent, setup_)},
      opened_at_(parent.opened_at_),
      state_(state),
      timeline_({most_timeline_bytes}),
      curve_(events_for(*model_->info)) {
    state_.seed = setup_.options.seed;
    state_.parameters = with_zeros(state_.parameters, setup_.options.frozen_zero);  // from the first step on
    timeline_.keep(state_);
    curve_.begin_as(parent.curve_, step);
    saved_step_ = state_.step;
}

void TrainingRun::begin_at(const TrainingState& state, std::vector<Timeline::Keyframe> keyframes) {
    state_ = state;
    newest_step_ = -1;
    timeline_.clear();
    for (Timeline::Keyframe& keyframe : keyframes)
        if (keyframe.step < state_.step) timeline_.keep(std::move(keyframe));
    timeline_.keep(state_);
}

void TrainingRun::take_over(const EndedRun& left) {
    begin_at(left.state, left.keyframes);
    curve_.begin(left.log, left.heads);
    saved_step_ = 0;
    made_ = state_.step;
    changed();
}

void TrainingRun::heads_measured(std::int64_t step, std::vector<HeadScore> heads) {
    curve_.heads_measured(step, std::move(heads), timeline_.steps());
    changed();
}

void TrainingRun::attach_trainer(CpuBackend& backend) {
    if (trainer_) return;
    trainer_ = std::make_unique<Trainer>(backend, setup_.config, model_->task->batches, setup_.options, state_);
    made_ = state_.step;
}

void TrainingRun::detach_trainer() {
    if (!trainer_) return;
    state_ = newest_state();
    setup_.options = trainer_->options();
    trainer_ = nullptr;
}

void TrainingRun::use(std::unique_ptr<TrainingDevice> device) {
    if (!trainer_ || (!device && !trainer_->device())) return;
    settle();
    trainer_->use(std::move(device));
    waited_ = 0.0;
    pace_ = {};
}

std::string TrainingRun::take_device_trouble() {
    if (trainer_) note_device_trouble();
    return std::exchange(device_trouble_, {});
}

std::optional<StepReport> TrainingRun::step() {
    curve_.close_points();
    write_log();  // nothing more is added to the newest point
    const bool slow = pace_.seconds_per_step() > slow_step;
    std::optional<StepReport> report = timed_step(&Trainer::step_async);
    if (!report && !trainer_->device()) return report;  // a turn between two frames was too short for the update
    const bool kept = timeline_.wants(made_);
    if (slow || kept)
        if (const std::optional<StepReport> newest = catch_up()) report = newest;
    if (kept) keep_newest();
    if (seconds_since(saved_at_) >= save_every) save();
    changed();
    return report;
}

std::optional<StepReport> TrainingRun::catch_up() {
    std::optional<StepReport> newest;
    while (const std::optional<StepReport> report = timed_step(&Trainer::next_report)) newest = report;
    return newest;
}

std::optional<StepReport> TrainingRun::timed_step(std::optional<StepReport> (Trainer::*what)()) {
    const Clock::time_point start = Clock::now();
    std::optional<StepReport> report;
    try {
        report = (trainer_.get()->*what)();
    } catch (const Error&) {
        made_ = trainer_->steps();  // the others were rolled back
        throw;
    }
    waited_ += seconds_since(start);
    made_ = trainer_->steps();
    note_device_trouble();
    if (report) add_point(*report);
    return report;
}

void TrainingRun::note_device_trouble() {
    if (const std::string why = trainer_->take_device_trouble(); !why.empty()) device_trouble_ = why;
}

/// Asking a lost device for its parameters goes back to the last step known here; the later ones are made again.
void TrainingRun::make_again() {
    note_device_trouble();
    while (trainer_->steps() < made_) {
        const StepReport report = trainer_->step();
        if (curve_.points().empty() || curve_.points().back().step < report.step) add_point(report);
    }
}

void TrainingRun::settle() {
    catch_up();
    static_cast<void>(trainer_->parameters());
    make_again();
}

TrainingState TrainingRun::newest_state() {
    settle();
    return trainer_->state();
}

void TrainingRun::Pace::add(double of_words, double of_seconds) {
    constexpr double kept = 0.95;
    steps = kept * steps + 1.0;
    words = kept * words + of_words;
    seconds = kept * seconds + of_seconds;
}

double TrainingRun::Pace::tokens_per_second() const { return words / std::max(seconds, 1e-9); }
double TrainingRun::Pace::seconds_per_step() const { return steps > 0.0 ? seconds / steps : 0.0; }

void TrainingRun::add_point(const StepReport& report) {
    pace_.add(static_cast<double>(report.words), std::exchange(waited_, 0.0));
    curve_.add(report, pace_.tokens_per_second());
    changed();
}

void TrainingRun::measured(double metric, float held_out_loss, std::vector<HeadScore> heads) {
    curve_.measured(steps(), metric, held_out_loss, std::move(heads));
    changed();
}

void TrainingRun::keep_newest() {
    try {
        timeline_.keep(newest_state());
    } catch (const Error& e) {  // the disk is full: the state stays in memory
        note_disk_trouble(e.what());
    }
}

void TrainingRun::began_anew(int run) {
    if (origin_.parent != run) return;
    origin_.parent_began_anew = true;
    changed();
}

void TrainingRun::keep_pause() {
    if (timeline_.steps().back() < steps()) keep_newest();
}

void TrainingRun::reset(std::uint64_t seed) {
    if (folder_ && !recovering_ && !folder_fails_) {
        keep_pause();
        save();
    }
    trainer_->reset(seed);
    ++restarts_;
    made_ = 0;
    name_ = renamed_for_seed(name_, setup_.options.seed, seed);
    setup_.options.seed = seed;
    timeline_.clear();
    origin_ = {};
    origin_.change = describe_removed(setup_);  // removed heads stay removed
    drop_recovery();
    folder_.reset();  // what was saved there stays
    folder_fails_ = false;
    newest_step_ = -1;
    saved_step_ = 0;
    opened_at_.reset();
    keep_newest();
    curve_.begin({});
    changed();
}

Parameters TrainingRun::parameters() {
    if (!trainer_) return state_.parameters;
    if (newest_step_ != trainer_->steps()) {
        settle();
        newest_ = std::make_shared<const ParameterValues>(trainer_->parameters().begin(), trainer_->parameters().end());
        newest_step_ = trainer_->steps();
    }
    return newest_;
}

void TrainingRun::note(std::int64_t step, double metric, float held_out_loss) {
    curve_.note(step, metric, held_out_loss);
    changed();
}

void TrainingRun::set_up_changed(const TrainingSetup& before) {
    // A branch keeps the description that it was made with.
    if (steps() > 0 && origin_.change.empty()) origin_.change = describe_change(before, setup_);
    settings_written_ = false;
    changed();
}

void TrainingRun::set_options(const TrainOptions& options) {
    validate(options);
    settle();
    const TrainingSetup before = setup_;
    trainer_->set_schedule(options.schedule);
    trainer_->set_optimizer(options.optimizer);
    trainer_->set_clip(options.clip);
    trainer_->set_batch(options.batch);
    trainer_->freeze_at_zero(options.frozen_zero);
    setup_.options = trainer_->options();
    set_up_changed(before);
}

void TrainingRun::set_dropout(float share) {
    settle();
    const TrainingSetup before = setup_;
    trainer_->set_dropout(share);
    setup_.config.dropout = share;
    set_up_changed(before);
}

void TrainingRun::rename(const std::string& name) {
    if (name.empty()) throw Error("a run needs a name");
    name_ = name;
    changed();
    if (folder_) folder_->set_settings(settings());
}

void TrainingRun::set_colour(int colour) {
    colour_ = colour;
    changed();
}

void TrainingRun::hide(bool hidden) {
    hidden_ = hidden;
    changed();
    if (folder_) folder_->set_settings(settings());
}

std::shared_ptr<const RunInfo> TrainingRun::info() {
    if (info_) return info_;
    auto info = std::make_shared<RunInfo>();
    info->id = id_;
    info->name = name_;
    info->colour = colour_;
    info->hidden = hidden_;
    info->model = model_->info;
    info->setup = setup_;
    if (trainer_) info->setup.options = trainer_->options();
    info->origin = origin_;
    info->restarts = restarts_;
    info->step = steps();
    info->opened_at = opened_at_;
    info->history = std::make_shared<const std::vector<MetricPoint>>(curve_.points());
    info->events = std::make_shared<const std::vector<TrainingEvent>>(curve_.events());
    info->kept_steps = timeline_.steps();
    info->folder = folder_ && !recovering_ ? folder_->path().string() : "";
    info->saved_view = looked_at_;
    info->saved_step = saved_step_;
    info->unsaved = steps() != saved_step_;
    info->folder_fails = folder_fails_;
    return info_ = std::move(info);
}

}  // namespace glassformer::app
