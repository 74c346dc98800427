#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "app/common/frame.h"
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

/// "Check this model": the report, over everything.
struct ModelCheckPanel {
    bool open = false;
    std::shared_ptr<RunningCheck> check;  // the last one; null: none yet
};

/// Whether there is a model to check: sentence A can be read, so that its numbers are at hand.
bool can_check_model(const Frame& frame);
/// Checks the model of sentence A, with the parameters on screen and without what-ifs; shows the report as it grows.
void start_model_check(const Frame& frame);

/// Draws nothing unless it is open. Items: "check/card", "check/part 0" …, "check/verdict", "check/copy",
/// "check/again", "check/cancel", "check/close".
void draw_model_check(const Frame& frame, const Box& window);

}  // namespace glassformer::app
