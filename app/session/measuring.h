#pragma once

#include <chrono>
#include <deque>

#include "app/session/study.h"
#include "app/session/training_run.h"

namespace glassformer::app {

/// Measures the model at the step on screen: its world's metric and, if its words have senses, the probe and the
/// meaning map. Measures again only when the parameters change. The unaltered model is measured at once; the altered
/// one later, when there is time.
class Measuring : public Study {
public:
    void forget() override;
    /// Chooses the homonym whose map is shown.
    void choose(const std::string& homonym) { homonym_ = homonym; }
    const std::string& homonym() const { return homonym_; }
    /// Chooses the first homonym of the sentences, unless one is chosen.
    void choose_from(const WatchedRuns::Both& sentences);

    /// Brings the measurements of the unaltered model up to date. `run` may be null. While the run trains and its
    /// newest step is shown (`training`), slow measurements are made only now and then, so that training keeps its
    /// speed.
    void look(ActiveModel& model, TrainingRun* run, const Parameters& parameters, std::int64_t step, bool training);
    /// Measures the newest step of the run in training, for its curves and events. Call this at the same steps in every
    /// training (steps_between_measurements), because the events depend on what was measured when.
    void look_at_run(ActiveModel& model, TrainingRun& run);

    /// Of the unaltered model; a training's curve is made of these.
    const std::shared_ptr<const Measured>& measured() const { return plain_.measured; }
    /// Shows the results of the altered model once it has been measured, otherwise those of the unaltered model.
    void show(Snapshot& snapshot, const Subject& of) override;
    /// Returns whether the altered model has yet to be measured.
    bool under_way() const override { return behind_; }
    void work(const Subject& of) override;

private:
    using Clock = std::chrono::steady_clock;

    /// When something was last done, and how long it took: during training this decides when it is due again.
    struct Turn {
        Clock::time_point ended{};
        double took = 0.0;  // seconds

        bool due() const;
        void end(Clock::time_point start);
    };
    /// Results for the model in one state.
    struct Found {
        std::shared_ptr<const Measured> measured;
        std::shared_ptr<const SenseProbeResult> probe;
        std::shared_ptr<const MeaningMap> meaning;
        Parameters parameters, mapped;  // unaltered parameters, of the measurements and of the map
        std::string homonym;            // that was asked for when the map was made
        Turn metric_turn, map_turn;
    };
    /// Results for a state that was shown before, kept while somebody else holds its parameters.
    struct Seen {
        std::weak_ptr<const ParameterValues> parameters;
        Found found;  // without its parameters
    };
    static constexpr std::size_t most_seen = 32;

    /// Sets aside the results for the parameters shown so far, and restores those for `parameters` if they were shown
    /// before: going back through the kept steps of a training measures nothing twice.
    void turn_to(const Parameters& parameters);
    bool behind(const Subject& of) const;
    bool map_behind(const Found& found, const Parameters& parameters, bool training) const;
    void make_map(Found& found, SenseStudy& senses, const Parameters& parameters, const Parameters& own,
                  MeasuredOf of) const;
    static void measure(Found& found, Instruments& instruments, const Parameters& parameters, const Parameters& own,
                        MeasuredOf of);
    void tell_run(ActiveModel& model, TrainingRun& run, const Parameters& parameters, std::int64_t step);

    std::string homonym_;
    std::vector<WhatIf> changes_;  // to the model, see changes_of_model()
    bool behind_ = false;
    Found plain_, altered_;
    std::deque<Seen> seen_;  // unaltered model, newest last
    Parameters told_;        // that the run's curves already know
};

}  // namespace glassformer::app
