#include "core/platform/process.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "core/platform/windows/system.h"
// Must come after windows.h.
#include <psapi.h>
#include <shellapi.h>
#include <shlobj.h>

namespace glassformer::platform {

namespace {

PROCESS_MEMORY_COUNTERS memory() {
    PROCESS_MEMORY_COUNTERS counters{};
    ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
    return counters;
}

double mb(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

/// A desktop program starts without the console of the program that started it (cmake/windows/console.cpp). Output to a
/// file or a pipe works anyway.
void use_console() {
    if (!::AttachConsole(ATTACH_PARENT_PROCESS)) return;
    const auto reaches_console = [](DWORD which) {
        const HANDLE stream = ::GetStdHandle(which);
        DWORD mode = 0;
        return ::GetFileType(stream) == FILE_TYPE_UNKNOWN || ::GetConsoleMode(stream, &mode);
    };
    if (reaches_console(STD_INPUT_HANDLE)) std::freopen("CONIN$", "r", stdin);
    if (reaches_console(STD_OUTPUT_HANDLE)) std::freopen("CONOUT$", "w", stdout);
    if (reaches_console(STD_ERROR_HANDLE)) std::freopen("CONOUT$", "w", stderr);
    std::setvbuf(stderr, nullptr, _IONBF, 0);
}

}  // namespace

char** use_utf8(int& count, char** arguments) {
    use_console();
    static const UINT code_page = ::GetConsoleOutputCP();  // restored at exit, since others share the console
    if (code_page != 0 && ::SetConsoleOutputCP(CP_UTF8)) std::atexit([] { ::SetConsoleOutputCP(code_page); });
    for (FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
    int words = 0;
    wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &words);
    if (!wide) return arguments;
    static std::vector<std::string> texts;
    static std::vector<char*> pointers;
    for (int i = 0; i < words; ++i) texts.push_back(utf8(wide[i]));
    ::LocalFree(wide);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    count = words;  // main() would get "*" expanded to file names
    return pointers.data();
}

int process_id() { return static_cast<int>(::GetCurrentProcessId()); }

bool process_runs(int id) {
    const Handle process(::OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(id)));
    if (!process) return ::GetLastError() == ERROR_ACCESS_DENIED;  // another user's process
    return ::WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

std::filesystem::path program_file() {
    std::wstring name(MAX_PATH, L'\0');
    for (;;) {
        const DWORD length = ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
        if (length < name.size()) return name.substr(0, length);
        name.resize(2 * name.size());
    }
}

void write_error(const std::string& text) {
    if (::GetFileType(::GetStdHandle(STD_ERROR_HANDLE)) == FILE_TYPE_UNKNOWN && !::GetConsoleCP())
        ::MessageBoxW(nullptr, utf16(text).c_str(), L"Glassformer", MB_OK | MB_ICONERROR | MB_SETFOREGROUND);
    else
        std::fputs(text.c_str(), stderr);
}

std::string user_language() {
    wchar_t name[LOCALE_NAME_MAX_LENGTH] = {};
    if (!::LCIDToLocaleName(MAKELCID(::GetUserDefaultUILanguage(), SORT_DEFAULT), name, LOCALE_NAME_MAX_LENGTH, 0))
        return {};
    std::string language = utf8(name);
    std::ranges::replace(language, '-', '_');
    return language;
}

bool standard_error_is_terminal() {
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(STD_ERROR_HANDLE), &mode);
}

double peak_memory_mb() { return mb(memory().PeakWorkingSetSize); }

double resident_memory_mb() { return mb(memory().WorkingSetSize); }

double available_memory_mb() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    ::GlobalMemoryStatusEx(&status);
    return mb(status.ullAvailPhys);
}

namespace {

std::atomic<int> asked_to_stop{0};

constexpr int hang_up = 1;  // SIGHUP elsewhere: the terminal was closed

/// Runs on a system thread. When a console closes or the user logs off, the program ends as soon as this returns, and
/// in any case some seconds later, so it does not return while the program saves.
BOOL WINAPI note(DWORD event) {
    switch (event) {
        case CTRL_C_EVENT:
            asked_to_stop = SIGINT;
            return TRUE;
        case CTRL_BREAK_EVENT:
            asked_to_stop = SIGTERM;
            return TRUE;
        default:
            asked_to_stop = hang_up;
            ::Sleep(INFINITE);
            return TRUE;
    }
}

}  // namespace

void catch_stop_signals() { ::SetConsoleCtrlHandler(note, TRUE); }

int stop_signal() { return asked_to_stop; }

/// Windows has no such limit.
void ignore_file_size_signal() {}

namespace {

// Under HKEY_CURRENT_USER: the extension names the file type, and the type names the program.
constexpr const wchar_t* ending = L"Software\\Classes\\.glass";
constexpr const wchar_t* kind_name = L"Glassformer.glass";
constexpr const wchar_t* kind = L"Software\\Classes\\Glassformer.glass";
constexpr const wchar_t* command = L"Software\\Classes\\Glassformer.glass\\shell\\open\\command";

std::wstring command_line() { return L'"' + program_file().native() + L"\" \"%1\""; }

LSTATUS write(const wchar_t* key, const std::wstring& text) {
    const auto bytes = static_cast<DWORD>((text.size() + 1) * sizeof(wchar_t));
    return ::RegSetKeyValueW(HKEY_CURRENT_USER, key, nullptr, REG_SZ, text.c_str(), bytes);
}

/// The text value of a key; empty if there is none.
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
