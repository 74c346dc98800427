#include "core/platform/scratch_folder.h"

#include <random>
#include <string>

#include "core/base/mark_text.h"
#include "core/platform/system_error.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

// %TEMP% is the user's own, and what is made in it too.
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
