// Where the C library of Windows differs from other systems in what the whole program relies on: narrow text is UTF-8,
// an opened file has the same bytes as on the disk, and a thread's objects are destroyed before their memory is freed.
// The linker finds these symbols before those of the C library (core/CMakeLists.txt); std::filesystem::path converts
// names with them.

#include <cxxabi.h>
#include <fcntl.h>

#include <cerrno>
#include <cwchar>

extern "C" {

/// The default mode for opening files.
int _fmode = _O_BINARY;

/// One step of UTF-8 to UTF-16. A four-byte character becomes two units: its first three bytes give the first unit, and
/// the state keeps the second for the last byte.
std::size_t mbrtowc(wchar_t* unit, const char* text, std::size_t length, mbstate_t* state) {
    static mbstate_t own;
    mbstate_t& second = state ? *state : own;
    if (!text) return second = 0;
    if (length == 0) return static_cast<std::size_t>(-2);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto give = [&](unsigned code, std::size_t bytes) {
        if (unit) *unit = static_cast<wchar_t>(code);
        return bytes;
    };
    if (second) {
        const unsigned code = static_cast<unsigned>(second);
        second = 0;
        return give(code, 1);
    }
    const unsigned first = byte(0);
    if (first < 0x80) return give(first, first ? 1 : 0);
    const std::size_t bytes = first >= 0xc2 && first < 0xe0   ? 2
                              : first >= 0xe0 && first < 0xf0 ? 3
                              : first >= 0xf0 && first < 0xf5 ? 4
                                                              : 0;
    unsigned code = first & (0xffu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if (i == length) return static_cast<std::size_t>(-2);
        if ((byte(i) & 0xc0) != 0x80) return errno = EILSEQ, static_cast<std::size_t>(-1);
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && (code < 0x10000 || code > 0x10ffff));
    if (bytes == 0 || overlong || (code >= 0xd800 && code < 0xe000))
        return errno = EILSEQ, static_cast<std::size_t>(-1);
    if (bytes < 4) return give(code, bytes);
    second = static_cast<mbstate_t>(0xdc00 + (code & 0x3ff));
    return give(0xd7c0 + (code >> 10), 3);
}

std::size_t mbrlen(const char* text, std::size_t length, mbstate_t* state) {
    static mbstate_t own;
    return mbrtowc(nullptr, text, length, state ? state : &own);
}

std::size_t mbsrtowcs(wchar_t* units, const char** text, std::size_t most, mbstate_t* state) {
    static mbstate_t own;
    const char* at = *text;
    for (std::size_t count = 0;; ++count) {
        if (units && count == most) return *text = at, count;
        wchar_t unit = 0;
        const std::size_t bytes = mbrtowc(&unit, at, 4, state ? state : &own);
        if (bytes == static_cast<std::size_t>(-1)) return bytes;
        if (units) units[count] = unit;
        if (bytes == 0) return units ? static_cast<void>(*text = nullptr) : void(), count;
        at += bytes;
    }
}

}  // extern "C"

namespace {

/// At the end of a thread the library runs what was registered first. It both frees the memory of thread_local objects
/// and destroys those objects (GCC bug 83562): this registers the destruction before anything can register the freeing.
__attribute__((constructor(101))) void end_before_freeing() {
    abi::__cxa_thread_atexit([](void*) {}, nullptr, nullptr);
}

}  // namespace
