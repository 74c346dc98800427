#pragma once

#include <chrono>
#include <deque>

#include "app/session/study.h"
#include "app/session/training_run.h"

namespace glassformer::app {

/// What is measured of the model at the step on screen: its world's metric, and where its words have senses, the probe
/// and the map of meanings. Measured again only when the parameters are others. The model as it is is measured at once;
/// with changes it is measured too, when there is time.
class Measuring : public Study {
public:
    void forget() override;
    /// The homonym whose map is shown.
    void choose(const std::string& homonym) { homonym_ = homonym; }
    const std::string& homonym() const { return homonym_; }
    /// The first one of the sentences, where none was chosen.
    void choose_from(const WatchedRuns::Both& sentences);

    /// Brings everything of the model as it is up to date. `run` may be null. While the run trains and its newest step
    /// is shown (`training`), what takes long is measured now and then only, so that the training keeps its speed.
    void look(ActiveModel& model, TrainingRun* run, const Parameters& parameters, std::int64_t step, bool training);
    /// Measures the newest step of a run that trains, for its curves and its events; to be called at the same steps
    /// each time (steps_between_measurements), since what happens in a training they show.
    void look_at_run(ActiveModel& model, TrainingRun& run);

    /// Of the model as it is, which a training's curve is made of.
    const std::shared_ptr<const Measured>& measured() const { return plain_.measured; }
    /// What was found is of the altered model where it was measured, else of the model as it is.
    void show(Snapshot& snapshot, const Subject& of) override;
    /// Whether the altered model is still to be measured.
    bool under_way() const override { return behind_; }
    void work(const Subject& of) override;

private:
    using Clock = std::chrono::steady_clock;

    /// When something was done last, and how long it took: while training it is done again when it is due.
    struct Turn {
        Clock::time_point ended{};
        double took = 0.0;  // seconds

        bool due() const;
        void end(Clock::time_point start);
    };
    /// What was found of the model in one state.
    struct Found {
        std::shared_ptr<const Measured> measured;
        std::shared_ptr<const SenseProbeResult> probe;
        std::shared_ptr<const MeaningMap> meaning;
        Parameters parameters, mapped;  // of the model as it is, which belong to it, and to the map of meanings
        std::string homonym;            // that was asked for when the map was made
        Turn metric_turn, map_turn;
    };
    /// The same of a state that was shown before, as long as somebody else holds its parameters.
    struct Seen {
        std::weak_ptr<const ParameterValues> parameters;
        Found found;  // without them
    };
    static constexpr std::size_t most_seen = 32;

    /// Sets aside what was found of the parameters shown until now, and takes up what was found of these when they were
    /// shown before: on the way back through the kept steps of a training nothing is measured twice.
    void turn_to(const Parameters& parameters);
    bool behind(const Subject& of) const;
    bool map_behind(const Found& found, const Parameters& parameters, bool training) const;
    void make_map(Found& found, SenseStudy& senses, const Parameters& parameters, const Parameters& own,
                  MeasuredOf of) const;
    static void measure(Found& found, Instruments& instruments, const Parameters& parameters, const Parameters& own,
                        MeasuredOf of);
    void tell_run(ActiveModel& model, TrainingRun& run, const Parameters& parameters, std::int64_t step);

    std::string homonym_;
    std::vector<WhatIf> changes_;  // of the model, see changes_of_model()
    bool behind_ = false;
    Found plain_, altered_;
    std::deque<Seen> seen_;  // of the model as it is, the newest last
    Parameters told_;        // that the run's curves know of
};

}  // namespace glassformer::app
