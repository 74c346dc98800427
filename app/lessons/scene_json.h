#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/common/view_moment.h"

namespace glassformer::app {

/// What is on screen, as it is written into a .glass file and into homework: sentences, step, block and head, words,
/// picture, comparison, every change to the model, the explained number. Names of this machine's folders are left out:
/// another model beside this one goes with it only where it is one that comes with the program.
nlohmann::json scene_to_json(const ViewMoment& moment, const Snapshot& snapshot);

/// The way back, for the model of the snapshot, from what anybody may have written. What names a block, word or step
/// that the model does not have is put into range when it is shown. Throws Error naming `file` and the field that is
/// wrong.
ViewMoment scene_from_json(const nlohmann::json& object, const Snapshot& snapshot, const std::string& file);

}  // namespace glassformer::app
