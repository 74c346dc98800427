#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/device.h"
#include "app/cli/kept_run.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/base/guarded.h"
#include "core/base/seconds_since.h"
#include "core/io/checkpoint.h"
#include "core/io/output_file.h"
#include "core/io/training_files.h"
#include "core/platform/file.h"
#include "core/platform/process.h"
#include "core/platform/system_error.h"
#include "core/tasks/tasks.h"
#include "core/train/fixed_batch.h"
#include "core/train/trainer.h"
#include "core/train/training_events.h"

namespace glassformer::app {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::int64_t measure_every = steps_between_measurements, trial_steps = 20;
constexpr std::size_t most_points_in_memory = 400'000;

/// Throws Error if the folder cannot be written: before the training, not after it.
void require_writable(const fs::path& folder) {
    fs::path place = fs::absolute(folder).lexically_normal();
    if (!place.has_filename()) place = place.parent_path();  // it ended with a slash
    const fs::path parent = place.parent_path();
    if (!fs::is_directory(parent)) throw Error("cannot save to {1}: there is no folder {2}", folder, parent);
    if (!platform::may_write(parent))
        throw Error("cannot save to {1}: the folder {2} cannot be written to", folder, parent);
    if (std::error_code ignored; !fs::exists(place, ignored))
        if (const int reason = platform::creation_error(place)) platform::fail_to("write", folder, reason);
    require_checkpoint_place(folder);
}

bool is_log(const fs::path& file) {
    std::string start(4096, '\0');
    const platform::RegularFile open(file, std::numeric_limits<std::uint64_t>::max());
    start.resize(open.read(0, start));
    if (start.empty()) return true;
    try {
        return !parse_log(start.substr(0, start.find('\n') + 1), file.string(), PartialLine::refuse).points.empty();
    } catch (const Error&) {
        return false;
    }
}

/// A log is overwritten: anything else with its name, the world or the log of a run or a model, must not be lost.
void require_log_place(const fs::path& log) {
    std::error_code ignored;
    require_writable_file(log);
    if (!fs::is_regular_file(log, ignored)) return;  // new, or a device
    const fs::path file = fs::weakly_canonical(log, ignored), folder = file.parent_path();
    const bool of_a_model = file.filename() == "log.jsonl" && fs::exists(folder / "config.json", ignored);
    if (is_run_folder(folder) || of_a_model)
        throw Error("cannot write the log {1}: it is a file of the run or model in {2}; choose another name", log,
                    folder);
    if (!is_log(file)) throw Error("cannot write the log {1}: that file holds something else; choose a new one", log);
}

std::unique_ptr<Task> task_of(const TrainArgs& args) {
    const fs::path worlds = assets_folder() / "worlds";
    try {
        return make_task(args.world, worlds, {args.unit});
    } catch (const Error& e) {
        // A name that is no world and does not look like a file is a usage error.
        if (args.world.find_first_of("/.:") == std::string::npos &&
            std::ranges::count(world_names(worlds), args.world) == 0)
            throw UsageError("--world: {1}", e.what());
        throw;
    }
}

/// The task's own options, except for those on the command line.
TrainOptions options_of(const Task& task, const TrainArgs& args) {
    TrainOptions options = task.options;
    options.seed = args.seed;
    options.batch = args.batch.value_or(options.batch);
    options.longest = args.longest.value_or(options.longest);
    options.data_share = args.data_share.value_or(options.data_share);
    options.schedule.peak = args.learning_rate.value_or(options.schedule.peak);
    options.schedule.total = args.steps.value_or(options.schedule.total);
    return options;
}

/// At most `most` keyframes. A timeline of few steps keeps more, above all of the beginning: then evenly chosen ones,
/// without the last, which is the model itself.
std::vector<Timeline::Keyframe> chosen_keyframes(std::vector<Timeline::Keyframe> all, std::size_t most) {
    if (all.size() <= most) return all;
    std::vector<Timeline::Keyframe> chosen;
    for (std::size_t i = 0; i < most; ++i) chosen.push_back(std::move(all[i * (all.size() - 1) / most]));
    return chosen;
}

Parameters copy(const Trainer& trainer) {
    return std::make_shared<ParameterValues>(trainer.parameters().begin(), trainer.parameters().end());
}

std::optional<KeptRun> resumed(const TrainArgs& args) {
    if (args.resume.empty()) return std::nullopt;
    return KeptRun::resume(args);
}

/// One run of `glassformer train`.
class Run {
public:
    explicit Run(const TrainArgs& args)
        : args_(args),
          kept_(resumed(args)),
          task_(kept_ ? kept_->task() : task_of(args)),
          config_(kept_ ? kept_->settings().config : config_of(task_->config, args.model)),
          backend_(args.threads),
          metric_(task_->metric(backend_, config_)),
          held_out_(backend_, *task_, config_),
          heads_(HeadScoreProbe::make(backend_, config_, *task_)),
          events_(std::string(task_->metric_name), task_->metric_is_share, task_->metric_level),
          timeline_(kept_ ? kept_->timeline_limits()
                          : TimelineLimits{.most = static_cast<std::size_t>(most_keyframes(args))}) {
        if (!args.out.empty()) require_writable(args.out);
        if (!args.log.empty()) require_log_place(args.log);
        TrainOptions options = kept_ ? kept_->settings().options : options_of(*task_, args);
        choose_device(options);
        if (args.seconds > 0.0) options.schedule.total = estimate_steps(options);
        planned_ = options.schedule.total;
        trainer_ = std::make_unique<Trainer>(backend_, config_, task_->batches, options);
        use_device(*trainer_);
        if (kept_)
            go_on();
        else if (!args.run.empty())
            kept_ = KeptRun::begin(args, *task_, *trainer_);
        if (args.log.empty()) return;
        log_.open(args.log);  // empties it: nothing can refuse the training any more
        if (!log_) throw Error("cannot write the log {1}; does its folder exist?", args.log);
    }

