#include "core/train/training_events.h"

#include <algorithm>
#include <cmath>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/train/head_level.h"

namespace glassformer {

namespace {

/// Three significant digits: "0.312", "4.16", "0.00271".
std::string event_number(double value) { return significant(value); }

/// "93.4 %"; without decimals if it is whole: "90 %".
std::string event_share(double value) {
    const double percent = std::round(1000.0 * value) / 10.0;
    return with_decimals(percent, percent == std::floor(percent) ? 0 : 1) + " %";
}

constexpr double sigmas = 1.4826, spike_spreads = 8.0, spike_share = 0.5, spike_of_first = 0.25;
constexpr double high_share = 0.3, high_of_learned = 0.15;
constexpr int diverged_after = 150, far_after = 10;
constexpr double far_above_first = 3.0;
constexpr int block_steps = 50, least_blocks = 8;
constexpr double flat_share = 0.01, left_to_learn = 0.02, recovered_share = 0.05;

template <class Values>
double median_of(Values values, std::size_t count) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(values.begin(), middle, values.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<double>(*middle);
}

constexpr double all_but = 0.05;
constexpr double learned_fall = 0.05, held_out_rise = 0.03, of_first_loss = 0.01, training_fall = 0.02;
constexpr int rising_for = 3;

/// The scores of a head, and the message when one rises.
struct Ability {
    HeadAbility which;
    float HeadScore::*score;
    const char* begins;
};
constexpr Ability abilities[] = {
    {HeadAbility::previous_word, &HeadScore::previous_word,
     N_("head {1} began to attend to the previous word: previous-word score {2} → {3}")},
    {HeadAbility::induction, &HeadScore::induction,
     N_("head {1} began to copy what followed last time: induction score {2} → {3}")},
    {HeadAbility::duplicate_token, &HeadScore::duplicate_token,
     N_("head {1} began to attend to the earlier copy of its word: duplicate-token score {2} → {3}")},
    {HeadAbility::telling_word, &HeadScore::telling_word,
     N_("head {1} began to attend to the telling words: telling-word score {2} → {3}")}};

/// By how much the metric must improve to count as improving, and the share at which nothing is left to improve.
constexpr double better_share = 0.005, better_error = 0.01, learned_share = 0.99;

}  // namespace

void LossEvents::Recent::add(float value) {
    values[next] = value;
    next = (next + 1) % window;
    count = std::min(count + 1, window);
}

double LossEvents::Recent::median() const { return median_of(values, count); }

double LossEvents::Recent::spread(double median) const {
    std::array<float, window> distances{};
    for (std::size_t i = 0; i < count; ++i) distances[i] = std::abs(values[i] - static_cast<float>(median));
    return sigmas * median_of(distances, count);
}

void LossEvents::step(std::int64_t step, float loss, double gradient_norm, std::vector<TrainingEvent>& out) {
    if (!std::isfinite(loss)) return;
    runaway(step, static_cast<double>(loss), out);
    if (first_step_ < 0) untrained_ = std::max(untrained_, static_cast<double>(loss));
    const bool is_spike = losses_.full() && spike(step, loss, gradient_norm, out);
    // An outlier would widen the spread, so it stays out of the window; a loss that stays up is the new level.
    if (is_spike && above_ < static_cast<int>(window) / 2) {
        ++above_;
        return;
    }
    if (!is_spike) above_ = 0;
    losses_.add(loss);
    if (gradient_norm >= 0.0) norms_.add(static_cast<float>(gradient_norm));
    if (!losses_.full()) return;
    median_ = losses_.median();
    if (first_step_ < 0) {
        first_step_ = step;
        first_ = best_ = median_;
        best_step_ = step;
    }
    divergence(step, out);
    block_sum_ += static_cast<double>(loss);
    if (++block_count_ < block_steps) return;
    blocks_.push_back({step, block_sum_ / block_steps});
    block_sum_ = 0.0;
    block_count_ = 0;
    plateau(step, out);
}

bool LossEvents::spike(std::int64_t step, float loss, double gradient_norm, std::vector<TrainingEvent>& out) {
    const double over = static_cast<double>(loss) - median_;
    if (over < spike_spreads * losses_.spread(median_) || over < spike_share * median_ ||
        over < spike_of_first * untrained_)
        return false;
    if (above_ > 0) return true;
    const std::string from = event_number(median_), to = event_number(static_cast<double>(loss));
    const double usual = norms_.count > 0 ? norms_.median() : 0.0;
    out.push_back(
        {step, EventKind::spike,
         usual > 0.0 && gradient_norm > 3.0 * usual
             ? filled_with(N_("the loss jumped from about {1} to {2}; the gradient was {3} times as long as usual"),
                           from, to, event_number(gradient_norm / usual))
             : filled_with(N_("the loss jumped from about {1} to {2}"), from, to)});
    return true;
}

// A learning rate that is far too high shows within the first steps, before a usual loss exists.
void LossEvents::runaway(std::int64_t step, double loss, std::vector<TrainingEvent>& out) {
    if (start_ < 0.0) start_ = loss;
    if (loss <= start_) far_told_ = false;
    far_ = loss > far_above_first * start_ ? far_ + 1 : 0;
    if (far_told_ || far_ < far_after) return;
    far_told_ = true;
    out.push_back(
        {step - far_after + 1, EventKind::divergence,
         filled_with(N_("the loss is diverging: {1} at step {2}, {3} at the start; the learning rate may be too high"),
                     event_number(loss), step, event_number(start_))});
}

void LossEvents::divergence(std::int64_t step, std::vector<TrainingEvent>& out) {
    if (median_ < best_) {
        best_ = median_;
        best_step_ = step;
    }
    const double over = median_ - best_, enough = std::max(high_share * best_, high_of_learned * (first_ - best_));
    if (over <= 0.5 * enough) diverged_ = false;
    high_ = over > enough ? high_ + 1 : 0;
    if (diverged_ || high_ < diverged_after) return;
    diverged_ = true;
    out.push_back({step - diverged_after + 1, EventKind::divergence,
                   filled_with(N_("the loss stays well above its minimum: {1} now, {2} at step {3}; the learning rate "
                                  "may be too high"),
                               event_number(median_), event_number(best_), best_step_)});
}

// Compares means of many batches: medians of a few would keep finding a new best by luck.
void LossEvents::plateau(std::int64_t step, std::vector<TrainingEvent>& out) {
    const std::size_t span = std::max<std::size_t>(least_blocks, blocks_.size() / 2) & ~std::size_t{1};
    if (blocks_.size() < span) return;
    const std::size_t begin = blocks_.size() - span, half = span / 2;
    const auto mean = [&](std::size_t from) {
        double sum = 0.0;
        for (std::size_t i = from; i < from + half; ++i) sum += blocks_[i].mean;
        return sum / static_cast<double>(half);
    };
    const double before = mean(begin), now = mean(begin + half);
    if (flat_ && now < (1.0 - recovered_share) * flat_level_) flat_ = false;
    const std::int64_t since = begin == 0 ? first_step_ : blocks_[begin - 1].last_step;
    const bool flat = before - now < flat_share * before && now - before < high_share * before;
    if (flat_ || !flat || learned_ || improved_ > since || now < left_to_learn * first_) return;
    flat_ = true;
    flat_level_ = now;
    out.push_back({step, EventKind::plateau,
                   filled_with(N_("nothing has improved for {1} steps: the loss stays near {2}"), step - since,
                               event_number(now))});
}

MetricEvents::MetricEvents(std::string name, bool is_share, double level)
    : name_(std::move(name)), is_share_(is_share), levels_{level} {
    if (is_share) levels_ = {0.5, 0.9, 0.99};
}

void MetricEvents::measured(std::int64_t step, double value, std::vector<TrainingEvent>& out) {
    const auto reached = [&](double level, double margin) {
        return is_share_ ? value >= level - margin : value <= level * (1.0 + margin);
    };
    const bool first = !best_;
    best_ = first ? value : is_share_ ? std::max(*best_, value) : std::min(*best_, value);
    std::optional<double> passed;
    while (!levels_.empty() && reached(levels_.front(), first ? all_but : 0.0)) {
        passed = levels_.front();
        levels_.erase(levels_.begin());
    }
    if (!passed || first) return;
    out.push_back(
        {step, EventKind::metric,
         is_share_ ? filled_with(N_("{1} passed {2}: {3}"), name_, event_share(*passed), event_share(value))
                   : filled_with(N_("{1} fell below {2}: {3}"), name_, event_number(*passed), event_number(value))});
}

void HeadEvents::measured(std::int64_t step, std::span<const HeadScore> scores, std::vector<TrainingEvent>& out) {
    for (const HeadScore& head : scores) {
        std::vector<Watched>& watched = heads_[{head.block, head.head}];
        watched.resize(std::size(abilities));
        for (std::size_t i = 0; i < watched.size(); ++i) {
            const Ability& ability = abilities[i];
            const float score = head.*ability.score;
            // Rescales each score so that HeadEvents::formed is its own level.
            const float scale = head_level(ability.which) / formed;
            if (!rises(watched[i], step, score / scale)) continue;
            out.push_back({watched[i].rose_at, EventKind::head,
                           filled_with(ability.begins, filled_with("{1}.{2}", head.block, head.head),
                                       event_number(static_cast<double>(scale * watched[i].from)),
                                       event_number(static_cast<double>(scale * watched[i].to))),
                           head.block, head.head, ability.which});
        }
    }
}

/// True if a rise has just become certain.
bool HeadEvents::rises(Watched& w, std::int64_t step, float score) {
    if (score < (w.told ? forgotten : formed)) {
        w = {};
        w.from = score;
        return false;
    }
    if (w.told || w.from < 0.0f) return false;  // above from the beginning
    if (w.rose_at < 0) w.rose_at = step, w.to = score;
    return w.told = ++w.seen > stays_for;
}

void OverfittingEvents::measured(std::int64_t step, double training_loss, double held_out_loss,
                                 std::vector<TrainingEvent>& out) {
    if (first_ < 0.0) first_ = std::max(training_loss, held_out_loss);
    if (best_step_ == 0 || held_out_loss < best_) {
        best_ = held_out_loss;
        best_step_ = step;
        training_at_best_ = training_loss;
        rising_ = 0;
        told_ = false;
        return;
    }
    const double over = held_out_loss - best_;
    const bool learned = best_ < (1.0 - learned_fall) * first_;  // at chance level, nothing has been learned yet
    const bool apart = learned && over > std::max(held_out_rise * best_, of_first_loss * first_) &&
                       training_loss < (1.0 - training_fall) * training_at_best_;
    if (apart && rising_ == 0) rose_at_ = step;
    rising_ = apart ? rising_ + 1 : 0;
    if (told_ || rising_ < rising_for) return;
    told_ = true;
    out.push_back({rose_at_, EventKind::overfitting,
                   filled_with(N_("the model is starting to overfit: since step {1} the held-out loss rose from {2} to "
                                  "{3}, while the training loss fell from {4} to {5}"),
                               best_step_, event_number(best_), event_number(held_out_loss),
                               event_number(training_at_best_), event_number(training_loss))});
}

void TrainingEvents::add(const MetricPoint& point, std::span<const HeadScore> heads) {
    if (point.accuracy >= 0.0f) add_measured(point);
    if (point.step > 0) {
        loss_.step(point.step, point.loss, static_cast<double>(point.gradient_norm), events_);
        loss_sum_ += static_cast<double>(point.loss);
        ++loss_count_;
    }
    if (point.held_out_loss >= 0.0f && loss_count_ > 0) {
        overfitting_.measured(point.step, loss_sum_ / loss_count_, static_cast<double>(point.held_out_loss), events_);
        loss_sum_ = 0.0;
        loss_count_ = 0;
    }
    if (!heads.empty()) add_heads(point.step, heads);
}

void TrainingEvents::add_heads(std::int64_t step, std::span<const HeadScore> heads) {
    heads_.measured(step, heads, events_);
}

void TrainingEvents::add_measured(const MetricPoint& point) {
    const std::optional<double> before = metric_.best();
    const auto value = static_cast<double>(point.accuracy);
    metric_.measured(point.step, value, events_);
    const bool better =
        before && (metric_.is_share() ? value > *before + better_share : value < *before * (1.0 - better_error));
    if (better) loss_.improved(point.step);
    if (metric_.is_share()) loss_.learned(*metric_.best() >= learned_share);
}

}  // namespace glassformer
