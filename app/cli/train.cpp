#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "core/analysis/sense_probe.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/train/trainer.h"
#include "core/train/world_training.h"

namespace glassformer::app {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::int64_t measure_every = 50, trial_steps = 20;

volatile std::sig_atomic_t interrupted = 0;
void on_interrupt(int) { interrupted = 1; }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Finds out before the training, not after it, that the folder cannot be written.
void require_writable(const fs::path& folder) {
    const fs::path parent = fs::absolute(folder).lexically_normal().parent_path();
    if (!fs::is_directory(parent))
        throw Error("cannot save to " + folder.string() + ": there is no folder " + parent.string());
    if (access(parent.c_str(), W_OK) != 0)
        throw Error("cannot save to " + folder.string() + ": the folder " + parent.string() + " cannot be written to");
    if (fs::exists(folder) && !fs::is_directory(folder))
        throw Error("cannot save to " + folder.string() + ": it is a file, not a folder");
    if (fs::is_directory(folder) && !fs::is_empty(folder) && !fs::exists(folder / "config.json"))
        throw Error("cannot save to " + folder.string() + ": the folder holds other files and is not a checkpoint");
}

Parameters copy(const Trainer& trainer) {
    return std::make_shared<std::vector<float>>(trainer.parameters().begin(), trainer.parameters().end());
}

/// One run of `glassformer train`.
class Run {
public:
    explicit Run(const TrainArgs& args)
        : args_(args),
          training_(World::load(world_file(args.world))),
          backend_(args.threads),
          probe_(backend_, training_),
          timeline_(static_cast<std::size_t>(std::max(args.keyframes, 1))) {
        if (!args.out.empty()) require_writable(args.out);
        if (!args.log.empty()) {
            log_.open(args.log);
            if (!log_) throw Error("cannot write the log " + args.log + "; does its folder exist?");
        }
        TrainOptions options;
        options.batch = args.batch;
        options.seed = args.seed;
        options.schedule.peak = args.learning_rate;
        options.schedule.total = planned_ = args.seconds > 0.0 ? estimate_steps(options) : args.steps;
        trainer_ = std::make_unique<Trainer>(backend_, training_.config, training_.masked_words(), options);
    }

    int run() {
        std::signal(SIGINT, on_interrupt);
        const Clock::time_point start = Clock::now();
        timeline_.keep(0, copy(*trainer_));
        measure();
        while (trainer_->steps() < planned_ && !interrupted) step(start);
        train_seconds_ = seconds_since(start);
        measure();
        if (isatty(2)) std::fputc('\n', stderr);
        timeline_.keep(trainer_->steps(), copy(*trainer_));
        if (!args_.out.empty()) save();
        std::printf("%s\n", summary().c_str());
        return interrupted ? 130 : 0;
    }

private:
    /// A schedule needs its length: a short trial tells how many steps fit into the time.
    std::int64_t estimate_steps(const TrainOptions& options) {
        Trainer trial(backend_, training_.config, training_.masked_words(), options);
        for (int i = 0; i < 3; ++i) trial.step();
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < trial_steps; ++i) trial.step();
        return std::max<std::int64_t>(
            1, static_cast<std::int64_t>(args_.seconds / (seconds_since(start) / static_cast<double>(trial_steps))));
    }

    void step(Clock::time_point start) {
        const StepReport report = trainer_->step();
        log_points_.push_back({report.step, report.loss, -1.0f});
        if (report.step % measure_every == 0 && report.step < planned_) measure();
        if (args_.keyframes > 0 && timeline_.wants(report.step)) timeline_.keep(report.step, copy(*trainer_));
        if (log_.is_open()) write_log(report);
        progress(report, start);
    }

    void measure() {
        accuracy_ = probe_.measure(trainer_->parameters()).accuracy;
        if (!log_points_.empty()) log_points_.back().accuracy = accuracy_.back();
        if (first_95_ < 0.0 && accuracy_.back() >= 0.95f) first_95_ = seconds_since(started_);
    }

    void write_log(const StepReport& report) {
        nlohmann::json line{{"step", report.step},
                            {"loss", report.loss},
                            {"gradient_norm", report.gradient_norm},
                            {"learning_rate", report.learning_rate}};
        if (log_points_.back().accuracy >= 0.0f) line["accuracy"] = log_points_.back().accuracy;
        log_ << line.dump() << '\n';
        if (!log_.flush()) throw Error("cannot write the log " + args_.log + "; is the disk full?");
    }

    /// One line that renews itself on a terminal, a line every few seconds elsewhere.
    void progress(const StepReport& report, Clock::time_point start) {
        const bool last = report.step == planned_, terminal = isatty(2);
        if (!last && seconds_since(shown_) < (terminal ? 0.1 : 2.0)) return;
        shown_ = Clock::now();
        const double rate = static_cast<double>(report.step) / seconds_since(start),
                     left = static_cast<double>(planned_ - report.step) / rate;
        std::fprintf(stderr,
                     "%sstep %lld of %lld   loss %.3f   held-out sense accuracy %.1f %%   %.0f steps/s   %.0f s left%s",
                     terminal ? "\r" : "", static_cast<long long>(report.step), static_cast<long long>(planned_),
                     static_cast<double>(report.loss), 100.0 * static_cast<double>(accuracy_.back()), rate, left,
                     terminal ? "\x1b[K" : "\n");
    }

    void save() const {
        Checkpoint out;
        out.config = training_.config;
        out.tokenizer = std::make_shared<WordTokenizer>(training_.tokenizer);
        out.world = training_.world.name();
        out.seed = args_.seed;
        out.step = trainer_->steps();
        out.planned_steps = planned_;
        out.parameters = copy(*trainer_);
        out.log = log_points_;
        if (args_.keyframes > 0) out.keyframes = timeline_.keyframes();
        save_checkpoint(args_.out, out);
    }

    std::string summary() const {
        nlohmann::json figures{{"world", training_.world.name()},
                               {"steps", trainer_->steps()},
                               {"seed", args_.seed},
                               {"parameters", trainer_->parameters().size()}};
        figures["loss"] = log_points_.empty() ? nlohmann::json(nullptr) : nlohmann::json(log_points_.back().loss);
        figures["sense_accuracy"] = accuracy_;
        figures["held_out_sentences"] = probe_.tested();
        figures["seconds"] = train_seconds_;
        figures["seconds_to_95"] = first_95_ < 0.0 ? nlohmann::json(nullptr) : nlohmann::json(first_95_);
        figures["steps_per_second"] =
            train_seconds_ > 0.0 ? static_cast<double>(trainer_->steps()) / train_seconds_ : 0.0;
        figures["backend"] = backend_.description();
        if (!args_.out.empty()) figures["out"] = args_.out;
        return figures.dump();
    }

    TrainArgs args_;
    WorldTraining training_;
    CpuBackend backend_;
    SenseProbe probe_;
    Timeline timeline_;
    std::unique_ptr<Trainer> trainer_;
    std::int64_t planned_ = 0;
    std::ofstream log_;
    std::vector<MetricPoint> log_points_;
    std::vector<float> accuracy_;
    Clock::time_point started_ = Clock::now(), shown_ = Clock::now();
    double first_95_ = -1.0, train_seconds_ = 0.0;
};

}  // namespace

int run_train(const TrainArgs& args) { return Run(args).run(); }

}  // namespace glassformer::app
