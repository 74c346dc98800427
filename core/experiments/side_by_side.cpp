#include "core/experiments/side_by_side.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/base/guarded.h"
#include "core/base/seconds_since.h"
#include "core/train/fixed_batch.h"
#include "core/train/trainer.h"
#include "core/train/training_events.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double turn = 0.05, told_every = 0.25;  // seconds
/// Twelve timelines are kept in memory.
constexpr std::size_t most_timeline_bytes = std::size_t{24} << 20;

std::unique_ptr<Metric> metric_of(Backend& backend, const Task& task, const TransformerConfig& config) {
    try {
        return task.metric(backend, config);
    } catch (const Error&) {  // it needs something that such a model lacks
        return nullptr;
    }
}

/// A training with all its measurements.
class Training {
public:
    Training(const Task& task, const PlannedRun& plan)
        : metric_(metric_of(backend_, task, plan.config)),
          held_out_(backend_, task, plan.config),
          heads_(HeadScoreProbe::make(backend_, plan.config, task)),
          trainer_(backend_, plan.config, task.batches, plan.options),
          total_(plan.options.schedule.total) {
        keep();
        if (done()) measure();
    }

    bool done() const { return trainer_.steps() >= total_; }
    std::int64_t step() const { return trainer_.steps(); }
    const std::shared_ptr<const Measurement>& found() const { return found_; }
    std::int64_t measured_step() const { return measured_; }
    double seconds() const { return seconds_; }
    Parameters parameters() const {
        return std::make_shared<const ParameterValues>(trainer_.parameters().begin(), trainer_.parameters().end());
    }
    const std::vector<MetricPoint>& log() const { return left_.log; }

    void go_on() {
        const Clock::time_point start = Clock::now();
        const std::optional<StepReport> report = trainer_.step_async();
        if (report) take(*report, seconds_since(start));
        seconds_ += seconds_since(start);
    }

    EndedRun leave() {
        if (timeline_.steps().back() < step()) keep();
        left_.state = trainer_.state();
        left_.keyframes = timeline_.keyframes();
        return std::move(left_);
    }

private:
    void take(const StepReport& report, double seconds) {
        const double rate = static_cast<double>(report.words) / std::max(seconds, 1e-9);
        rate_ = rate_ > 0.0 ? 0.95 * rate_ + 0.05 * rate : rate;
        left_.log.push_back(report.point(rate_));
        if (timeline_.wants(report.step)) keep();
        if (report.step % steps_between_measurements == 0 || done()) measure();
    }

    void measure() {
        const std::span<const float> parameters = trainer_.parameters();
        if (metric_) found_ = std::make_shared<const Measurement>(metric_->measure(parameters));
        measured_ = step();
        if (left_.log.empty()) return;
        MetricPoint& point = left_.log.back();
        if (found_) point.accuracy = static_cast<float>(found_->value);
        point.held_out_loss = held_out_.measure(parameters);
        if (heads_) left_.heads.push_back({step(), heads_->measure(parameters)});
    }

    void keep() { timeline_.keep({step(), parameters()}); }

    CpuBackend backend_{1};
    std::unique_ptr<Metric> metric_;
    HeldOutLoss held_out_;
    std::unique_ptr<HeadScoreProbe> heads_;  // null if there are no heads to measure
    Trainer trainer_;
    const std::int64_t total_;
    Timeline timeline_{{.memory_bytes = most_timeline_bytes}};
    std::shared_ptr<const Measurement> found_;
    std::int64_t measured_ = 0;
    double rate_ = 0.0, seconds_ = 0.0;
    EndedRun left_;
};

}  // namespace

/// Trains one run after another, on its own thread if there are threads.
class SideBySide::Lane {
public:
    explicit Lane(SideBySide& all) : all_(all) {}

    Turn take_turn(const std::stop_token& stop) {
        if (stop.stop_requested()) all_.stop();
        const std::string why = guarded([&] { work(); });
        if (why.empty()) return over_ ? Turn::done : Turn::more;
        if (run_ < 0) throw Error(why);  // no run to end with a failure
        leave(SideRun::State::failed, why);
        return Turn::more;
    }

private:
    void work() {
        fault_point("side by side turn");
        if (run_ < 0) begin();
        if (run_ < 0) return;
        // A turn between two frames is short, but does at least a part of an update.
        const Clock::time_point start = Clock::now();
        const double seconds = turn_seconds(turn);
        do {
            if (training_->done()) return leave(SideRun::State::done);
            if (all_.stopping_) return leave(SideRun::State::stopped);
            training_->go_on();
        } while (seconds_since(start) < seconds);
        if (seconds_since(told_) >= told_every) tell();
    }

    void begin() {
        run_ = all_.claim();
        over_ = run_ < 0;
        if (over_) return;
        training_ = std::make_unique<Training>(*all_.task_, all_.plans_[index()]);
        tell();
    }

    void tell() {
        told_ = Clock::now();
        all_.tell(index(), [&](SideRun& run) { describe(run); });
    }

