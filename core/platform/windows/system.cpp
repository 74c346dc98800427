#include "core/platform/windows/system.h"

#include <cerrno>
#include <system_error>

namespace glassformer::platform {

namespace {

/// ERROR_CLOUD_FILE_…: a file in a folder such as OneDrive's that is not on this computer, and cannot be fetched now.
/// MinGW does not name them.
constexpr DWORD cloud_provider_not_running = 362, cloud_network_unavailable = 388, cloud_unsuccessful = 389,
                cloud_provider_terminated = 404, cloud_request_timeout = 426;

std::wstring quoted(const std::wstring& word) {
    if (!word.empty() && word.find_first_of(L" \t\"") == word.npos) return word;
    std::wstring text = L"\"";
    std::size_t backslashes = 0;  // those before a quotation mark must be doubled
    for (const wchar_t unit : word) {
        if (unit == L'"') text.append(backslashes + 1, L'\\');
        backslashes = unit == L'\\' ? backslashes + 1 : 0;
        text += unit;
    }
    return text.append(backslashes, L'\\') + L"\"";
}

}  // namespace

std::wstring utf16(std::string_view text) {
    const int length = static_cast<int>(text.size());
    const int units = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0);
    std::wstring wide(static_cast<std::size_t>(units), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, wide.data(), units);
    return wide;
}

std::string utf8(std::wstring_view text) {
    const int units = static_cast<int>(text.size());
    const int length = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
    std::string narrow(static_cast<std::size_t>(length), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, narrow.data(), length, nullptr, nullptr);
    return narrow;
}

int errno_of(DWORD error) {
    switch (error) {
        case ERROR_SHARING_VIOLATION:
        case ERROR_LOCK_VIOLATION:
        case ERROR_USER_MAPPED_FILE:
            return EBUSY;
        case ERROR_DISK_FULL:
        case ERROR_HANDLE_DISK_FULL:
            return ENOSPC;
        case ERROR_WRITE_PROTECT:
            return EROFS;
        case ERROR_INVALID_NAME:
        case ERROR_BAD_PATHNAME:
        case ERROR_BAD_NETPATH:
        case ERROR_BAD_NET_NAME:
            return ENOENT;
        case ERROR_DIRECTORY:
            return ENOTDIR;
        case ERROR_COMMITMENT_LIMIT:
            return ENOMEM;
        case cloud_provider_not_running:
        case cloud_network_unavailable:
        case cloud_unsuccessful:
        case cloud_provider_terminated:
        case cloud_request_timeout:
        case ERROR_UNEXP_NET_ERR:
        case ERROR_NETNAME_DELETED:
        case ERROR_NETWORK_UNREACHABLE:
        case ERROR_HOST_UNREACHABLE:
            return ENETUNREACH;
        default:
            break;
    }
    const std::error_condition condition =
        std::error_code(static_cast<int>(error), std::system_category()).default_error_condition();
    return condition.category() == std::generic_category() ? condition.value() : EIO;
}

std::wstring command_line(const std::vector<std::string>& words) {
    std::wstring line;
    for (const std::string& word : words) line += (line.empty() ? L"" : L" ") + quoted(utf16(word));
    return line;
}

std::wstring system_path(const std::filesystem::path& path) {
    constexpr std::size_t longest = MAX_PATH - 13;  // a folder's path must leave room for a short file name in it
    std::wstring text = path.native();
    for (wchar_t& unit : text)
        if (unit == L'/') unit = L'\\';
    if (text.size() < longest && path.is_absolute()) return text;
    const DWORD needed = ::GetFullPathNameW(text.c_str(), 0, nullptr, nullptr);
    std::wstring full(needed, L'\0');
    full.resize(::GetFullPathNameW(text.c_str(), needed, full.data(), nullptr));
    if (full.size() < longest || full.starts_with(L"\\\\?\\")) return full.empty() ? text : full;
    return full.starts_with(L"\\\\") ? L"\\\\?\\UNC\\" + full.substr(2) : L"\\\\?\\" + full;
}

}  // namespace glassformer::platform
