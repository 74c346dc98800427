#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/train/training_event.h"

namespace glassformer {

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

}  // namespace glassformer
