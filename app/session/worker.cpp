#include "app/session/worker.h"

#include <algorithm>
#include <utility>

#include "app/session/shelf.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_points = 16384;
/// While training, a metric is measured this often: it may take as long as many steps.
constexpr double measure_every = 0.5;

/// The loss of one batch is noisy: a running mean over about the last twenty.
float smoothed(float before, float loss) { return 0.95f * before + 0.05f * loss; }

/// The first sample, and for comparison the first one after it.
std::string sample_for(const ModelInfo& model, std::size_t slot) {
    return model.samples.empty() ? "" : model.samples[std::min(slot, model.samples.size() - 1)].text;
}

}  // namespace

Session::Worker::Worker(const Options& options)
    : options_(options), backend_(options.threads), shelf_(shelf_of(options.assets)) {
    const std::filesystem::path folder = worlds();
    open(options.checkpoint.empty() ? open_world(options.world, folder)
                                    : open_checkpoint(options.checkpoint, folder, options.world));
    for (std::size_t slot = 0; slot < texts_.size(); ++slot)
        if (options.sentences[slot]) texts_[slot] = *options.sentences[slot];
}

void Session::Worker::open(const OpenedModel& opened) {
    auto fresh = std::make_unique<ModelAtWork>(backend_, opened, worlds());
    study_ = nullptr;
    model_ = std::move(fresh);
    const Checkpoint& start = model_->start;
    state_ = RunState::paused;
    live_ = true;
    steps_per_second_ = 0.0f;
    next_seed_ = start.seed;
    live_parameters_step_ = -1;
    measured_parameters_ = nullptr;
    measured_ = nullptr;
    probe_result_ = nullptr;
    meaning_result_ = nullptr;
    homonym_.clear();
    measured_homonym_.clear();
    timeline_.clear();
    comparison_.reset();
    for (const Timeline::Keyframe& k : start.keyframes) timeline_.keep(k.step, k.parameters);
    if (start.parameters)
        timeline_.keep(start.step, start.parameters);
    else
        keep_newest();
    history_ = start.log;
    smooth_loss_ = history_.empty() ? 0.0f : smoothed_loss_at(history_.back().step);
    shown_step_ = model_->steps();
    for (std::size_t slot = 0; slot < texts_.size(); ++slot) texts_[slot] = sample_for(*model_->info, slot);
}

Trainer& Session::Worker::trainer() {
    if (!model_->trainer) throw Error("This model cannot be trained here: " + model_->info->why_not_trained);
    return *model_->trainer;
}

void Session::Worker::keep_newest() {
    timeline_.keep(model_->steps(),
                   std::make_shared<std::vector<float>>(model_->parameters().begin(), model_->parameters().end()));
}

void Session::Worker::handle(const Command& command) {
    try {
        std::visit([this](const auto& c) { perform(c); }, command);
    } catch (const Error& e) {
        fail(e.what());
    } catch (const std::bad_alloc&) {
        fail("There was not enough memory for that; try a smaller batch.");
    }
}

void Session::Worker::tell(const std::string& message) {
    error_ = message;
    ++error_number_;
}

void Session::Worker::fail(const std::string& message) {
    tell(message);
    state_ = RunState::paused;
}

void Session::Worker::perform(const command::OpenModel& c) { open(open_checkpoint(c.folder, worlds())); }

void Session::Worker::perform(const command::OpenWorld& c) { open(open_world(c.name, worlds())); }

void Session::Worker::perform(const command::SetWhatIf& c) {
    model_->runs.change(c.changes, texts_, shown_parameters());
}

void Session::Worker::perform(const command::AskPatchGrid& c) {
    if (live_) shown_step_ = model_->steps();
    const WatchedRuns::Both& sentences = model_->runs.watch(texts_, shown_parameters());
    study_ = std::make_unique<PatchStudyAtWork>(backend_, c, sentences, shown_step_);
}

void Session::Worker::patch_for(double seconds) {
    try {
        study_->work_for(seconds);
    } catch (const Error& e) {
        study_ = nullptr;
        tell(e.what());
    }
}

void Session::Worker::perform(const command::CompareWith& c) { comparison_.set(backend_, c.with, worlds()); }

