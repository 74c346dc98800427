#pragma once

#include <memory>

#include "app/common/frame.h"
#include "app/panels/model_check/running_check.h"

namespace glassformer::app {

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
