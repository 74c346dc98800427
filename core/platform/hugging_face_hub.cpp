#include "core/platform/user_folders.h"

namespace glassformer::platform {

namespace fs = std::filesystem;

fs::path hugging_face_hub() {
    if (const fs::path hub = folder_named_by("HF_HUB_CACHE"); !hub.empty()) return hub;
    if (const fs::path home = folder_named_by("HF_HOME"); !home.empty()) return home / "hub";
    if (const fs::path caches = folder_named_by("XDG_CACHE_HOME"); !caches.empty())
        return caches / "huggingface" / "hub";
    const fs::path home = home_folder();
    return home.empty() ? home : home / ".cache" / "huggingface" / "hub";
}

}  // namespace glassformer::platform