    int run() {
        platform::catch_stop_signals();
        const Clock::time_point start = Clock::now();
        first_step_ = trainer_->steps();
        timeline_.keep({first_step_, copy(*trainer_)});
        if (first_step_ == 0)
            begin_events();
        else
            measure();
        try {
            while (trainer_->steps() < planned_ && !platform::stop_signal()) step(start);
            take_reports(start);
        } catch (const Error&) {
            save_despite_error();
            throw;
        }
        train_seconds_ = seconds_since(start);
        if (measured_step_ != trainer_->steps()) measure();
        if (platform::standard_error_is_terminal()) std::fputc('\n', stderr);
        timeline_.keep({trainer_->steps(), copy(*trainer_)});
        if (kept_) kept_->finish(*trainer_, timeline_);
        if (!args_.out.empty()) save();
        std::printf("%s\n", summary().c_str());
        return platform::stop_signal() ? 128 + platform::stop_signal() : 0;
    }

private:
    /// After an error the model is that of its last step. It replaces no older one, which may be better. What cannot be
    /// saved either is passed over: the user needs to see the first error.
    void save_despite_error() {
        if (platform::standard_error_is_terminal()) std::fputc('\n', stderr);
        if (kept_) guarded([&] { kept_->finish(*trainer_, timeline_); });
        std::error_code ignored;
        if (!args_.out.empty() && !fs::exists(args_.out, ignored) && guarded([&] { save(); }).empty())
            app::tell(filled_with(N_("the model of step {1} is saved in {2}"), trainer_->steps(), args_.out));
    }

    void choose_device(const TrainOptions& options) {
        const Trial trial{config_, task_->batches, options};
        device_ = std::make_unique<Device>(args_.backend, backend_, &trial);
    }

    void use_device(Trainer& trainer) {
        try {
            trainer.use(device_->training());
        } catch (const Error& e) {
            device_->give_up(filled_with(N_("{1}; continuing on the CPU"), e.what()));
        }
    }

    /// A schedule needs its length: a short trial tells how many steps fit into the time.
    std::int64_t estimate_steps(const TrainOptions& options) {
        Trainer trial(backend_, config_, task_->batches, options);
        use_device(trial);
        for (int i = 0; i < 3; ++i) trial.step();
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < trial_steps; ++i) trial.step_async();
        while (trial.next_report()) {
        }
        return std::max<std::int64_t>(
            1, static_cast<std::int64_t>(args_.seconds / (seconds_since(start) / static_cast<double>(trial_steps))));
    }

