#include "core/platform/program.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <system_error>
#include <thread>

#include "core/base/mark_text.h"
#include "core/platform/process.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

namespace {

constexpr std::size_t most_stderr = 4096;
constexpr DWORD look_again = 20;  // milliseconds

using Clock = std::chrono::steady_clock;

/// The deadline for all programs, in clock ticks.
constexpr Clock::rep never = std::numeric_limits<Clock::rep>::max();
std::atomic<Clock::rep> end_of_programs{never};

std::string message(DWORD error) { return std::system_category().message(static_cast<int>(error)); }

/// A pipe with one end for the program to inherit.
struct Pipe {
    Pipe() {
        SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
        made = ::CreatePipe(read.address(), write.address(), &inherited, 0);
    }
    Handle read, write;
    bool made = false;
};

void read_what_is_there(HANDLE pipe, std::string& text) {
    std::array<char, 4096> bytes{};
    DWORD there = 0, got = 0;
    // A program that never stops writing must not keep the caller from checking the time.
    for (int turn = 0; turn < 64; ++turn) {
        if (!::PeekNamedPipe(pipe, nullptr, 0, nullptr, &there, nullptr) || there == 0) return;
        if (!::ReadFile(pipe, bytes.data(), static_cast<DWORD>(bytes.size()), &got, nullptr) || got == 0) return;
        text.append(bytes.data(), got);
        if (text.size() > 2 * most_stderr) text.erase(0, text.size() - most_stderr);
    }
}

/// Reads the program's errors until it ends. Returns its exit code; sets `killed` if the time was up.
DWORD wait_for(const Handle& process, const Handle& group, const Handle& said, std::string& stderr_text,
               Clock::time_point end, bool& killed) {
    for (;;) {
        const bool ended = ::WaitForSingleObject(process.get(), look_again) == WAIT_OBJECT_0;
        read_what_is_there(said.get(), stderr_text);
        if (ended) break;
        const Clock::time_point now = Clock::now();
        if (stop_signal()) end_programs();
        if (!killed && (now >= end || now.time_since_epoch().count() >= end_of_programs)) {
            killed = true;
            ::TerminateJobObject(group.get(), 1);
            ::TerminateProcess(process.get(), 1);
        }
    }
    DWORD code = 1;
    ::GetExitCodeProcess(process.get(), &code);
    return code;
}

}  // namespace

std::filesystem::path find_program(std::string_view name) {
    const wchar_t* const path = ::_wgetenv(L"PATH");
    const std::wstring file = utf16(name);
    std::wstring found(32768, L'\0');
    found.resize(::SearchPathW(path ? path : L"", file.c_str(), L".exe", static_cast<DWORD>(found.size()), found.data(),
                               nullptr));
    return found;
}

void end_programs() {
    Clock::rep none = never;
    end_of_programs.compare_exchange_strong(none, (Clock::now() + std::chrono::seconds(2)).time_since_epoch().count());
}

bool run_program(const std::vector<std::string>& line, std::string_view input, std::string& stderr_text,
                 std::chrono::seconds most) {
    stderr_text.clear();
    Pipe in, out;
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    const Handle nowhere(::CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                       OPEN_EXISTING, 0, nullptr));
    const Handle group(::CreateJobObjectW(nullptr, nullptr));  // a job: the program with all its children
    if (!in.made || !out.made || !nowhere || !group) {
        stderr_text = message(::GetLastError());
        return false;
    }
    ::SetHandleInformation(in.write.get(), HANDLE_FLAG_INHERIT, 0);
    ::SetHandleInformation(out.read.get(), HANDLE_FLAG_INHERIT, 0);
    std::wstring words = command_line(line);
    STARTUPINFOW with{};
    with.cb = sizeof with;
    with.dwFlags = STARTF_USESTDHANDLES;
    with.hStdInput = in.read.get();
    with.hStdOutput = nowhere.get();
    with.hStdError = out.write.get();
    PROCESS_INFORMATION begun{};
    constexpr DWORD how = CREATE_NO_WINDOW | CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT;
    if (!::CreateProcessW(utf16(line.front()).c_str(), words.data(), nullptr, nullptr, TRUE, how, nullptr, nullptr,
                          &with, &begun)) {
        stderr_text = message(::GetLastError());
        return false;
    }
    const Handle process(begun.hProcess);
    Handle thread(begun.hThread);
    ::AssignProcessToJobObject(group.get(), process.get());
    ::ResumeThread(thread.get());
    thread.close();
    in.read.close();
    out.write.close();
    std::atomic<bool> written{false};
    std::thread writer([&in, &written, input] {
        DWORD put = 0;
        for (std::string_view rest = input; !rest.empty(); rest.remove_prefix(put)) {
            const auto bytes = static_cast<DWORD>(std::min<std::size_t>(rest.size(), 1 << 16));
            if (!::WriteFile(in.write.get(), rest.data(), bytes, &put, nullptr)) break;  // it stopped reading
        }
        in.write.close();
        written = true;
    });
    bool killed = false;
    const DWORD code = wait_for(process, group, out.read, stderr_text, Clock::now() + most, killed);
    // A background process that it left may hold the other end of the pipe without reading.
    while (!written) {
        ::CancelSynchronousIo(static_cast<HANDLE>(::pthread_gethandle(writer.native_handle())));
        ::Sleep(1);
    }
    writer.join();
    if (stderr_text.size() > most_stderr) stderr_text.erase(0, stderr_text.size() - most_stderr);
    while (stderr_text.ends_with('\n') || stderr_text.ends_with('\r')) stderr_text.pop_back();
    if (killed && stderr_text.empty()) stderr_text = N_("it did not finish in time");
    return !killed && code == 0;
}

}  // namespace glassformer::platform
