#pragma once

#include <string>
#include <string_view>

namespace glassformer::platform {

// Pictures on the desktop's clipboard: on Linux through wl-copy (Wayland) or xclip (X11).

/// Whether this desktop can take one.
bool can_copy_pictures();
/// Puts a PNG there; may take a moment. "" or why it could not be done.
std::string copy_picture(std::string_view png);

}  // namespace glassformer::platform
