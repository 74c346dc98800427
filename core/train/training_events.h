#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// What a head is known for: the scores of HeadScore.
enum class HeadAbility { none, previous_word, induction, duplicate_token, telling_word };

/// Something that happened in a training and is worth a marker on its timeline.
struct TrainingEvent {
    std::int64_t step = 0;  // when it happened; it may have been certain only later
    EventKind kind = EventKind::metric;
    std::string text;                         // in plain words: "held-out accuracy passed 90 %: 93.4 %"
    int block = -1, head = -1;                // of kind head
    HeadAbility ability = HeadAbility::none;  // the same

    bool operator==(const TrainingEvent&) const = default;
};

/// Finds events in the loss of each step. Batches differ, so a single number never decides:
///
///     spike        more than 8 spreads above the median of the last 48 losses, and half of it, and a quarter of the
///                  largest of the first losses (the spread is the median distance from the median, × 1.4826: the σ of
///                  a normal)
///     divergence   the median has been above its best, by 30 % and by 15 % of all that was learned, for 150 steps; or
///                  the loss has been over three times the first one, for 10 steps
///     plateau      over 400 steps, and half of the run so far, the mean of the later half is less than 1 % below that
///                  of the earlier, while there is something left to learn
///
/// Each is reported once, and again only after the loss has recovered.
class LossEvents {
public:
    static constexpr std::size_t window = 48;

    /// Steps must grow. `gradient_norm` may be below 0: not known.
    void step(std::int64_t step, float loss, double gradient_norm, std::vector<TrainingEvent>& out);
    /// Tells that the model does better or has learned its task; a loss that stands still is then no plateau.
    void improved(std::int64_t step) { improved_ = step; }
    void learned(bool yes) { learned_ = yes; }

    /// The median of the last losses; 0 before the first window is full.
    double median() const { return median_; }

private:
    /// The last values, for their median.
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
    int above_ = 0;        // steps that did not enter the window, one after the other
    int high_ = 0;         // steps that the median has been well above its best
    double start_ = -1.0;  // the first loss
    int far_ = 0;          // steps in a row with a loss far above it
    bool far_told_ = false, diverged_ = false, flat_ = false, learned_ = false;
    double flat_level_ = 0.0;  // the loss of the plateau that was reported
    std::int64_t improved_ = -1;
    double block_sum_ = 0.0;
    int block_count_ = 0;
    std::vector<Block> blocks_;  // means of 50 losses each
};

/// Finds when the metric reaches a level for the first time: 50, 90 and 99 % of a share, the world's level of an error.
/// A level that the untrained model all but has (a half, where there are two answers) is none to reach.
class MetricEvents {
public:
    MetricEvents(std::string name, bool is_share, double level);
    void measured(std::int64_t step, double value, std::vector<TrainingEvent>& out);

    /// The best so far; none before the first measurement.
    std::optional<double> best() const { return best_; }
    bool is_share() const { return is_share_; }

private:
    std::string name_;
    bool is_share_;
    std::vector<double> levels_;  // not reached yet, in the order in which they will be
    std::optional<double> best_;
};

/// Finds when a head begins to do something: the measurement at which one of its scores, which was below `formed`, is
/// there for the first time and still is at the next two. It is told again only after it fell below `forgotten`.
class HeadEvents {
public:
    static constexpr float formed = 0.4f, forgotten = 0.25f;
    static constexpr int stays_for = 2;

    void measured(std::int64_t step, std::span<const HeadScore> scores, std::vector<TrainingEvent>& out);

private:
    /// One score of one head.
    struct Watched {
        float from = -1.0f, to = 0.0f;  // the last score below `formed`, −1 before there was one; the first above
        std::int64_t rose_at = -1;      // since when it is up; −1: it is not
        int seen = 0;                   // measurements since then
        bool told = false;
    };
    static bool rises(Watched& watched, std::int64_t step, float score);

    std::map<std::pair<int, int>, std::vector<Watched>> heads_;  // by block and head; one a score
};

/// Finds when a model begins to learn its text by heart: the held-out loss has been above its best, by 3 % and by 1 %
/// of the first, for three measurements, while the training loss went down by 2 % and more.
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

/// A training is measured after every so many steps, whatever that takes: so that a seed has its events at the same
/// steps each time, in the window and on the command line.
inline constexpr std::int64_t steps_between_measurements = 50;

/// Watches a training and reports what happens in it: a level of the metric reached, a head that formed, a spike of the
/// loss, divergence, a plateau, learning by heart. It knows nothing but what it is fed, so a log that is fed to it
/// gives the events of the run that wrote it.
class TrainingEvents {
public:
    /// The metric as Task names it ("held-out accuracy"), whether it is a share or an error, and its level.
    TrainingEvents(const std::string& metric_name, bool metric_is_share, double metric_level)
        : metric_(metric_name, metric_is_share, metric_level) {}

    /// One step: its loss and gradient, and what was measured after it (fields below 0: not measured). `heads` may be
    /// empty. A point of step 0 is what the untrained model was measured at; its loss is left out. Steps must grow.
    void add(const MetricPoint& point, std::span<const HeadScore> heads = {});

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
