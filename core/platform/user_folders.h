#pragma once

#include <filesystem>

namespace glassformer::platform {

// Where a user's files belong, as the XDG Base Directory Specification says
// (https://specifications.freedesktop.org/basedir-spec): a variable that is not an absolute path counts as not set.

/// $HOME; empty when there is none.
std::filesystem::path home_folder();
/// $XDG_CONFIG_HOME/glassformer, or ~/.config/glassformer; empty when there is no home.
std::filesystem::path config_folder();
/// $XDG_STATE_HOME/glassformer, or ~/.local/state/glassformer; empty when there is no home.
std::filesystem::path state_folder();
/// $XDG_DATA_HOME/glassformer, or ~/.local/share/glassformer; empty when there is no home.
std::filesystem::path data_folder();
/// $XDG_CACHE_HOME/glassformer, or ~/.cache/glassformer, or glassformer among the system's temporary files.
std::filesystem::path cache_folder();

}  // namespace glassformer::platform
