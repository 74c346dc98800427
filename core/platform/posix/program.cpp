#include "core/platform/program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>

#include "core/base/mark_text.h"
#include "core/platform/process.h"

namespace glassformer::platform {

namespace {

constexpr std::size_t most_stderr = 4096;

/// Both ends of a pipe (RAII).
struct Pipe {
    Pipe() { made = ::pipe2(ends.data(), O_CLOEXEC) == 0; }
    ~Pipe() {
        close(0);
        close(1);
    }
    void close(std::size_t end) {
        if (ends[end] >= 0) ::close(ends[end]);
        ends[end] = -1;
    }
    std::array<int, 2> ends{-1, -1};
    bool made = false;
};

using Clock = std::chrono::steady_clock;

/// The deadline for all programs, in clock ticks.
constexpr Clock::rep never = std::numeric_limits<Clock::rep>::max();
std::atomic<Clock::rep> end_of_programs{never};

/// Writes to `in` and reads from `out` until the program ends. It does not wait for end of file: a background process
/// (a clipboard owner) keeps its end open. Returns the exit status; sets `killed` if the time was up.
int talk(pid_t child, Pipe& in, Pipe& out, std::string_view input, std::string& stderr_text, Clock::time_point end,
         bool& killed) {
    constexpr int look_again = 50;  // milliseconds
    ::fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
    ::fcntl(out.ends[0], F_SETFL, O_NONBLOCK);
    if (input.empty()) in.close(1);
    std::array<char, 4096> bytes{};
    int status = 0;
    for (bool ended = false;;) {
        std::array<pollfd, 2> waiting{{{out.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}}};
        if (!ended) ::poll(waiting.data(), in.ends[1] >= 0 ? 2 : 1, look_again);
        if (in.ends[1] >= 0) {
            const ssize_t put = ::write(in.ends[1], input.data(), input.size());
            if (put > 0) input.remove_prefix(put);
            if (input.empty() || (put < 0 && errno != EAGAIN && errno != EINTR)) in.close(1);
        }
        ssize_t got = 0;
        // A program that never stops writing must not keep this loop from checking the time.
        for (int turn = 0; turn < 64 && (got = ::read(out.ends[0], bytes.data(), bytes.size())) > 0; ++turn) {
            stderr_text.append(bytes.data(), static_cast<std::size_t>(got));
            if (stderr_text.size() > 2 * most_stderr) stderr_text.erase(0, stderr_text.size() - most_stderr);
        }
        if (ended) return status;  // and all its output has been read
        const Clock::time_point now = Clock::now();
        if (stop_signal()) end_programs();
        if (!killed && (now >= end || now.time_since_epoch().count() >= end_of_programs)) {
            killed = true;
            ::kill(-child, SIGKILL);  // with all its children
        }
        const pid_t found = ::waitpid(child, &status, WNOHANG);
        ended = found == child || (found < 0 && errno != EINTR);
        // Its pipe is closed, so poll() returns at once; the program is about to end.
        if (!ended && got == 0) ::usleep(1000);
    }
}

/// While this exists, a program that exits before reading all its input does not end this one. Affects only this
/// thread, since several may run programs at a time.
class NoPipeSignal {
public:
    NoPipeSignal() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~NoPipeSignal() {
        const timespec at_once{};
        while (::sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;
    const sigset_t& before() const { return before_; }

private:
    sigset_t pipe_{}, before_{};
};

}  // namespace

std::filesystem::path find_program(std::string_view name) {
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / name;
        if (end > 0 && ::access(file.c_str(), X_OK) == 0) return file;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

void end_programs() {
    Clock::rep none = never;
    end_of_programs.compare_exchange_strong(none, (Clock::now() + std::chrono::seconds(2)).time_since_epoch().count());
}

bool run_program(const std::vector<std::string>& line, std::string_view input, std::string& stderr_text,
                 std::chrono::seconds most) {
    stderr_text.clear();
    const NoPipeSignal quiet;
    Pipe in, out;
    if (!in.made || !out.made) {
        stderr_text = std::strerror(errno);
        return false;
    }
    std::vector<std::string> words = line;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &quiet.before());
    posix_spawnattr_setpgroup(&attributes, 0);  // a process group of its own, which can be killed as a whole
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    pid_t child = -1;
    const int failed = posix_spawn(&child, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    in.close(0);
    out.close(1);
    if (failed != 0) {
        stderr_text = std::strerror(failed);
        return false;
    }
    bool killed = false;
    const int status = talk(child, in, out, input, stderr_text, Clock::now() + most, killed);
    if (stderr_text.size() > most_stderr) stderr_text.erase(0, stderr_text.size() - most_stderr);
    while (stderr_text.ends_with('\n')) stderr_text.pop_back();
    if (killed && stderr_text.empty()) stderr_text = N_("it did not finish in time");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace glassformer::platform
