#include "core/platform/dialog.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "core/platform/program.h"

namespace glassformer::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_answer = 1 << 16;

bool has_display() {
    const char *x = std::getenv("DISPLAY"), *wayland = std::getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

std::vector<std::string> dialog_command(FileDialog::For what, const std::string& title, const fs::path& start) {
    using For = FileDialog::For;
    const bool saves = what == For::saving;
    if (const fs::path zenity = find_program("zenity"); !zenity.empty()) {
        std::vector<std::string> line{zenity.string(), "--file-selection", "--title=" + title,
                                      "--filename=" + start.string() + (saves ? "" : "/")};
        if (what != For::file) line.push_back(saves ? "--save" : "--directory");
        return line;
    }
    if (const fs::path kdialog = find_program("kdialog"); !kdialog.empty())
        return {kdialog.string(), "--title", title,
                saves               ? "--getsavefilename"
                : what == For::file ? "--getopenfilename"
                                    : "--getexistingdirectory",
                start.string()};
    return {};
}

}  // namespace

struct FileDialog::Open {
    Open(pid_t child, int pipe) : process(child), answers(pipe) {}
    ~Open() {
        ::close(answers);
        if (process <= 0) return;
        ::kill(process, SIGKILL);  // it might ignore SIGTERM, and has nothing to save
        ::waitpid(process, nullptr, 0);
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

    pid_t process;
    int answers;
    std::string text;
};

bool FileDialog::there() {
    return has_display() && (!find_program("zenity").empty() || !find_program("kdialog").empty());
}

std::unique_ptr<FileDialog> FileDialog::open(For what, const std::string& title, const fs::path& start) {
    std::vector<std::string> line = dialog_command(what, title, start);
    std::array<int, 2> pipe{};
    if (line.empty() || ::pipe2(pipe.data(), O_CLOEXEC) != 0) return nullptr;
    ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    std::vector<char*> arguments;
    for (std::string& argument : line) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    pid_t child = -1;
    const int failed = posix_spawn(&child, line.front().c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    if (failed != 0) {
        ::close(pipe[0]);
        return nullptr;
    }
    return std::unique_ptr<FileDialog>(new FileDialog(std::make_unique<Open>(child, pipe[0])));
}

FileDialog::FileDialog(std::unique_ptr<Open> open) : open_(std::move(open)) {}

FileDialog::~FileDialog() = default;

std::optional<std::string> FileDialog::poll() {
    std::array<char, 4096> bytes{};
    std::string& text = open_->text;
    for (;;) {
        const ssize_t got = ::read(open_->answers, bytes.data(), bytes.size());
        if (got > 0 && text.size() < longest_answer) text.append(bytes.data(), static_cast<std::size_t>(got));
        if (got > 0 || (got < 0 && errno == EINTR)) continue;
        if (got < 0 && errno == EAGAIN) return std::nullopt;  // the dialog is still open
        break;
    }
    int status = 0;
    if (::waitpid(open_->process, &status, WNOHANG) != open_->process) return std::nullopt;  // about to end
    open_->process = 0;
    while (text.ends_with('\n')) text.pop_back();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : std::string();
}

}  // namespace glassformer::platform
