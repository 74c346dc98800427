#include "core/platform/user_folders.h"

#include <cstdlib>
#include <random>
#include <string>

#include "core/base/mark_text.h"
#include "core/platform/system_error.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

namespace fs = std::filesystem;

namespace {

constexpr const char* own = "glassformer";

/// The folder of an XDG variable, or else of a Windows one; empty if there is neither.
fs::path folder_of(const char* variable, const char* of_windows) {
    const fs::path named = folder_named_by(variable);
    const fs::path folder = named.empty() ? folder_named_by(of_windows) : named;
    return folder.empty() ? folder : folder / own;
}

}  // namespace

fs::path folder_named_by(const char* variable) {
    const wchar_t* const value = ::_wgetenv(utf16(variable).c_str());
    const fs::path folder = value ? value : L"";
    return folder.is_absolute() ? folder : fs::path();
}

fs::path home_folder() {
    const fs::path home = folder_named_by("HOME");
    return home.empty() ? folder_named_by("USERPROFILE") : home;
}

fs::path config_folder() { return folder_of("XDG_CONFIG_HOME", "APPDATA"); }
fs::path state_folder() { return folder_of("XDG_STATE_HOME", "LOCALAPPDATA"); }
fs::path data_folder() { return folder_of("XDG_DATA_HOME", "APPDATA"); }

fs::path cache_folder() {
    if (const fs::path named = folder_named_by("XDG_CACHE_HOME"); !named.empty()) return named / own;
    const fs::path local = folder_named_by("LOCALAPPDATA");
    std::error_code ignored;
    return local.empty() ? fs::temp_directory_path(ignored) / own : local / own / "cache";
}

// %TEMP% is private to the user, and so is everything in it.
ScratchFolder::ScratchFolder() {
    std::error_code error;
    const std::filesystem::path above = std::filesystem::temp_directory_path(error);
    if (error) fail_to("find", N_("the folder for temporary files"), error.default_error_condition().value());
    std::random_device random;
    for (int tries = 0; tries < 100; ++tries) {
        std::filesystem::path folder = above / ("glassformer-" + std::to_string(random()));
        if (::CreateDirectoryW(system_path(folder).c_str(), nullptr)) {
            path_ = std::move(folder);
            return;
        }
        if (::GetLastError() != ERROR_ALREADY_EXISTS) break;
    }
    fail_to("make a temporary folder in", above, errno_of());
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace glassformer::platform
