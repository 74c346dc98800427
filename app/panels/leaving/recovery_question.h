#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

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
