// glassformer.com, the program in a console. glassformer.exe is a program of the desktop, so that a double click opens
// no console; but then a console does not wait for it. This one starts it with its own arguments and streams, waits,
// and ends with its exit code. A console finds it first, where no ending is typed.
#include <windows.h>

#include <cstdio>
#include <string>

namespace {

HANDLE program;

/// Ctrl+C is for the program, which has it from the same console; and the console may close only when the program has
/// saved what it had to.
BOOL WINAPI leave_to_program(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::WaitForSingleObject(program, INFINITE);
    return TRUE;
}

std::wstring own_file() {
    std::wstring name(32768, L'\0');
    name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
    return name;
}

/// What follows the program's name on its command line, as it was typed.
std::wstring arguments() {
    const std::wstring line = ::GetCommandLineW();
    const std::size_t end = line.starts_with(L'"') ? line.find(L'"', 1) : line.find_first_of(L" \t");
    if (end == line.npos) return {};
    return line.substr(line[end] == L'"' ? end + 1 : end);
}

}  // namespace

int main() {
    std::wstring file = own_file();
    file.replace(file.find_last_of(L'.'), std::wstring::npos, L".exe");
    std::wstring line = L'"' + file + L'"' + arguments();
    STARTUPINFOW with{};
    with.cb = sizeof with;
    with.dwFlags = STARTF_USESTDHANDLES;
    with.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
    with.hStdOutput = ::GetStdHandle(STD_OUTPUT_HANDLE);
    with.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
    for (HANDLE stream : {with.hStdInput, with.hStdOutput, with.hStdError})
        ::SetHandleInformation(stream, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    // Whoever ends this one ends the program.
    const HANDLE group = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    ::SetInformationJobObject(group, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    PROCESS_INFORMATION begun{};
    if (!::CreateProcessW(file.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr, nullptr, &with,
                          &begun)) {
        std::fprintf(stderr, "glassformer: %ls cannot be started (error %lu of Windows)\n", file.c_str(),
                     ::GetLastError());
        return 1;
    }
    program = begun.hProcess;
    ::SetConsoleCtrlHandler(leave_to_program, TRUE);
    ::AssignProcessToJobObject(group, program);
    ::ResumeThread(begun.hThread);
    ::WaitForSingleObject(program, INFINITE);
    DWORD code = 1;
    ::GetExitCodeProcess(program, &code);
    return static_cast<int>(code);
}
