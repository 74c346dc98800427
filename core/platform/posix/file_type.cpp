#include "core/platform/file_type.h"

#include "core/base/mark_text.h"

namespace glassformer::platform {

bool may_open_glass_files() { return false; }
bool opens_glass_files() { return false; }
std::string open_glass_files(bool) { return N_("only Windows asks a program for it"); }

}  // namespace glassformer::platform
