#include "app/session/running_at.h"

namespace glassformer::app {

bool is_of_parent(const Snapshot& s) {
    const RunInfo* run = s.current_run();
    return run && run->lost_a_head_at(s.step);
}

Running running_at(const Snapshot& s) {
    Running now = s.live ? s.running : Running{};
    if (!s.history) return now;
    for (const MetricPoint& point : *s.history) {
        if (point.step > s.step) break;
        if (point.step != s.step) continue;
        if (!s.live) {
            now.gradient_norm = point.gradient_norm;
            now.clip_factor = point.clip_factor;
            now.held_out_loss = point.held_out_loss;
        }
        if (now.learning_rate < 0) now.learning_rate = point.learning_rate;
        if (!s.live) now.tokens_per_second = static_cast<double>(point.tokens_per_second);
    }
    if (is_of_parent(s)) now.gradient_norm = now.clip_factor = -1.0f;
    return now;
}

}  // namespace glassformer::app
