#include "core/platform/signals.h"

#include <csignal>

namespace glassformer::platform {

namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void note(int signal) { asked_to_stop = signal; }

}  // namespace

void catch_stop_signals() {
    std::signal(SIGINT, note);
    std::signal(SIGTERM, note);
    // A program started by nohup goes on when its terminal is closed.
    if (std::signal(SIGHUP, note) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

int stop_signal() { return asked_to_stop; }

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace glassformer::platform
