#include "app/session/disk_steps.h"

#include "core/platform/user_folders.h"

namespace glassformer::app {

std::filesystem::path disk_steps_folder() { return platform::cache_folder() / "steps"; }

}  // namespace glassformer::app
