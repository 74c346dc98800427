#include <thread>

#include "core/platform/windows/system.h"
#include "tests/cli/program.h"
#include "tests/core/set_variable.h"

namespace glassformer {

namespace {

using platform::Handle;

/// Opens a file, or "NUL", for output, as a handle that the child process inherits.
Handle inherited(const std::wstring& file) {
    SECURITY_ATTRIBUTES shared{sizeof shared, nullptr, TRUE};
    Handle handle(::CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &shared,
                                file == L"NUL" ? OPEN_EXISTING : CREATE_ALWAYS, 0, nullptr));
    REQUIRE(handle);
    return handle;
}

Handle started(const std::vector<std::string>& arguments, const Start& start, const std::filesystem::path& folder,
               const std::wstring& out, const std::wstring& err) {
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), start.program);
    std::wstring line = platform::command_line(words);
    std::vector<std::unique_ptr<SetVariable>> set;
    for (const auto& [name, value] : start.variables) set.push_back(std::make_unique<SetVariable>(name, value));
    const Handle in_handle = inherited(L"NUL"), out_handle = inherited(out), err_handle = inherited(err);
    STARTUPINFOW with{};
    with.cb = sizeof with;
    with.dwFlags = STARTF_USESTDHANDLES;
    with.hStdInput = in_handle.get();
    with.hStdOutput = out_handle.get();
    with.hStdError = err_handle.get();
    PROCESS_INFORMATION begun{};
    REQUIRE(::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, folder.c_str(), &with, &begun));
    const Handle thread(begun.hThread);
    return Handle(begun.hProcess);
}

}  // namespace

Ran run(const std::vector<std::string>& arguments, const Start& start) {
    const TemporaryFolder folder;
    const Handle process = started(arguments, start, start.folder.empty() ? folder.path() : start.folder,
                                   (folder / "out").wstring(), (folder / "err").wstring());
    ::WaitForSingleObject(process.get(), INFINITE);
    DWORD code = 0;
    REQUIRE(::GetExitCodeProcess(process.get(), &code));
    return {static_cast<int>(code), contents(folder / "out"), contents(folder / "err")};
}

void kill_when(const std::vector<std::string>& arguments, const std::function<bool()>& reached) {
    const TemporaryFolder folder;
    const Handle process = started(arguments, {}, folder.path(), L"NUL", L"NUL");
    while (!reached()) REQUIRE(::WaitForSingleObject(process.get(), 1) == WAIT_TIMEOUT);  // it has not exited by itself
    ::TerminateProcess(process.get(), 1);
    ::WaitForSingleObject(process.get(), INFINITE);
}

}  // namespace glassformer
