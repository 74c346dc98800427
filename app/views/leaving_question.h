#pragma once

#include <vector>

#include "app/views/frame.h"

namespace glassformer::app {

/// The runs that were trained and are nowhere but in memory.
std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot);

/// Opens another model or world: at once where nothing is lost by that, else after a question.
void leave_for(const Frame& frame, Command command);
/// The window is to be closed: true when it may, else the question is asked and frame by frame answered.
bool may_close(ViewState& state, const Snapshot& snapshot);

/// The question has the keyboard while it is there.
bool leaving_keys(const Frame& frame);
/// "The training since step 200 is not saved": Save, Don't save, Cancel; over everything. Items "leaving",
/// "leaving/save", "leaving/drop", "leaving/cancel". Does what was answered.
void draw_leaving_question(const Frame& frame, const Box& window);

}  // namespace glassformer::app
