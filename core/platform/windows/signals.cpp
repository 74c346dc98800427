#include "core/platform/signals.h"

#include <atomic>
#include <csignal>

#include "core/platform/windows/system.h"

namespace glassformer::platform {

namespace {

std::atomic<int> asked_to_stop{0};

constexpr int hang_up = 1;  // SIGHUP elsewhere: the terminal is closed

/// On a thread of the system. When a console closes, or the user leaves, the program ends as soon as this returns, and
/// in any case some seconds later: it stays here for as long as the program saves.
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

/// There is no such limit.
void ignore_file_size_signal() {}

}  // namespace glassformer::platform
