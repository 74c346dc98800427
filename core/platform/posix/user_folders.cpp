#include "core/platform/user_folders.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "core/base/mark_text.h"
#include "core/platform/system_error.h"

namespace glassformer::platform {

namespace fs = std::filesystem;

namespace {

constexpr const char* own = "glassformer";

/// The variable's folder, or else one in the home folder; empty if there is neither.
fs::path folder_of(const char* variable, const char* in_home) {
    if (const fs::path named = folder_named_by(variable); !named.empty()) return named / own;
    const fs::path home = home_folder();
    return home.empty() ? home : home / in_home / own;
}

}  // namespace

fs::path folder_named_by(const char* variable) {
    const char* const value = std::getenv(variable);
    const fs::path folder = value ? value : "";
    return folder.is_absolute() ? folder : fs::path();
}

fs::path home_folder() { return folder_named_by("HOME"); }

fs::path config_folder() { return folder_of("XDG_CONFIG_HOME", ".config"); }

fs::path state_folder() { return folder_of("XDG_STATE_HOME", ".local/state"); }
fs::path data_folder() { return folder_of("XDG_DATA_HOME", ".local/share"); }

fs::path cache_folder() {
    const fs::path folder = folder_of("XDG_CACHE_HOME", ".cache");
    std::error_code ignored;
    return folder.empty() ? fs::temp_directory_path(ignored) / own : folder;
}

ScratchFolder::ScratchFolder() {
    std::error_code error;
    const std::filesystem::path above = std::filesystem::temp_directory_path(error);
    if (error) fail_to("find", N_("the folder for temporary files"), error.value());
    std::string name = (above / "glassformer-XXXXXX").string();
    if (!::mkdtemp(name.data())) fail_to("make a temporary folder in", above, errno);
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace glassformer::platform
