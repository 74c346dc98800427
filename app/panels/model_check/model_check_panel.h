#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "app/common/frame.h"
#include "app/session/model_check.h"
#include "core/base/background.h"

namespace glassformer::app {

/// Checks a model on its own thread. Its destructor, like stop(), ends the check after the current cell.
class RunningCheck {
public:
    /// `title` says what is checked; the report starts with it.
    RunningCheck(std::string title, ModelCheck check);

    /// The results so far.
    struct Report {
        std::string title, heading;
        std::int64_t parameters = 0;  // of the checked model
        std::vector<CheckedPart> parts;
        CheckProgress now;  // while it runs
        std::string error;  // why the model could not run
        bool running = true, stopped = false, passed = false;

        /// Returns the whole report as text, as `glassformer check` prints it.
        std::string text() const;
    };
    Report report() const;
    void stop() { thread_.request_stop(); }

private:
    void run(const ModelCheck& check, const std::stop_token& stop);
    void end(bool passed, bool stopped, const std::string& error);

    mutable std::mutex mutex_;
    Report report_;
    Background thread_;  // the last member: the thread ends before the others are destroyed
};

/// "Check this model": the report, drawn over everything.
struct ModelCheckPanel {
    bool open = false;
    std::shared_ptr<RunningCheck> check;  // the last one; null: none yet
};

/// Returns true if there is a model to check: sentence A can be read, so its numbers are available.
bool can_check_model(const Frame& frame);
/// Starts checking the model of sentence A, with the current parameters and without what-ifs, and opens the report,
/// which fills up as the check goes on.
void start_model_check(const Frame& frame);

/// Draws nothing unless it is open. Items: "check/card", "check/part 0" …, "check/verdict", "check/copy",
/// "check/again", "check/cancel", "check/close".
void draw_model_check(const Frame& frame, const Box& window);

}  // namespace glassformer::app
