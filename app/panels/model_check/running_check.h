#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "app/session/model_check.h"
#include "core/base/background.h"

namespace glassformer::app {

/// A check of a model on a thread of its own. Ends with this, or as soon as the cell at hand is done when it is
/// stopped.
class RunningCheck {
public:
    /// `title` says what is checked; it begins the report.
    RunningCheck(std::string title, ModelCheck check);

    /// What is known so far.
    struct Report {
        std::string title, heading;
        std::int64_t parameters = 0;  // of the model that is checked
        std::vector<CheckedPart> parts;
        CheckProgress now;  // while it runs
        std::string error;  // why the model could not be run
        bool running = true, stopped = false, passed = false;

        /// The whole as text, as `glassformer check` prints it.
        std::string text() const;
    };
    Report report() const;
    void stop() { thread_.request_stop(); }

private:
    void run(const ModelCheck& check, const std::stop_token& stop);
    void end(bool passed, bool stopped, const std::string& error);

    mutable std::mutex mutex_;
    Report report_;
    Background thread_;  // the last member: it ends before the others do
};

}  // namespace glassformer::app
