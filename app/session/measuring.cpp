#include "app/session/measuring.h"

namespace glassformer::app {

namespace {

/// While training, a metric is measured this often, in seconds: it may take as long as many steps.
constexpr double measure_every = 0.5;

Measurement accuracy_by_layer(const SenseProbeResult& probe) {
    Measurement found;
    found.value = static_cast<double>(probe.accuracy.back());
    for (std::size_t layer = 0; layer < probe.accuracy.size(); ++layer)
        found.details.emplace_back(layer == 0 ? "embedding" : "block " + std::to_string(layer - 1),
                                   static_cast<double>(probe.accuracy[layer]));
    return found;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Measuring::forget() {
    parameters_ = nullptr;
    measured_ = nullptr;
    probe_ = nullptr;
    meaning_ = nullptr;
    homonym_.clear();
    shown_homonym_.clear();
}

void Measuring::look_at_senses(ModelAtWork& model, const Parameters& parameters, std::int64_t step, bool moved) {
    SenseStudy& senses = *model.senses;
    if (moved) {
        probe_ = std::make_shared<SenseProbeResult>(senses.probe.measure(*parameters));
        measured_ = std::make_shared<Measured>(Measured{accuracy_by_layer(*probe_), step});
    }
    if (moved || homonym_ != shown_homonym_) {
        meaning_ = senses.maps.make(homonym_, *parameters);
        shown_homonym_ = homonym_;
    }
}

// The newest step's figures go into the run's curves, with what takes too long for every picture.
void Measuring::tell_run(ModelAtWork& model, TrainingRun& run, const Parameters& parameters, std::int64_t step) {
    if (step != run.steps()) return run.note(step, measured_->found.value);
    if (seconds_since(told_at_) < measure_every) return run.note(step, measured_->found.value);
    told_at_ = Clock::now();
    run.measured(measured_->found.value, model.held_out_loss(*parameters), model.head_scores(*parameters));
}

void Measuring::look(ModelAtWork& model, TrainingRun* run, const Parameters& parameters, std::int64_t step,
                     bool training) {
    const bool moved = parameters != parameters_;
    if (!moved && homonym_ == shown_homonym_) return;
    if (model.senses) {
        look_at_senses(model, parameters, step, moved);
    } else if (model.metric && moved) {
        if (training && measured_ && seconds_since(measured_at_) < measure_every) return;
        measured_ = std::make_shared<Measured>(Measured{model.metric->measure(*parameters), step});
        measured_at_ = Clock::now();
    }
    parameters_ = parameters;
    shown_homonym_ = homonym_;
    if (moved && run && measured_) tell_run(model, *run, parameters, step);
}

}  // namespace glassformer::app
