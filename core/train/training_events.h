#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/train/loss_events.h"
#include "core/train/measured_events.h"
#include "core/train/timeline.h"

namespace glassformer {

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
