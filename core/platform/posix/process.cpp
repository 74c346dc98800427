#include "core/platform/process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "core/base/mark_text.h"

namespace glassformer::platform {

char** use_utf8(int&, char** arguments) { return arguments; }

int process_id() { return static_cast<int>(::getpid()); }

bool process_runs(int id) { return ::kill(id, 0) == 0 || errno != ESRCH; }

std::filesystem::path program_file() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

void write_error(const std::string& text) { std::fputs(text.c_str(), stderr); }

std::string user_language() { return {}; }

bool standard_error_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

double peak_memory_mb() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double resident_memory_mb() {
    std::ifstream statm("/proc/self/statm");
    double total = 0.0, resident = 0.0;
    statm >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

double available_memory_mb() {
    std::ifstream meminfo("/proc/meminfo");
    std::string name, unit;
    for (double kb = 0.0; meminfo >> name >> kb; std::getline(meminfo, unit))
        if (name == "MemAvailable:") return kb / 1024.0;
    return std::numeric_limits<double>::infinity();
}

namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void note(int signal) { asked_to_stop = signal; }

}  // namespace

void catch_stop_signals() {
    std::signal(SIGINT, note);
    std::signal(SIGTERM, note);
    // A program started with nohup must survive its terminal.
    if (std::signal(SIGHUP, note) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

int stop_signal() { return asked_to_stop; }

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

bool may_open_glass_files() { return false; }
bool opens_glass_files() { return false; }
std::string open_glass_files(bool) { return N_("only Windows asks a program for it"); }

}  // namespace glassformer::platform
