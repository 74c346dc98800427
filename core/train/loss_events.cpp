#include "core/train/loss_events.h"

#include <algorithm>
#include <cmath>

#include "core/train/event_text.h"

namespace glassformer {

namespace {

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
    // What stands out would make the spread large; what stays up is the new level.
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
    std::string text =
        "the loss jumped from about " + event_number(median_) + " to " + event_number(static_cast<double>(loss));
    const double usual = norms_.count > 0 ? norms_.median() : 0.0;
    if (usual > 0.0 && gradient_norm > 3.0 * usual)
        text += "; the gradient was " + event_number(gradient_norm / usual) + " times as long as usual";
    out.push_back({step, EventKind::spike, std::move(text)});
    return true;
}

// A rate that is far too high shows within the first steps, before there is any usual loss.
void LossEvents::runaway(std::int64_t step, double loss, std::vector<TrainingEvent>& out) {
    if (start_ < 0.0) start_ = loss;
    if (loss <= start_) far_told_ = false;
    far_ = loss > far_above_first * start_ ? far_ + 1 : 0;
    if (far_told_ || far_ < far_after) return;
    far_told_ = true;
    out.push_back({step - far_after + 1, EventKind::divergence,
                   "the loss runs away: " + event_number(loss) + " at step " + std::to_string(step) + ", " +
                       event_number(start_) + " at the first; the learning rate may be too high"});
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
                   "the loss stays well above its best: " + event_number(median_) + " now, " + event_number(best_) +
                       " at step " + std::to_string(best_step_) + "; the learning rate may be too high"});
}

// The means of many batches, since a median of a few would find a new best by luck for ever.
void LossEvents::plateau(std::int64_t step, std::vector<TrainingEvent>& out) {
    const std::size_t looked_at = std::max<std::size_t>(least_blocks, blocks_.size() / 2) & ~std::size_t{1};
    if (blocks_.size() < looked_at) return;
    const std::size_t begin = blocks_.size() - looked_at, half = looked_at / 2;
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
                   "nothing has improved for " + std::to_string(step - since) + " steps: the loss stays near " +
                       event_number(now)});
}

}  // namespace glassformer
