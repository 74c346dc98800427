#include "core/platform/file_type.h"

#include <system_error>

#include "core/platform/process.h"
#include "core/platform/windows/system.h"
// After windows.h.
#include <shlobj.h>

namespace glassformer::platform {

namespace {

// Below HKEY_CURRENT_USER: the ending names the kind of file, the kind the program.
constexpr const wchar_t* ending = L"Software\\Classes\\.glass";
constexpr const wchar_t* kind_name = L"Glassformer.glass";
constexpr const wchar_t* kind = L"Software\\Classes\\Glassformer.glass";
constexpr const wchar_t* command = L"Software\\Classes\\Glassformer.glass\\shell\\open\\command";

std::wstring command_line() { return L'"' + program_file().native() + L"\" \"%1\""; }

LSTATUS write(const wchar_t* key, const std::wstring& text) {
    const auto bytes = static_cast<DWORD>((text.size() + 1) * sizeof(wchar_t));
    return ::RegSetKeyValueW(HKEY_CURRENT_USER, key, nullptr, REG_SZ, text.c_str(), bytes);
}

/// The text at a key; empty where there is none.
std::wstring text_at(const wchar_t* key) {
    std::wstring text(32768, L'\0');
    auto bytes = static_cast<DWORD>(text.size() * sizeof(wchar_t));
    if (::RegGetValueW(HKEY_CURRENT_USER, key, nullptr, RRF_RT_REG_SZ, nullptr, text.data(), &bytes) != ERROR_SUCCESS)
        return {};
    text.resize(bytes / sizeof(wchar_t) - 1);
    return text;
}

}  // namespace

bool may_open_glass_files() { return true; }

bool opens_glass_files() { return text_at(ending) == kind_name && text_at(command) == command_line(); }

std::string open_glass_files(bool yes) {
    LSTATUS status = ERROR_SUCCESS;
    if (yes) {
        status = write(command, command_line());
        if (status == ERROR_SUCCESS) status = write(kind, L"Glassformer model");
        if (status == ERROR_SUCCESS) status = write(ending, kind_name);
    } else {
        if (text_at(ending) == kind_name) status = ::RegDeleteTreeW(HKEY_CURRENT_USER, ending);
        if (status == ERROR_SUCCESS) status = ::RegDeleteTreeW(HKEY_CURRENT_USER, kind);
        if (status == ERROR_FILE_NOT_FOUND) status = ERROR_SUCCESS;
    }
    ::SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, nullptr, nullptr);
    return status == ERROR_SUCCESS ? std::string() : std::system_category().message(static_cast<int>(status));
}

}  // namespace glassformer::platform
