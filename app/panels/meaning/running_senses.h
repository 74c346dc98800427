#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "app/session/sense_measurement.h"
#include "core/base/background.h"

namespace glassformer::app {

/// A measurement of a model's senses on a thread of its own. Ends with this, or when it is stopped: after the
/// sentences at hand.
class RunningSenses {
public:
    RunningSenses(SenseMeasurement asked, MeasuredOf of);

    struct State {
        std::size_t done = 0, all = 0;  // sentences
        double seconds_left = 0;        // a guess from those that are done; 0 before there are any
        bool running = true;
        std::string error;                            // why the model could not be measured
        std::shared_ptr<const MeasuredSenses> found;  // at the end; null where it was stopped
    };
    State state() const;
    /// Which model is measured, with which changes.
    const MeasuredOf& of() const { return of_; }
    void stop() { thread_.request_stop(); }

private:
    void run(const SenseMeasurement& asked, const std::stop_token& stop);
    void end(std::shared_ptr<const MeasuredSenses> found, const std::string& error);

    MeasuredOf of_;
    mutable std::mutex mutex_;
    State state_;
    Background thread_;  // the last member: it ends before the others do
};

}  // namespace glassformer::app
