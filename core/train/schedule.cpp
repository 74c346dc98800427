#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// How far `step` is on the way to `end`, 0 … 1; a way of no length is over.
double share(std::int64_t step, std::int64_t end) {
    return end > 0 ? std::clamp(static_cast<double>(step) / static_cast<double>(end), 0.0, 1.0) : 1.0;
}

}  // namespace

float Schedule::at(std::int64_t step) const {
    const double top = peak, low = floor, warm = share(step, warmup);
    if (kind == ScheduleKind::constant) return peak;
    if (kind == ScheduleKind::linear) {
        if (step < warmup && step < total) return static_cast<float>(top * warm);
        return static_cast<float>(top * (1.0 - (1.0 - low) * share(step - warmup, total - warmup)));
    }
    const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * share(step, total)));
    return static_cast<float>(top * warm * (wave * (1.0 - low) + low));
}

std::string_view Schedule::formula() const {
    switch (kind) {
        case ScheduleKind::constant:
            return "lr = peak";
        case ScheduleKind::linear:
            return "lr = peak · t / warmup, then peak · (1 − (1 − floor) · (t − warmup) / (total − warmup))";
        case ScheduleKind::cosine:
            break;
    }
    return "lr = peak · min(1, t / warmup) · (floor + (1 − floor) · ½(1 + cos(π · t / total)))";
}

void validate(const Schedule& s) {
    if (!(s.peak >= 0.0f) || !std::isfinite(s.peak)) throw Error("the learning rate must be at least 0, and finite");
    if (!(s.floor >= 0.0f && s.floor <= 1.0f)) throw Error("the schedule's floor must be between 0 and 1 of the peak");
    if (s.warmup < 0) throw Error("the warm-up must be at least 0 steps long");
    if (s.total < 0) throw Error("the schedule must be at least 0 steps long");
}

std::string_view name_of(ScheduleKind kind) {
    switch (kind) {
        case ScheduleKind::constant:
            return "constant";
        case ScheduleKind::linear:
            return "linear";
        case ScheduleKind::cosine:
            break;
    }
    return "cosine";
}

ScheduleKind schedule_kind(std::string_view name) {
    for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::linear})
        if (name_of(kind) == name) return kind;
    throw Error("there is no schedule \"" + std::string(name) + "\"; there are constant, cosine and linear");
}

}  // namespace glassformer
