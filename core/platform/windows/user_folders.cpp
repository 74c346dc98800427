#include "core/platform/user_folders.h"

#include <cstdlib>

#include "core/platform/windows/system.h"

namespace glassformer::platform {

namespace fs = std::filesystem;

namespace {

constexpr const char* own = "glassformer";

/// The folder of an XDG variable, or of one that Windows sets; empty when there is neither.
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

}  // namespace glassformer::platform