void Session::Worker::perform(const command::Train&) {
    trainer();
    state_ = RunState::training;
    live_ = true;
    steps_per_second_ = 0.0f;
}

void Session::Worker::perform(const command::Pause&) { state_ = RunState::paused; }

void Session::Worker::perform(const command::Reset&) {
    trainer().reset(next_seed_);
    state_ = RunState::paused;
    timeline_.clear();
    history_.clear();
    smooth_loss_ = 0.0f;
    live_ = true;
    shown_step_ = 0;
    live_parameters_step_ = -1;
    keep_newest();
}

void Session::Worker::perform(const command::SetLearningRate& c) {
    if (!(c.peak > 0.0f) || c.peak > 10.0f) throw Error("the learning rate must be above 0 and at most 10");
    trainer().set_peak_learning_rate(c.peak);
}

void Session::Worker::perform(const command::SetBatch& c) {
    if (c.batch < 1 || c.batch > 1024) throw Error("the batch size must be between 1 and 1024");
    trainer().set_batch(c.batch);
}

void Session::Worker::perform(const command::SetSeed& c) { next_seed_ = c.seed; }

void Session::Worker::perform(const command::Watch& c) {
    std::string& text = texts_.at(static_cast<std::size_t>(c.slot));
    if (text != c.text) study_ = nullptr;
    text = c.text;
}

void Session::Worker::perform(const command::LookAt& c) {
    live_ = false;
    shown_step_ = timeline_.nearest(c.step).step;
}

void Session::Worker::perform(const command::FollowLive&) { live_ = true; }

void Session::Worker::perform(const command::ShowMeaning& c) { homonym_ = c.homonym; }

void Session::Worker::perform(const command::Save& c) {
    Checkpoint out = model_->start;
    if (model_->trainer) out.seed = model_->trainer->options().seed;
    out.step = model_->steps();
    out.planned_steps = model_->planned_steps;
    out.parameters = std::make_shared<std::vector<float>>(model_->parameters().begin(), model_->parameters().end());
    out.keyframes.clear();
    out.log = history_;
    save_checkpoint(c.folder, out);
}

void Session::Worker::train_for(double seconds) {
    const Clock::time_point start = Clock::now();
    const std::int64_t first = model_->steps();
    try {
        while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) record(trainer().step());
    } catch (const Error& e) {
        fail(e.what());
    }
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    const auto rate = static_cast<float>(static_cast<double>(model_->steps() - first) / took);
    steps_per_second_ = steps_per_second_ == 0.0f ? rate : 0.8f * steps_per_second_ + 0.2f * rate;
}

// A long run keeps its curve at a coarser grain: every second point of the older half goes; an accuracy that was
// measured there moves to the point before.
void Session::Worker::thin_history() {
    if (history_.size() <= most_points) return;
    const std::size_t half = history_.size() / 2;
    std::vector<MetricPoint> kept;
    for (std::size_t i = 0; i < history_.size(); ++i) {
        if (i >= half || i % 2 == 0)
            kept.push_back(history_[i]);
        else if (history_[i].accuracy >= 0.0f)
            kept.back().accuracy = history_[i].accuracy;
    }
    history_ = std::move(kept);
}

void Session::Worker::record(const StepReport& report) {
    thin_history();
    history_.push_back({report.step, report.loss, -1.0f});
    smooth_loss_ = history_.size() == 1 ? report.loss : smoothed(smooth_loss_, report.loss);
    if (timeline_.wants(report.step)) keep_newest();
}

Parameters Session::Worker::shown_parameters() {
    if (!model_->trainer) return model_->start.parameters;  // they never change
    if (!live_) return timeline_.nearest(shown_step_).parameters;
    if (live_parameters_step_ != model_->steps()) {
        live_parameters_ =
            std::make_shared<std::vector<float>>(model_->parameters().begin(), model_->parameters().end());
        live_parameters_step_ = model_->steps();
    }
    return live_parameters_;
}

/// Writes what was measured at the shown step into the curve.
void Session::Worker::note(double value) {
    const auto point = std::ranges::find(history_, shown_step_, &MetricPoint::step);
    if (point != history_.end()) point->accuracy = static_cast<float>(value);
}

