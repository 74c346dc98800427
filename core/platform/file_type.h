#pragma once

#include <string>

namespace glassformer::platform {

// Whether a double click on a .glass file opens this program, for this user alone. Only on Windows, where nobody
// installs it; on Linux the package's desktop file says it.

bool may_open_glass_files();
/// Whether this very file of the program opens them.
bool opens_glass_files();
/// Begins it, or takes all of it back. Returns why it failed; empty when it is done.
std::string open_glass_files(bool yes);

}  // namespace glassformer::platform
