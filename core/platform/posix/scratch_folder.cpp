#include "core/platform/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <string>

#include "core/base/mark_text.h"
#include "core/platform/system_error.h"

namespace glassformer::platform {

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
