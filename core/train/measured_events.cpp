#include "core/train/measured_events.h"

#include <algorithm>

#include "core/train/event_text.h"

namespace glassformer {

namespace {

constexpr double all_but = 0.05;
constexpr float rise = 0.3f, falls_back_by = 0.15f;
constexpr std::size_t few_measurements = 8;
constexpr std::int64_t few_steps = 200;
constexpr int stays_for = 2;
constexpr double learned_fall = 0.05, held_out_rise = 0.03, of_first_loss = 0.01, training_fall = 0.02;
constexpr int rising_for = 3;

/// The three scores of a head, what it begins to do, and what the number is called.
struct Ability {
    float HeadScore::*score;
    const char *begins, *name;
};
constexpr Ability abilities[] = {
    {&HeadScore::previous_word, "to look at the word before", "previous-word score"},
    {&HeadScore::induction, "to copy what followed last time", "induction score"},
    {&HeadScore::duplicate_token, "to look at the earlier copy of its word", "duplicate-token score"}};

}  // namespace

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
    const std::string text = is_share_ ? name_ + " passed " + event_share(*passed) + ": " + event_share(value)
                                       : name_ + " fell below " + event_number(*passed) + ": " + event_number(value);
    out.push_back({step, EventKind::metric, text});
}

void HeadEvents::measured(std::int64_t step, std::span<const HeadScore> scores, std::vector<TrainingEvent>& out) {
    for (const HeadScore& head : scores) {
        std::vector<Watched>& watched = heads_[{head.block, head.head}];
        watched.resize(std::size(abilities));
        for (std::size_t i = 0; i < watched.size(); ++i) {
            const Ability& ability = abilities[i];
            const float score = head.*ability.score;
            if (!rises(watched[i], step, score)) continue;
            out.push_back({watched[i].rose_at, EventKind::head,
                           "head " + std::to_string(head.block) + "." + std::to_string(head.head) + " began " +
                               ability.begins + ": " + ability.name + " " +
                               event_number(static_cast<double>(watched[i].from)) + " → " +
                               event_number(static_cast<double>(score)),
                           head.block, head.head});
        }
    }
}

/// Whether a rise has just become certain.
bool HeadEvents::rises(Watched& w, std::int64_t step, float score) {
    const auto lowest = std::ranges::min_element(w.recent, {}, &std::pair<std::int64_t, float>::second);
    if (w.rose_at < 0 && lowest != w.recent.end() && score >= lowest->second + rise) {
        w.from = lowest->second;
        w.rose_at = step;
        w.seen = 0;
    } else if (w.rose_at >= 0 && score < w.from + (w.told ? falls_back_by : rise)) {
        w = {};
    } else if (w.rose_at >= 0) {
        ++w.seen;
    }
    w.recent.emplace_back(step, score);
    const std::int64_t oldest = step - std::max(few_steps, step / 4);
    while (w.recent.size() > few_measurements && w.recent.front().first < oldest) w.recent.pop_front();
    if (w.told || w.rose_at < 0 || w.seen < stays_for) return false;
    return w.told = true;
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
    const bool learned = best_ < (1.0 - learned_fall) * first_;  // at chance nothing is known yet
    const bool apart = learned && over > std::max(held_out_rise * best_, of_first_loss * first_) &&
                       training_loss < (1.0 - training_fall) * training_at_best_;
    if (apart && rising_ == 0) rose_at_ = step;
    rising_ = apart ? rising_ + 1 : 0;
    if (told_ || rising_ < rising_for) return;
    told_ = true;
    out.push_back({rose_at_, EventKind::overfitting,
                   "the model begins to overfit: since step " + std::to_string(best_step_) +
                       " the held-out loss rose from " + event_number(best_) + " to " + event_number(held_out_loss) +
                       ", while the training loss fell from " + event_number(training_at_best_) + " to " +
                       event_number(training_loss)});
}

}  // namespace glassformer