    /// Resumes a run from its last saved state.
    void go_on() {
        // The events begin, as the first time, with the untrained model's measurements.
        if (!kept_->settings().started_from) begin_events();
        trainer_->restore(kept_->take_state());
        for (const std::string& note : kept_->notes()) app::tell(note);
        for (TrainingState& keyframe : kept_->take_keyframes())
            if (keyframe.step < trainer_->steps()) timeline_.keep(std::move(keyframe));
        log_points_ = kept_->log().points;
        std::size_t next = 0;
        const std::vector<HeadScoresAt>& heads = kept_->log().heads;
        for (const MetricPoint& p : log_points_) {
            const bool measured = next < heads.size() && heads[next].step == p.step;
            events_.add(p, measured ? heads[next++].scores : std::vector<HeadScore>());
            if (level_step_ < 0 && p.accuracy >= 0.0f && at_level(static_cast<double>(p.accuracy)))
                level_step_ = p.step;
        }
        told_ = events_.all().size();
    }

    void begin_events() {
        measure();
        if (events_at_step_0_) return;
        events_at_step_0_ = true;
        events_.add(measured_point({}), head_scores_);
    }

    /// Lets a graphics card run ahead, except where each step's parameters may be wanted, and waits for it where they
    /// are measured.
    void step(Clock::time_point start) {
        step_began_ = Clock::now();
        const std::optional<StepReport> report =
            kept_ || args_.keyframes > 0 ? trainer_->step() : trainer_->step_async();
        if (report) take(*report, start);
        if (trainer_->steps() % measure_every == 0 || trainer_->steps() >= planned_) take_reports(start);
        if (const std::string trouble = trainer_->take_device_trouble(); !trouble.empty()) device_->give_up(trouble);
    }

    void take_reports(Clock::time_point start) {
        while (const std::optional<StepReport> report = trainer_->next_report()) take(*report, start);
    }

    void take(const StepReport& report, Clock::time_point start) {
        const double rate = static_cast<double>(report.words) / std::max(seconds_since(step_began_), 1e-9);
        tokens_per_second_ = tokens_per_second_ > 0.0 ? 0.95 * tokens_per_second_ + 0.05 * rate : rate;
        const MetricPoint point = report.point(tokens_per_second_);
        if ((kept_ || args_.keyframes > 0) && timeline_.wants(report.step))
            timeline_.keep({report.step, copy(*trainer_)});
        const bool measuring = report.step % measure_every == 0 || report.step == planned_;
        if (measuring) measure();
        note(measuring ? measured_point(point) : point,
             measuring ? std::span<const HeadScore>(head_scores_) : std::span<const HeadScore>());
        progress(report, start);
    }

    void note(const MetricPoint& point, std::span<const HeadScore> heads) {
        log_points_.push_back(point);
        if (log_points_.size() > most_points_in_memory) log_points_ = thinned(log_points_);
        events_.add(point, heads);
        for (; told_ < events_.all().size(); ++told_) tell(events_.all()[told_]);
        if (log_.is_open()) write_log(point, heads);
        if (kept_) kept_->add(point, heads, *trainer_, timeline_);
    }

    static void tell(const TrainingEvent& event) {
        if (platform::standard_error_is_terminal()) std::fputs("\r\x1b[K", stderr);
        std::fprintf(stderr, tr("step %lld: %s\n"), static_cast<long long>(event.step),
                     tr_sentence(event.text).c_str());
    }

    bool at_level(double value) const {
        return task_->metric_is_share ? value >= task_->metric_level : value <= task_->metric_level;
    }

    void measure() {
        found_ = metric_->measure(trainer_->parameters());
        held_out_loss_ = held_out_.measure(trainer_->parameters());
        if (heads_) head_scores_ = heads_->measure(trainer_->parameters());
        measured_step_ = trainer_->steps();
        if (level_step_ >= 0 || !at_level(found_.value)) return;
        level_step_ = trainer_->steps();
        level_seconds_ = seconds_since(started_);
    }

    /// The point with the latest measurements.
    MetricPoint measured_point(MetricPoint point) const {
        point.accuracy = static_cast<float>(found_.value);
        point.held_out_loss = held_out_loss_;
        return point;
    }

    void write_log(const MetricPoint& point, std::span<const HeadScore> heads) {
        log_ << log_line(point, heads);
        if (!log_.flush()) throw Error("cannot write the log {1}; is the disk full?", args_.log);
    }

