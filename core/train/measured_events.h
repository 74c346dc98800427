#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/train/head_score.h"
#include "core/train/training_event.h"

namespace glassformer {

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

/// Finds when a head begins to do something: when one of its scores rises by 0.3 within eight measurements, or within
/// as many as fall into the last 200 steps or quarter of the run, and still stands there two measurements later.
class HeadEvents {
public:
    void measured(std::int64_t step, std::span<const HeadScore> scores, std::vector<TrainingEvent>& out);

private:
    /// One score of one head.
    struct Watched {
        std::deque<std::pair<std::int64_t, float>> recent;
        float from = 0.0f;          // the score that it rose from
        std::int64_t rose_at = -1;  // since when it is up; −1: it is not
        int seen = 0;               // measurements since then
        bool told = false;
    };
    bool rises(Watched& watched, std::int64_t step, float score);

    std::map<std::pair<int, int>, std::vector<Watched>> heads_;  // by block and head; three scores each
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

}  // namespace glassformer
