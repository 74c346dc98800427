#include "core/platform/clipboard.h"

#include <cstring>

#include "core/base/mark_text.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

bool can_copy_pictures() { return true; }

// Office, browsers and graphics programs accept a PNG under this name.
std::string copy_picture(std::string_view png) {
    const UINT format = ::RegisterClipboardFormatW(L"PNG");
    const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, png.size());
    void* const bytes = memory ? ::GlobalLock(memory) : nullptr;
    if (!bytes) return N_("there is not enough memory for the picture");
    std::memcpy(bytes, png.data(), png.size());
    ::GlobalUnlock(memory);
    if (!::OpenClipboard(nullptr)) {
        ::GlobalFree(memory);
        return N_("another program is using the clipboard");
    }
    ::EmptyClipboard();
    const bool taken = ::SetClipboardData(format, memory) != nullptr;  // from then on the clipboard owns the memory
    ::CloseClipboard();
    if (taken) return {};
    ::GlobalFree(memory);
    return N_("the clipboard did not take the picture");
}

}  // namespace glassformer::platform
