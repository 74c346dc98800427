#include "core/platform/clipboard.h"

#include "core/base/mark_text.h"

namespace glassformer::platform {

bool can_copy_pictures() { return false; }
std::string copy_picture(std::string_view) { return N_("a page cannot copy pictures"); }

}  // namespace glassformer::platform
