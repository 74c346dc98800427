#include <algorithm>
#include <thread>

#include "app/assets/open_model.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/worker.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/seconds_since.h"
#include "core/io/output_file.h"
#include "core/io/training_files.h"
#include "core/platform/atomic_file.h"

// The worker's training commands.
namespace glassformer::app {

namespace {

constexpr double most_steps_per_second = 1e4;

}  // namespace

TrainingRun& Session::Worker::run() {
    if (!runs_.current()) throw Error("This model cannot be trained here: {1}", model_->info->why_not_trained);
    return *runs_.current();
}

void Session::Worker::show(TrainingRun& run) {
    pause();
    show(run.model());
    live_ = true;
    next_seed_ = run.setup().options.seed;
    steps_per_second_ = 0.0f;
    inspection_ = nullptr;
    patching_.forget();
    trouble_ = nullptr;
    run.trainer().watch(inspected_ != Inspected::nothing);
    equip();
}

void Session::Worker::start_training(const StopAt& stop_at) {
    run();
    if (!model_->info->trainable())
        throw Error("This model cannot be trained here: {1}", model_->info->why_not_trained);
    // Events start from the measurement of the untrained model. The last measurement may be of an older step or of
    // another run that was looked at.
    if (run().steps() == 0 || stop_at.metric)
        measuring_.look(*model_, &run(), run().parameters(), run().steps(), false);
    state_ = RunState::training;
    live_ = true;
    trouble_ = nullptr;
    steps_per_second_ = 0.0f;
    stop_at_ = stop_at;
    stop_from_ = run().steps();
    training_since_ = next_step_at_ = Clock::now();
}

void Session::Worker::pause() {
    state_ = RunState::paused;
    stop_at_ = {};
    TrainingRun* current = runs_.current();
    if (!current || !current->attached_trainer()) return;
    try {  // measures the last point before it goes into the run's folder
        current->keep_pause();
        if (live_ && current->model() == model_)
            measuring_.look(*model_, current, current->parameters(), current->steps(), false);
        note_view();
        current->save();
    } catch (const Error& e) {
        tell(e.what());
    }
}

void Session::Worker::perform(const command::Train&) { start_training({}); }

void Session::Worker::perform(const command::Pause&) { pause(); }

void Session::Worker::perform(const command::MakeSteps& c) {
    if (c.count < 1) throw Error("the number of steps must be at least 1");
    start_training({.step = run().steps() + c.count});
}

void Session::Worker::perform(const command::TrainUntil& c) {
    if (!c.at.any()) throw Error("say when the training should pause: at a step, a loss, a metric, or after some time");
    if (c.at.step && run().steps() >= *c.at.step) return pause();
    start_training(c.at);
}

void Session::Worker::perform(const command::LimitSpeed& c) {
    if (!(c.steps_per_second >= 0.0) || c.steps_per_second > most_steps_per_second)
        throw Error("the speed limit must be between 0 (none) and 10,000 steps a second");
    most_per_second_ = c.steps_per_second;
    next_step_at_ = Clock::now();
}

void Session::Worker::perform(const command::Reset&) {
    run().reset(next_seed_);
    runs_.current_began_anew();
    show(run());
}

void Session::Worker::perform(const command::SetLearningRate& c) {
    if (!(c.peak > 0.0f) || c.peak > 10.0f) throw Error("the learning rate must be above 0 and at most 10");
    TrainOptions options = run().trainer().options();
    options.schedule.peak = c.peak;
    run().set_options(options);
}

void Session::Worker::perform(const command::SetBatch& c) {
    if (c.batch < 1 || c.batch > 1024) throw Error("the batch size must be between 1 and 1024");
    TrainOptions options = run().trainer().options();
    options.batch = c.batch;
    run().set_options(options);
}

void Session::Worker::perform(const command::SetSeed& c) { next_seed_ = c.seed; }

void Session::Worker::perform(const command::ChangeSetup& c) {
    TrainOptions options = c.setup.options;
    options.seed = run().trainer().options().seed;
    options.frozen_zero = run().trainer().options().frozen_zero;
    run().set_options(options);
    run().set_dropout(c.setup.config.dropout);
}

void Session::Worker::perform(const command::Propose& c) {
    preview_ = std::make_shared<SetupPreview>(glassformer::app::preview(
        backend_, proposed_setup(c.world, c.unit, worlds(), runs_.source_of(c.world)), worlds(), !training()));
}

void Session::Worker::perform(const command::Preview& c) {
    preview_ = std::make_shared<SetupPreview>(glassformer::app::preview(backend_, c.setup, worlds(), !training()));
}

void Session::Worker::perform(const command::NewRun& c) {
    const SetupPreview checked = glassformer::app::preview(backend_, c.setup, worlds(), false);
    if (!checked.refusal.empty()) throw Error(checked.refusal);
    const OpenedModel opened = fresh_as(checked.setup, worlds());
    auto model = std::make_shared<ActiveModel>(backend_, opened);
    const int id = runs_.next_id();
    const std::string name = c.name.empty() ? filled(tr("run {1}"), {std::to_string(id + 1)}) : c.name;
    TrainingSetup setup = checked.setup;
    setup.world = opened.world;
    setup.source = opened.task->source;
    auto fresh = std::make_unique<TrainingRun>(id, name, std::move(model), std::move(setup));
    pause();
    show(runs_.add(std::move(fresh)));
    if (c.train) start_training({});
}

void Session::Worker::perform(const command::Branch& c) {
    TrainingRun& parent = run();
    TrainingState state = parent.timeline().nearest(c.step);
    TrainingSetup setup = parent.setup();
    setup.options = c.setup.options;
    setup.options.frozen_zero = parent.setup().options.frozen_zero;
    setup = without_heads(std::move(setup), c.removed);
    setup.config.dropout = c.setup.config.dropout;
    validate(setup.config);
    validate(setup.options);
    const int id = runs_.next_id();
    const std::string name = c.name.empty() ? filled(tr("branch {1}"), {std::to_string(id + 1)}) : c.name;
    auto branch = std::make_unique<TrainingRun>(id, name, parent, state.step, setup, state);
    pause();
    show(runs_.add(std::move(branch)));
    if (c.train) start_training({});
}

void Session::Worker::perform(const command::ChooseRun& c) {
    pause();
    show(runs_.choose(c.id));
}

void Session::Worker::perform(const command::RenameRun& c) { runs_.at(c.id).rename(c.name); }

void Session::Worker::perform(const command::ColourRun& c) { runs_.at(c.id).set_colour(c.colour); }

void Session::Worker::perform(const command::HideRun& c) { runs_.at(c.id).hide(c.hidden); }

void Session::Worker::perform(const command::DeleteRun& c) {
    const TrainingRun* before = runs_.current();
    if (before && before->id() == c.id && !pause_to_leave()) return;
    runs_.remove(c.id);
    if (runs_.current() != before) show(*runs_.current());
}

void Session::Worker::perform(const command::StartExperiment& c) {
    auto fresh = std::make_unique<ExperimentAtWork>(backend_, c.plan, worlds(), 0, [this] {
        if (!has_news_.exchange(true)) wake_();
    });
    pause();  // its cores are needed
    if (!c.set_aside)
        experiment_aside_.reset();
    else if (!experiment_aside_)
        experiment_aside_ = std::move(experiment_);
    experiment_ = std::move(fresh);
}

void Session::Worker::perform(const command::StopExperiment& c) {
    if (c.bring_back) {
        if (experiment_aside_) experiment_ = std::move(*experiment_aside_);
        experiment_aside_.reset();
    } else if (experiment_) {
        experiment_->trainings().stop();
    }
}

void Session::Worker::perform(const command::OpenExperimentRun& c) {
    if (!experiment_) throw Error("there is no experiment to open a run of");
    std::unique_ptr<TrainingRun> ended = experiment_->open(static_cast<std::size_t>(c.run), runs_.next_id());
    pause();
    show(runs_.add(std::move(ended)));
}

void Session::Worker::perform(const command::Inspect& c) {
    if (runs_.current()) run().trainer().watch(c.what != Inspected::nothing);
    inspected_ = c.what;
    inspected_cell_ = c.cell;
    inspection_ = nullptr;
}

void Session::Worker::perform(const command::KeepRun& c) {
    (c.id < 0 ? run() : runs_.anywhere(c.id)).keep_in(c.folder);
}

void Session::Worker::perform(const command::OpenRun& c) {
    const std::vector<std::string> notes = open_run(c.folder, false);
    if (!notes.empty())
        tell(filled(tr("The run in {1} is open. {2}"), {c.folder, join(notes, ". ", tr_sentence) + "."}));
}

std::vector<std::string> Session::Worker::open_run(const std::filesystem::path& path, bool lost) {
    RunFolder folder = RunFolder::open(path);
    const RunSettings settings = folder.settings();
    OpenedModel opened = fresh_model(task_of_run(settings, worlds()), settings.world, worlds(), settings.unit);
    require_same_world(*opened.task, settings, path.string());
    TrainingSetup setup{opened.world, settings.unit, settings.config, settings.options, opened.task->source};
    begin_as(opened, setup);
    auto model = std::make_shared<ActiveModel>(backend_, opened);
    auto kept = std::make_unique<TrainingRun>(runs_.next_id(), settings.name, std::move(model), std::move(setup));
    const std::vector<std::string> notes = folder.notes();
    kept->go_on(std::move(folder), lost);
    pause();
    show(runs_.add(std::move(kept)));
    if (settings.saved_view) look_as(*settings.saved_view);
    return notes;
}

void Session::Worker::perform(const command::OpenLostRuns&) {
    std::vector<LostRun> left;
    std::string trouble;
    for (const LostRun& run : std::exchange(lost_, {})) {
        try {
            open_run(run.folder, true);
        } catch (const Error& e) {
            left.push_back(run);
            trouble += (trouble.empty() ? "" : ". ") + tr(e);
        }
    }
    if (!left.empty()) throw Error(trouble);  // these stay on disk
}

void Session::Worker::perform(const command::RemoveLostRuns&) {
    for (const LostRun& run : std::exchange(lost_, {}))
        if (!is_being_written(run.folder)) remove_recovery(run.folder);  // another window may continue it by now
}

void Session::Worker::perform(const command::NoteView& c) {
    layer_ = c.layer;
    head_ = c.head;
    note_view();
}

void Session::Worker::note_view() {
    if (TrainingRun* current = runs_.current(); layer_ >= 0 && current && current->model() == model_)
        current->note_view({texts_, layer_, head_});
}

void Session::Worker::perform(const command::EndCleanly&) {
    pause();
    runs_.bring_back();
    runs_.drop_recoveries();
}

void Session::Worker::perform(const command::KeepOnDisk& c) { runs_.keep_on_disk(c.steps); }

void Session::Worker::perform(const command::SaveMetrics& c) {
    require_output(c.file, FileKind::metrics_csv);
    write_file_atomically(c.file, log_as_csv(run().curve().points()));
}

bool Session::Worker::wait_for_turn(Clock::time_point end) {
    if (most_per_second_ <= 0.0) return true;
    if (next_step_at_ > end) {
        std::this_thread::sleep_until(end);
        return false;
    }
    std::this_thread::sleep_until(next_step_at_);
    next_step_at_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / most_per_second_));
    next_step_at_ = std::max(next_step_at_, Clock::now() - std::chrono::seconds(1));  // no burst after a wait
    return true;
}

