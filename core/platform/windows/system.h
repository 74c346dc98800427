#pragma once

// What the files of this folder share. No other includes this, or windows.h: its macros take everyday names away.

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <winsock2.h>  // which must stand before windows.h
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

/// Text in UTF-16; what is no UTF-8 becomes U+FFFD.
std::wstring utf16(std::string_view text);
std::string utf8(std::wstring_view text);

/// The number of <cerrno> that says what a call of Windows failed with.
int errno_of(DWORD error = ::GetLastError());

/// The path as Windows takes it: absolute, and with the mark that lets it be longer than 260 characters where it is.
std::wstring system_path(const std::filesystem::path& path);

/// The words as one line, from which CommandLineToArgvW and the C library of a program read them back.
std::wstring command_line(const std::vector<std::string>& words);

/// A handle, closed at the end of its scope.
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
