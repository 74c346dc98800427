#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/session/command.h"

namespace glassformer::app {

/// A pending action that would lose training kept only in memory. It waits for the user's answer.
struct Leaving {
    std::optional<Command> then = {};  // what the user wanted to open
    bool close = false;                // instead: the window should close
    bool asking = false;               // the question is on screen
    bool saving = false;               // the answer was "Save": continue once that is done
    bool ready = false;                // continue
};

/// Whether what is on the screen could not be saved for the next start.
struct NothingLeft {
    bool fails = false;
};

/// Returns the runs whose training exists only in memory. With `aside`, includes runs that were set aside.
std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot, bool aside = false);

/// Returns the folders of kept runs that do not hold their newest step yet, also of runs that were set aside.
std::vector<std::string> folders_behind(const Snapshot& snapshot);

/// Opens another model or world: at once if nothing would be lost, otherwise after a question.
void leave_for(const Frame& frame, Command command);
void leave_for(ViewState& state, const Snapshot& snapshot, const std::function<void(Command)>& send, Command command);
/// The window wants to close. Returns true if it may. Otherwise asks the question; call this again each frame until it
/// is answered.
bool may_close(ViewState& state, const Snapshot& snapshot);

/// Handles the keyboard while the question is open.
bool leaving_keys(const Frame& frame);
/// Draws "Training since step 200 has not been saved …" with Save, Don't save and Cancel, over everything, and acts on
/// the answer. Items "leaving", "leaving/save", "leaving/drop", "leaving/cancel".
void draw_leaving_question(const Frame& frame, const Box& window);

/// Whether the recovery question was answered in this window; it is then asked again only at the next start.
struct RecoveryQuestion {
    bool later = false;
};

/// Handles the keyboard while the question is open.
bool recovery_keys(const Frame& frame);
/// Draws "The program ended before this training was saved …" with Open, Discard and Later, over everything, while the
/// snapshot has lost runs. Items "recovery", "recovery/open", "recovery/drop", "recovery/later".
void draw_recovery_question(const Frame& frame, const Box& window);

}  // namespace glassformer::app