bool Session::Worker::reached(const StopAt& at) {
    const TrainingRun& current = run();
    if (at.step && current.steps() >= *at.step) return true;
    // A graphics card reports its first steps later.
    const bool reported = !current.curve().points().empty();
    if (at.loss && reported && static_cast<double>(current.curve().smoothed_loss()) <= *at.loss) return true;
    if (at.seconds && seconds_since(training_since_) >= *at.seconds) return true;
    const std::shared_ptr<const Measured>& measured = measuring_.measured();
    if (!at.metric || !measured || measured->of.step < stop_from_) return false;
    return model_->info->metric_is_share ? measured->found.value >= *at.metric : measured->found.value <= *at.metric;
}

void Session::Worker::train_steps(double seconds, const std::atomic<bool>& asked) {
    note_view();
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (training() && Clock::now() < end && wait_for_turn(end)) {
        if (!run().step() && !run().trainer().device()) return;  // this turn was too short for the update
        if (run().steps() % steps_between_measurements == 0) {
            run().catch_up();
            measuring_.look_at_run(*model_, run());
        }
        if (reached(stop_at_)) pause();
        if (asked) return;
    }
    run().catch_up();
}

void Session::Worker::train_for(double seconds, const std::atomic<bool>& asked) {
    const Clock::time_point start = Clock::now();
    const std::int64_t first = run().steps();
    try {
        train_steps(seconds, asked);
    } catch (const Error& e) {
        if (run().trainer().trouble()) {
            const std::vector<std::int64_t> kept = run().timeline().steps();
            trouble_ = std::make_shared<Trouble>(Trouble{run().steps() + 1, e.what(), kept.empty() ? 0 : kept.back()});
            pause();  // the run's own bar gives the reason and offers a way forward
        } else {
            fail(e.what());
        }
    }
    if (const std::string full = run().take_disk_trouble(); !full.empty()) tell(full);
    const auto rate = static_cast<float>(static_cast<double>(run().steps() - first) / seconds_since(start));
    steps_per_second_ = steps_per_second_ == 0.0f ? rate : 0.8f * steps_per_second_ + 0.2f * rate;
}