    /// One line that updates itself on a terminal, a line every few seconds elsewhere.
    void progress(const StepReport& report, Clock::time_point start) {
        const bool last = report.step == planned_, terminal = platform::standard_error_is_terminal();
        if (!last && seconds_since(shown_) < (terminal ? 0.1 : 2.0)) return;
        shown_ = Clock::now();
        const double rate = static_cast<double>(report.step - first_step_) / seconds_since(start),
                     left = static_cast<double>(planned_ - report.step) / rate;
        if (terminal) std::fputc('\r', stderr);
        std::fprintf(stderr, tr("step %lld of %lld   loss %.3f   %s %s   %.0f steps/s   %.0f s left"),
                     static_cast<long long>(report.step), static_cast<long long>(planned_),
                     static_cast<double>(report.loss), tr_sentence(task_->metric_name).c_str(), metric_text().c_str(),
                     rate, left);
        std::fputs(terminal ? "\x1b[K" : "\n", stderr);
    }

    std::string metric_text() const {
        char text[32];
        if (!std::isfinite(found_.value)) return "–";
        if (task_->metric_is_share)
            std::snprintf(text, sizeof text, "%.1f %%", 100.0 * found_.value);
        else
            std::snprintf(text, sizeof text, "%.4g", found_.value);
        return text;
    }

    void save() const {
        Checkpoint out;
        out.config = config_;
        out.tokenizer = task_->tokenizer;
        out.source_tokenizer = task_->source_tokenizer;
        out.world = task_->name;
        out.source = task_->source;
        out.seed = trainer_->options().seed;
        out.step = trainer_->steps();
        out.planned_steps = planned_;
        out.parameters = copy(*trainer_);
        out.log = log_points_;
        if (args_.keyframes > 0)
            out.keyframes = chosen_keyframes(timeline_.keyframes(), static_cast<std::size_t>(args_.keyframes));
        save_checkpoint(args_.out, out);
    }

    std::string summary() const {
        nlohmann::json figures{{"world", task_->name},
                               {"steps", trainer_->steps()},
                               {"seed", trainer_->options().seed},
                               {"parameters", trainer_->parameters().size()},
                               {"metric", task_->metric_name},
                               {"value", found_.value},
                               {"level", task_->metric_level},
                               {"details", nlohmann::json::object()}};
        for (const auto& [name, value] : found_.details) figures["details"][name] = value;
        figures["loss"] = log_points_.empty() ? nlohmann::json(nullptr) : nlohmann::json(log_points_.back().loss);
        figures["steps_to_level"] = level_step_ < 0 ? nlohmann::json(nullptr) : nlohmann::json(level_step_);
        figures["seconds_to_level"] = level_seconds_ < 0.0 ? nlohmann::json(nullptr) : nlohmann::json(level_seconds_);
        figures["events"] = nlohmann::json::array();
        for (const TrainingEvent& e : events_.all())
            figures["events"].push_back({{"step", e.step}, {"kind", name_of(e.kind)}, {"text", e.text}});
        figures["seconds"] = train_seconds_;
        figures["steps_per_second"] =
            train_seconds_ > 0.0 ? static_cast<double>(trainer_->steps() - first_step_) / train_seconds_ : 0.0;
        figures["backend"] = device_->description();
        if (!args_.out.empty()) figures["out"] = args_.out;
        if (kept_) figures["run"] = args_.run.empty() ? args_.resume : args_.run;
        return figures.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // names need not be UTF-8
    }

    TrainArgs args_;
    std::optional<KeptRun> kept_;
    std::unique_ptr<Task> task_;
    TransformerConfig config_;
    CpuBackend backend_;
    std::unique_ptr<Metric> metric_;
    HeldOutLoss held_out_;
    std::unique_ptr<HeadScoreProbe> heads_;  // null if there are no heads to measure
    TrainingEvents events_;
    bool events_at_step_0_ = false;
    std::size_t told_ = 0;  // events that the user was told
    Timeline timeline_;
    std::unique_ptr<Device> device_;  // outlives what trains on it
    std::unique_ptr<Trainer> trainer_;
    std::int64_t planned_ = 0;
    std::ofstream log_;
    std::vector<MetricPoint> log_points_;
    Measurement found_;
    float held_out_loss_ = -1.0f;
    std::vector<HeadScore> head_scores_;
    std::int64_t first_step_ = 0, measured_step_ = -1;
    double tokens_per_second_ = 0.0;
    Clock::time_point started_ = Clock::now(), shown_ = Clock::now(), step_began_ = Clock::now();
    std::int64_t level_step_ = -1;  // when the metric first reached the task's level
    double level_seconds_ = -1.0, train_seconds_ = 0.0;
};

}  // namespace

int run_train(const TrainArgs& args) { return Run(args).run(); }

}  // namespace glassformer::app
