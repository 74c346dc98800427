#include "core/platform/clipboard.h"

namespace glassformer::platform {

bool can_copy_pictures() { return false; }
std::string copy_picture(std::string_view) { return "a page cannot copy pictures"; }

}  // namespace glassformer::platform
