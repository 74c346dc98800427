#pragma once

#include <string>
#include <string_view>

namespace glassformer::platform {

// Pictures on the desktop's clipboard: on Linux through wl-copy (Wayland) or xclip (X11).

/// True if this desktop's clipboard accepts pictures.
bool can_copy_pictures();
/// Copies a PNG to the clipboard; may take a moment. Returns "", or the reason if it fails.
std::string copy_picture(std::string_view png);

}  // namespace glassformer::platform
