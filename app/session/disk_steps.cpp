#include "app/session/disk_steps.h"

#include <cstdlib>
#include <string>

namespace glassformer::app {

std::filesystem::path disk_steps_folder() {
    namespace fs = std::filesystem;
    const fs::path part = fs::path("glassformer") / "steps";
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return cache / part;
    if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / part;
    std::error_code ignored;
    return fs::temp_directory_path(ignored) / part;
}

}  // namespace glassformer::app
