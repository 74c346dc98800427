#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/cli/shell.h"

namespace glassformer {

namespace {

Ran run_line(const std::string& before, const std::string& program, const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    std::string command = "cd " + in_quotes(folder.path().string()) + "; " + before + in_quotes(program);
    for (const std::string& argument : arguments) command += " " + in_quotes(argument);
    command += " >" + in_quotes((folder / "out").string()) + " 2>" + in_quotes((folder / "err").string());
    Ran ran;
    const int status = std::system(("( " + command + " ) </dev/null").c_str());
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = contents(folder / "out");
    ran.err = contents(folder / "err");
    return ran;
}

}  // namespace

Ran run(const std::vector<std::string>& arguments, const Start& start) {
    std::string before;
    if (!start.folder.empty()) before += "cd " + in_quotes(start.folder.string()) + "; ";
    for (const auto& [name, value] : start.variables)
        before += value.empty() ? "unset " + name + "; " : "export " + name + "=" + in_quotes(value) + "; ";
    return run_line(before, start.program, arguments);
}

Ran run_after(const std::string& before, const std::vector<std::string>& arguments) {
    return run_line(before, GLASSFORMER_PROGRAM, arguments);
}

int run_until(const std::vector<std::string>& arguments, const std::function<bool()>& reached, int signal) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::vector<char*> argv = {const_cast<char*>(GLASSFORMER_PROGRAM)};
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        const int nothing = open("/dev/null", O_RDWR);
        for (const int stream : {0, 1, 2}) dup2(nothing, stream);
        execv(GLASSFORMER_PROGRAM, argv.data());
        _exit(127);
    }
    int status = 0;
    while (!reached()) {
        REQUIRE(waitpid(child, &status, WNOHANG) == 0);  // it has not exited by itself
        usleep(1000);
    }
    ::kill(child, signal);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void kill_when(const std::vector<std::string>& arguments, const std::function<bool()>& reached) {
    CHECK(run_until(arguments, reached, SIGKILL) == 128 + SIGKILL);
}

}  // namespace glassformer
