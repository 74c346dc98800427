#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/session/training_run.h"

namespace glassformer::app {

/// What is measured of the model at the step on screen: its world's metric, and where its words have senses, the probe
/// and the map of meanings. Measured again only when the parameters are others. Not thread-safe; what it found is.
class Measuring {
public:
    /// Another model is at work.
    void forget();
    /// The homonym whose map is shown.
    void choose(const std::string& homonym) { homonym_ = homonym; }
    const std::string& homonym() const { return homonym_; }

    /// Brings everything up to date. `run` may be null. While the run trains and its newest step is shown (`training`),
    /// what takes long is measured now and then only, so that the training keeps its speed.
    void look(ActiveModel& model, TrainingRun* run, const Parameters& parameters, std::int64_t step, bool training);

    const std::shared_ptr<const Measured>& measured() const { return measured_; }
    const std::shared_ptr<const SenseProbeResult>& probe() const { return probe_; }
    const std::shared_ptr<const MeaningMap>& meaning() const { return meaning_; }

private:
    using Clock = std::chrono::steady_clock;

    /// When something was done last, and how long it took: while training it is done again when it is due.
    struct Turn {
        Clock::time_point ended{};
        double took = 0.0;  // seconds

        bool due() const;
        void end(Clock::time_point start);
    };

    void show_meaning(SenseStudy& senses, const Parameters& parameters, bool training);
    void measure(ActiveModel& model, const Parameters& parameters, std::int64_t step);
    void tell_run(ActiveModel& model, TrainingRun& run, const Parameters& parameters, std::int64_t step, bool training);

    std::string homonym_, shown_homonym_;
    Parameters parameters_, mapped_;  // that what was measured belongs to, and the map of meanings
    Turn metric_, map_;
    Clock::time_point told_at_{};
    std::shared_ptr<const Measured> measured_;
    std::shared_ptr<const SenseProbeResult> probe_;
    std::shared_ptr<const MeaningMap> meaning_;
};

}  // namespace glassformer::app
