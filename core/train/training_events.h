#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/reflection.h"
#include "core/train/timeline.h"

namespace glassformer {

enum class EventKind { metric, head, spike, divergence, plateau, overfitting };
template <>
inline constexpr auto enum_names<EventKind> = names_up_to<EventKind::overfitting>("metric", "head", "spike",
                                                                                  "divergence", "plateau",
                                                                                  "overfitting");

/// What a head is known for; see HeadScore.
enum class HeadAbility { none, previous_word, induction, duplicate_token, telling_word };

/// Something that happened during training and deserves a marker on the timeline.
struct TrainingEvent {
    std::int64_t step = 0;  // when it happened; it may have become certain only later
    EventKind kind = EventKind::metric;
    std::string text;                         // in plain words: "held-out accuracy passed 90 %: 93.4 %"
    int block = -1, head = -1;                // for kind head
    HeadAbility ability = HeadAbility::none;  // for kind head

    bool operator==(const TrainingEvent&) const = default;
};

/// Finds events in the per-step loss. Batches differ, so a single number never decides:
///
///     spike        the loss is above the median of the last 48 losses by more than 8 spreads, by more than half of
///                  that median, and by more than a quarter of the largest of the first losses (the spread is the
///                  median distance from the median, × 1.4826: the σ of a normal distribution)
///     divergence   for 150 steps the median has been above its best by more than 30 % of it, and by more than 15 % of
///                  all that was learned; or for 10 steps the loss has been over three times the first one
///     plateau      over 400 steps, and over half of the run so far, the mean of the later half is less than 1 % below
///                  that of the earlier half, while there is something left to learn
///
/// Each is reported once, and again only after the loss has recovered.
class LossEvents {
public:
    static constexpr std::size_t window = 48;

    /// Steps must increase. A `gradient_norm` below 0 means unknown.
    void step(std::int64_t step, float loss, double gradient_norm, std::vector<TrainingEvent>& out);
    /// Reports that the model improves, or has learned its task: a flat loss is then no plateau.
    void improved(std::int64_t step) { improved_ = step; }
    void learned(bool yes) { learned_ = yes; }

    /// Median of the last losses; 0 until the first window is full.
    double median() const { return median_; }

private:
    /// The last values, for computing their median.
    struct Recent {
        std::array<float, window> values{};
        std::size_t count = 0, next = 0;

        void add(float value);
        bool full() const { return count == window; }
        double median() const;
        double spread(double median) const;
    };
    struct Block {
        std::int64_t last_step = 0;
        double mean = 0.0;
    };

    bool spike(std::int64_t step, float loss, double gradient_norm, std::vector<TrainingEvent>& out);
    void runaway(std::int64_t step, double loss, std::vector<TrainingEvent>& out);
    void divergence(std::int64_t step, std::vector<TrainingEvent>& out);
    void plateau(std::int64_t step, std::vector<TrainingEvent>& out);

    Recent losses_, norms_;
    double untrained_ = 0.0, first_ = 0.0, median_ = 0.0, best_ = 0.0;
    std::int64_t first_step_ = -1, best_step_ = 0;
    int above_ = 0;        // consecutive steps that did not enter the window
    int high_ = 0;         // consecutive steps with the median well above its best
    double start_ = -1.0;  // the first loss
    int far_ = 0;          // consecutive steps with the loss far above it
    bool far_told_ = false, diverged_ = false, flat_ = false, learned_ = false;
    double flat_level_ = 0.0;  // the loss of the reported plateau
    std::int64_t improved_ = -1;
    double block_sum_ = 0.0;
    int block_count_ = 0;
    std::vector<Block> blocks_;  // means of 50 losses each
};

/// Finds when the metric first reaches a level: 50, 90 and 99 % of a share; the world's own level of an error. Levels
/// that the untrained model already (almost) reaches do not count, such as one half with two possible answers.
class MetricEvents {
public:
    MetricEvents(std::string name, bool is_share, double level);
    void measured(std::int64_t step, double value, std::vector<TrainingEvent>& out);

    /// The best value so far; nothing before the first measurement.
    std::optional<double> best() const { return best_; }
    bool is_share() const { return is_share_; }

private:
    std::string name_;
    bool is_share_;
    std::vector<double> levels_;  // not reached yet, in the order they will be
    std::optional<double> best_;
};

/// Finds when a head starts to do something: one of its scores was below `formed`, reaches it, and is still there at
/// the next two measurements. Reported again only after the score has fallen below `forgotten`.
class HeadEvents {
public:
    static constexpr float formed = 0.4f, forgotten = 0.25f;
    static constexpr int stays_for = 2;

    void measured(std::int64_t step, std::span<const HeadScore> scores, std::vector<TrainingEvent>& out);

private:
    /// One score of one head.
    struct Watched {
        float from = -1.0f, to = 0.0f;  // the last score below `formed` (−1: none yet); the first one above
        std::int64_t rose_at = -1;      // the step at which it rose; −1: it has not
        int seen = 0;                   // measurements since then
        bool told = false;
    };
    static bool rises(Watched& watched, std::int64_t step, float score);

    std::map<std::pair<int, int>, std::vector<Watched>> heads_;  // by block and head; one entry per score
};

/// Finds when a model starts to overfit: for three measurements the held-out loss has been above its best by more than
/// 3 % of it and 1 % of the first loss, while the training loss fell by more than 2 %.
class OverfittingEvents {
public:
    /// `training_loss` is the mean since the last measurement.
    void measured(std::int64_t step, double training_loss, double held_out_loss, std::vector<TrainingEvent>& out);

private:
    double first_ = -1.0, best_ = 0.0, training_at_best_ = 0.0;
    std::int64_t best_step_ = 0, rose_at_ = 0;
    int rising_ = 0;
    bool told_ = false;
};

/// Training is measured after every so many steps, however long that takes, so that a seed has its events at the same
/// steps each time, in the window and on the command line.
inline constexpr std::int64_t steps_between_measurements = 50;

/// Watches a training and reports events: a metric level reached, a head that formed, a loss spike, divergence, a
/// plateau, overfitting. It depends only on its input, so a log replayed through it gives the events of the original
/// run.
class TrainingEvents {
public:
    /// The metric's name as in Task ("held-out accuracy"), whether it is a share or an error, and its level.
    TrainingEvents(const std::string& metric_name, bool metric_is_share, double metric_level)
        : metric_(metric_name, metric_is_share, metric_level) {}

    /// Adds one step: its loss and gradient, and what was measured after it (fields below 0: not measured). `heads` may
    /// be empty. A point at step 0 is the measurement of the untrained model; its loss is ignored. Steps must increase.
    void add(const MetricPoint& point, std::span<const HeadScore> heads = {});
    /// Adds heads that were measured after a step between the last point and the next one.
    void add_heads(std::int64_t step, std::span<const HeadScore> heads);

    /// In the order in which they became certain.
    const std::vector<TrainingEvent>& all() const { return events_; }

private:
    void add_measured(const MetricPoint& point);

    MetricEvents metric_;
    LossEvents loss_;
    HeadEvents heads_;
    OverfittingEvents overfitting_;
    double loss_sum_ = 0.0;  // since the last held-out loss
    int loss_count_ = 0;
    std::vector<TrainingEvent> events_;
};

}  // namespace glassformer