    void describe(SideRun& run) const {
        run.step = training_->step();
        run.parameters = training_->parameters();
        run.log = std::make_shared<const std::vector<MetricPoint>>(training_->log());
        run.found = training_->found();
        run.measured_step = training_->measured_step();
        run.seconds = training_->seconds();
    }

    void leave(SideRun::State state, const std::string& failure = {}) {
        std::shared_ptr<const EndedRun> left;
        std::string why = failure;
        if (training_) {  // null: it could not even be created
            tell();
            if (const std::string lost = guarded([&] { left = std::make_shared<EndedRun>(training_->leave()); });
                !lost.empty() && why.empty())
                why = lost, state = SideRun::State::failed;
        }
        training_ = nullptr;
        all_.end(static_cast<std::size_t>(std::exchange(run_, -1)), state, why, std::move(left));
    }

    std::size_t index() const { return static_cast<std::size_t>(run_); }

    SideBySide& all_;
    int run_ = -1;  // the run in training; −1: none
    bool over_ = false;
    std::unique_ptr<Training> training_;
    Clock::time_point told_{};
};

SideBySide::SideBySide(std::shared_ptr<const Task> task, std::vector<PlannedRun> runs, int at_once,
                       std::function<void()> news)
    : task_(std::move(task)), plans_(std::move(runs)), news_(std::move(news)) {
    if (plans_.empty() || plans_.size() > most_runs)
        throw Error("an experiment has 1 to {1} runs, not {2}", most_runs, plans_.size());
    if (!task_->why_not_trained.empty()) throw Error(task_->why_not_trained);
    for (const PlannedRun& plan : plans_) {
        validate(plan.config);
        validate(plan.options);
        training_batches(task_->batches, plan.options);  // throws Error if the options do not fit
    }
    runs_.resize(plans_.size());
    ended_.resize(plans_.size());
    const int cores = at_once > 0 ? at_once : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    at_once_ = tasks_have_threads() ? std::min(cores, static_cast<int>(plans_.size())) : 1;
    lanes_left_ = at_once_;
    for (int i = 0; i < at_once_; ++i)
        lanes_.emplace_back(
            "side by side",
            [lane = std::make_shared<Lane>(*this)](const std::stop_token& stop) { return lane->take_turn(stop); },
            [this](const std::string& why) { lose_lane(why); });
}

SideBySide::~SideBySide() {
    stop();
    for (Background& lane : lanes_) lane.request_stop();
    for (Background& lane : lanes_)
        if (lane.joinable()) lane.join();
}

std::vector<SideRun> SideBySide::runs() const {
    const std::lock_guard lock(mutex_);
    return runs_;
}

std::shared_ptr<const EndedRun> SideBySide::ended(std::size_t run) const {
    const std::lock_guard lock(mutex_);
    return ended_.at(run);
}

bool SideBySide::under_way() const {
    const std::lock_guard lock(mutex_);
    return !std::ranges::all_of(runs_, &SideRun::ended);
}

double SideBySide::seconds_left() const {
    const std::lock_guard lock(mutex_);
    double made = 0.0, seconds = 0.0;
    for (const SideRun& run : runs_) made += static_cast<double>(run.step), seconds += run.seconds;
    if (made == 0.0) return -1.0;
    double all = 0.0, longest = 0.0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const SideRun& run = runs_[i];
        if (run.ended()) continue;
        const double pace = run.step > 0 ? run.seconds / static_cast<double>(run.step) : seconds / made;
        const double left = pace * static_cast<double>(plans_[i].options.schedule.total - run.step);
        all += left;
        longest = std::max(longest, left);
    }
    return std::max(longest, all / at_once_);
}

void SideBySide::wait() {
    while (under_way()) let_tasks_go_on(0.005);
}

int SideBySide::claim() {
    {
        const std::lock_guard lock(mutex_);
        const auto next = std::ranges::find(runs_, SideRun::State::waiting, &SideRun::state);
        if (next == runs_.end()) return -1;
        if (!stopping_) {
            next->state = SideRun::State::training;
            ++next->version;
            return static_cast<int>(next - runs_.begin());
        }
        for (SideRun& run : runs_)
            if (run.state == SideRun::State::waiting) run.state = SideRun::State::stopped, ++run.version;
    }
    if (news_) news_();
    return -1;
}

void SideBySide::tell(std::size_t run, const std::function<void(SideRun&)>& change) {
    {
        const std::lock_guard lock(mutex_);
        change(runs_[run]);
        ++runs_[run].version;
    }
    if (news_) news_();
}

void SideBySide::end(std::size_t run, SideRun::State state, const std::string& failure,
                     std::shared_ptr<const EndedRun> left) {
    tell(run, [&](SideRun& ended) {
        ended.state = state;
        ended.failure = failure;
        ended_[run] = std::move(left);
    });
}

/// The system could not start this lane's thread. The other lanes take its runs.
void SideBySide::lose_lane(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        if (--lanes_left_ > 0) return;
        for (SideRun& run : runs_)
            if (!run.ended()) run.state = SideRun::State::failed, run.failure = why, ++run.version;
    }
    if (news_) news_();
}

}  // namespace glassformer
