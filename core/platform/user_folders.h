#pragma once

#include <filesystem>

namespace glassformer::platform {

// Where a user's files belong: on Linux according to the XDG Base Directory Specification
// (https://specifications.freedesktop.org/basedir-spec), on Windows in AppData unless an XDG variable is set. A
// variable that is not an absolute path counts as unset.

/// The folder that an environment variable names; empty if there is none.
std::filesystem::path folder_named_by(const char* variable);

/// $HOME, or %USERPROFILE% on Windows; empty if unset.
std::filesystem::path home_folder();
/// $XDG_CONFIG_HOME/glassformer, or ~/.config/glassformer, or %APPDATA%/glassformer; empty if there is no home.
std::filesystem::path config_folder();
/// $XDG_STATE_HOME/glassformer, or ~/.local/state/glassformer, or %LOCALAPPDATA%/glassformer; empty if there is no
/// home.
std::filesystem::path state_folder();
/// $XDG_DATA_HOME/glassformer, or ~/.local/share/glassformer, or %APPDATA%/glassformer; empty if there is no home.
std::filesystem::path data_folder();
/// $XDG_CACHE_HOME/glassformer, or ~/.cache/glassformer, or %LOCALAPPDATA%/glassformer/cache, or glassformer in the
/// system's temporary folder.
std::filesystem::path cache_folder();

/// Where Hugging Face's programs cache downloaded models: $HF_HUB_CACHE, or $HF_HOME/hub, or
/// $XDG_CACHE_HOME/huggingface/hub, or ~/.cache/huggingface/hub; empty if there is no home.
/// (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables)
std::filesystem::path hugging_face_hub();

/// A folder in the system's temporary folder that nobody else can read; the destructor removes it with its content.
class ScratchFolder {
public:
    /// Throws SystemError if it cannot be created.
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace glassformer::platform