Running Session::Worker::running() {
    Running r;
    TrainingRun& current = run();
    const TrainOptions& options = current.trainer().options();
    const std::vector<MetricPoint>& history = current.curve().points();
    const auto measured =
        std::find_if(history.rbegin(), history.rend(), [](const MetricPoint& p) { return p.held_out_loss >= 0.0f; });
    if (measured != history.rend()) r.held_out_loss = measured->held_out_loss;
    if (!history.empty()) {  // from the newest report: a device's steps run ahead of it
        r.gradient_norm = history.back().gradient_norm;
        r.clip_factor = history.back().clip_factor;
        r.learning_rate = history.back().learning_rate;
        r.tokens_per_second = static_cast<double>(std::max(0.0f, history.back().tokens_per_second));
    }
    if (r.learning_rate < 0)
        r.learning_rate = options.schedule.at(current.steps() + 1);  // learning rate of the next step
    const std::int64_t left = options.schedule.total - current.steps();
    if (training() && steps_per_second_ > 0.0f && left > 0)
        r.seconds_left = static_cast<double>(left) / static_cast<double>(steps_per_second_);
    r.steps_per_second_most = most_per_second_;
    r.stop_at = stop_at_;
    return r;
}

void Session::Worker::show_training(Snapshot& s) {
    s.state = state_;
    s.live_step = newest_step();
    s.live = live_;
    s.steps_per_second = steps_per_second_;
    s.next_seed = next_seed_;
    s.planned_steps = model_->planned_steps;
    s.runs = runs_.infos();
    s.set_aside = runs_.infos_aside();
    s.disk_steps = runs_.disk_steps();
    s.trouble = trouble_;
    s.preview = preview_;
    TrainingRun* current = runs_.current();
    if (!current) {
        s.history = std::make_shared<std::vector<MetricPoint>>(model_->start.log);
        return;
    }
    s.run = current->id();
    s.planned_steps = current->trainer().options().schedule.total;
    s.loss = live_ ? current->curve().smoothed_loss() : current->curve().smoothed_loss_at(shown_step());
    s.learning_rate = current->trainer().options().schedule.peak;
    s.batch = current->trainer().options().batch;
    s.history = s.current_run()->history;
    s.kept_steps = s.current_run()->kept_steps;
    s.running = running();
    if (inspected_ != Inspected::nothing && (!inspection_ || inspection_->step != current->steps()))
        inspection_ = inspect(*current, inspected_, inspected_cell_);
    s.inspection = inspection_;
}

}  // namespace glassformer::app
