#include "app/session/measuring.h"

#include <algorithm>

#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

/// While training, what takes as long as many steps may take this share of the time; but it is done this often, in
/// seconds, however long it takes.
constexpr double share_of_time = 0.025, at_least_every = 1.0;

Measurement accuracy_by_layer(const SenseProbeResult& probe) {
    Measurement found;
    found.value = static_cast<double>(probe.accuracy.back());
    for (std::size_t layer = 0; layer < probe.accuracy.size(); ++layer)
        found.details.emplace_back(layer == 0 ? "embedding" : "block " + std::to_string(layer - 1),
                                   static_cast<double>(probe.accuracy[layer]));
    return found;
}

}  // namespace

void Measuring::forget() {
    parameters_ = mapped_ = nullptr;
    measured_ = nullptr;
    probe_ = nullptr;
    meaning_ = nullptr;
    homonym_.clear();
    shown_homonym_.clear();
}

bool Measuring::Turn::due() const { return seconds_since(ended) >= std::min(at_least_every, took / share_of_time); }

void Measuring::Turn::end(Clock::time_point start) {
    ended = Clock::now();
    took = seconds_since(start);
}

void Measuring::show_meaning(SenseStudy& senses, const Parameters& parameters, bool training) {
    const bool another = homonym_ != shown_homonym_;
    if (!another && (parameters == mapped_ || (training && !map_.due()))) return;
    const Clock::time_point start = Clock::now();
    meaning_ = senses.maps.make(homonym_, *parameters);
    mapped_ = parameters;
    shown_homonym_ = homonym_;
    map_.end(start);
}

void Measuring::measure(ActiveModel& model, const Parameters& parameters, std::int64_t step) {
    if (model.senses) {
        probe_ = std::make_shared<SenseProbeResult>(model.senses->probe.measure(*parameters));
        measured_ = std::make_shared<Measured>(Measured{accuracy_by_layer(*probe_), step});
    } else if (model.metric) {
        measured_ = std::make_shared<Measured>(Measured{model.metric->measure(*parameters), step});
    }
    parameters_ = parameters;
}

// The newest step's figures go into the run's curves, with what takes too long for every picture.
void Measuring::tell_run(ActiveModel& model, TrainingRun& run, const Parameters& parameters, std::int64_t step,
                         bool training) {
    const bool newest = step == run.steps(), soon = training && seconds_since(told_at_) < at_least_every;
    if (!newest || soon) return run.note(step, measured_->found.value);
    told_at_ = Clock::now();
    run.measured(measured_->found.value, model.held_out_loss(*parameters), model.head_scores(*parameters));
}

void Measuring::look(ActiveModel& model, TrainingRun* run, const Parameters& parameters, std::int64_t step,
                     bool training) {
    if (model.senses) show_meaning(*model.senses, parameters, training && meaning_);
    if (parameters == parameters_ || (training && measured_ && !metric_.due())) return;
    const Clock::time_point start = Clock::now();
    measure(model, parameters, step);
    if (run && measured_) tell_run(model, *run, parameters, step, training);
    metric_.end(start);
}

}  // namespace glassformer::app