void Session::Worker::measure_senses(const Parameters& parameters, bool moved) {
    SenseStudy& senses = *model_->senses;
    if (moved) {
        probe_result_ = std::make_shared<SenseProbeResult>(senses.probe.measure(*parameters));
        const std::vector<float>& accuracy = probe_result_->accuracy;
        Measurement found;
        found.value = static_cast<double>(accuracy.back());
        for (std::size_t layer = 0; layer < accuracy.size(); ++layer)
            found.details.emplace_back(layer == 0 ? "embedding" : "block " + std::to_string(layer - 1),
                                       static_cast<double>(accuracy[layer]));
        note(found.value);
        measured_ = std::make_shared<Measured>(Measured{std::move(found), shown_step_});
    }
    if (moved || homonym_ != measured_homonym_) {
        meaning_result_ = senses.maps.make(homonym_, *parameters);
        measured_homonym_ = homonym_;
    }
}

void Session::Worker::measure_metric(const Parameters& parameters) {
    measured_ = std::make_shared<Measured>(Measured{model_->metric->measure(*parameters), shown_step_});
    measured_at_ = Clock::now();
    note(measured_->found.value);
}

// Measured again when the parameters that are shown have changed.
void Session::Worker::measure() {
    const Parameters parameters = shown_parameters();
    const bool moved = parameters != measured_parameters_;
    if (model_->senses) {
        measure_senses(parameters, moved);
    } else if (model_->metric && moved) {
        const bool soon = std::chrono::duration<double>(Clock::now() - measured_at_).count() < measure_every;
        if (training() && live_ && measured_ && soon) return;
        measure_metric(parameters);
    }
    measured_parameters_ = parameters;
}

void Session::Worker::choose_homonym(const Snapshot& snapshot) {
    for (const WatchedSentence& sentence : snapshot.sentences)
        if (homonym_.empty() && sentence.homonym_pos >= 0)
            homonym_ = sentence.tokens[static_cast<std::size_t>(sentence.homonym_pos)].text;
}

float Session::Worker::smoothed_loss_at(std::int64_t step) const {
    float smooth = 0.0f;
    bool first = true;
    for (const MetricPoint& p : history_) {
        if (p.step > step) break;
        smooth = std::exchange(first, false) ? p.loss : smoothed(smooth, p.loss);
    }
    return smooth;
}

std::shared_ptr<const Snapshot> Session::Worker::snapshot() {
    if (live_) shown_step_ = model_->steps();
    auto s = std::make_shared<Snapshot>();
    s->sentences = model_->runs.watch(texts_, shown_parameters());
    s->what_if = model_->runs.changes();
    if (const std::string notice = model_->runs.take_notice(); !notice.empty()) tell(notice);
    if (study_) s->patch_study = study_->shown();
    comparison_.arrange(s->sentences, *model_, timeline_, shown_step_);
    s->comparing = comparison_.with();
    s->second_text = texts_[1];
    choose_homonym(*s);
    measure();
    s->number = ++snapshots_;
    s->model = model_->info;
    s->shelf = shelf_;
    s->state = state_;
    s->step = shown_step_;
    s->live_step = model_->steps();
    s->live = live_;
    s->planned_steps = model_->planned_steps;
    s->loss = live_ ? smooth_loss_ : smoothed_loss_at(shown_step_);
    s->steps_per_second = steps_per_second_;
    if (model_->trainer) {
        s->learning_rate = model_->trainer->options().schedule.peak;
        s->batch = model_->trainer->options().batch;
    }
    s->seed = next_seed_;
    s->measured = measured_;
    s->probe = probe_result_;
    s->meaning = meaning_result_;
    s->neurons = neurons_.examples(backend_, *model_, shown_parameters(), training() && live_);
    s->history = std::make_shared<std::vector<MetricPoint>>(history_);
    for (const Timeline::Keyframe& k : timeline_.keyframes()) s->kept_steps.push_back(k.step);
    s->error = error_;
    s->error_number = error_number_;
    return s;
}

}  // namespace glassformer::app
