#pragma once

// What the files of this folder share. No other file includes this or windows.h, whose macros redefine common names.

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <winsock2.h>  // must come before windows.h
#undef near
#undef far
#undef ERROR
#undef small

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassformer::platform {

/// Converts to UTF-16; invalid UTF-8 becomes U+FFFD.
std::wstring utf16(std::string_view text);
std::string utf8(std::wstring_view text);

/// The <cerrno> number for an error of the Windows API.
int errno_of(DWORD error = ::GetLastError());

/// The path as Windows expects it: absolute, with the prefix for more than 260 characters if needed.
std::wstring system_path(const std::filesystem::path& path);

/// The words as one command line, quoted so that CommandLineToArgvW and C libraries split it back into them.
std::wstring command_line(const std::vector<std::string>& words);

/// A handle (RAII).
class Handle {
public:
    explicit Handle(HANDLE handle = nullptr) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
    ~Handle() { close(); }
    Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    explicit operator bool() const { return handle_ != nullptr; }
    HANDLE get() const { return handle_; }
    HANDLE* address() { return &handle_; }
    void close() {
        if (handle_) ::CloseHandle(std::exchange(handle_, nullptr));
    }

private:
    HANDLE handle_;
};

}  // namespace glassformer::platform
