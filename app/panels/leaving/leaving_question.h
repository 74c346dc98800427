#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "app/session/command.h"

namespace glassformer::app {

/// Something that would drop trainings that are nowhere but in memory, while it waits for an answer.
struct Leaving {
    std::optional<Command> then = {};  // what was to be opened
    bool close = false;                // or: the window is to be closed
    bool asking = false;               // the question is on screen
    bool saving = false;               // "Save" was answered: go on once that is done
    bool ready = false;                // go on
};

/// The runs that were trained and are nowhere but in memory; `aside`: those that are set aside, too.
std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot, bool aside = false);

/// Opens another model or world: at once where nothing is lost by that, else after a question.
void leave_for(const Frame& frame, Command command);
void leave_for(ViewState& state, const Snapshot& snapshot, const std::function<void(Command)>& send, Command command);
/// The window is to be closed: true when it may, else the question is asked and frame by frame answered.
bool may_close(ViewState& state, const Snapshot& snapshot);

/// The question has the keyboard while it is there.
bool leaving_keys(const Frame& frame);
/// "The training since step 200 is not saved": Save, Don't save, Cancel; over everything. Items "leaving",
/// "leaving/save", "leaving/drop", "leaving/cancel". Does what was answered.
void draw_leaving_question(const Frame& frame, const Box& window);

/// Whether it was answered in this window that lost runs are to be asked about at the next start.
struct RecoveryQuestion {
    bool later = false;
};

/// The question has the keyboard while it is there.
bool recovery_keys(const Frame& frame);
/// "A training was not saved when the program was ended …": Open, Throw away, Later; over everything, while the
/// snapshot has lost runs. Items "recovery", "recovery/open", "recovery/drop", "recovery/later".
void draw_recovery_question(const Frame& frame, const Box& window);

}  // namespace glassformer::app
