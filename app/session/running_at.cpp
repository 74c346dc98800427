#include "app/session/running_at.h"

namespace glassformer::app {

Running running_at(const Snapshot& s) {
    Running now = s.live ? s.running : Running{};
    if (!s.history) return now;
    for (const MetricPoint& point : *s.history) {
        if (point.step > s.step) break;
        if (!s.live && point.held_out_loss >= 0) now.held_out_loss = point.held_out_loss;  // of the last one measured
        if (point.step != s.step) continue;
        if (now.gradient_norm < 0) now.gradient_norm = point.gradient_norm;
        if (now.learning_rate < 0) now.learning_rate = point.learning_rate;
        if (!s.live) now.tokens_per_second = static_cast<double>(point.tokens_per_second);
    }
    return now;
}

}  // namespace glassformer::app
