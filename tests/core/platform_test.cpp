#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/process.h"
#include "core/platform/program.h"
#include "core/platform/user_folders.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// What a line of a source file has when it calls the operating system itself.
bool calls_the_system(const std::string& line) {
    static constexpr std::array headers{"<unistd.h>",  "<fcntl.h>",    "<sys/",       "<csignal>",   "<signal.h>",
                                        "<dlfcn.h>",   "<pwd.h>",      "<termios.h>", "<poll.h>",    "<pthread.h>",
                                        "<sched.h>",   "<spawn.h>",    "<dirent.h>",  "<windows.h>", "<io.h>",
                                        "<process.h>", "<ucontext.h>", "<langinfo.h>"};
    static constexpr std::array calls{"getenv(\"HOME", "getenv(\"XDG_", "\"/proc/", "syscall("};
    const auto has = [&](const char* part) { return line.find(part) != std::string::npos; };
    if (line.starts_with("#include")) return std::ranges::any_of(headers, has);
    return std::ranges::any_of(calls, has);
}

/// What a line of a test has when it chooses a place in the folder for temporary files itself.
bool chooses_a_temporary_place(const std::string& line) {
    static const std::array ways{std::string("temp_directory_") + "path()", std::string("\"/") + "tmp/"};
    return std::ranges::any_of(ways, [&](const std::string& way) { return line.find(way) != std::string::npos; });
}

/// "file:line: text" of every line of which `told` says so in a folder, but for one folder or file in it.
std::vector<std::string> lines_in(const fs::path& folder, const fs::path& but, bool (*told)(const std::string&)) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".cpp" && file.extension() != ".h") continue;
        if (file == but || file.string().starts_with(but.string() + "/")) continue;
        std::ifstream in(file);
        int number = 0;
        for (std::string line; std::getline(in, line);)
            if (++number; told(line)) found.push_back(file.string() + ":" + std::to_string(number) + ": " + line);
    }
    return found;
}

std::string all(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("platform: no other room of core and app calls the operating system") {
    const fs::path source = GLASSFORMER_SOURCE_DIR;
    CHECK(all(lines_in(source / "core", source / "core/platform", calls_the_system)) == "");
    CHECK(all(lines_in(source / "app", source / "app/window", calls_the_system)) == "");
    // The search finds what it looks for.
    CHECK(lines_in(source / "core", source / "core/none", calls_the_system).size() > 5);
}

// Two tests that run beside each other would take each other's files away.
TEST_CASE("platform: no test has a fixed place among the temporary files; each takes a TemporaryFolder") {
    const fs::path tests = fs::path(GLASSFORMER_SOURCE_DIR) / "tests", own = tests / "core/temporary_folder.h";
    CHECK(all(lines_in(tests, own, chooses_a_temporary_place)) == "");
    CHECK(lines_in(tests, tests / "none", chooses_a_temporary_place).size() == 1);
}

TEST_CASE("platform: the user's folders are those of the XDG specification, and a relative one counts as none") {
    const SetVariable home("HOME", "/home/ada");
    const auto folders = [] { return std::array{platform::config_folder(), platform::cache_folder()}; };
    {
        const SetVariable config("XDG_CONFIG_HOME", ""), cache("XDG_CACHE_HOME", "");
        CHECK(folders() == std::array<fs::path, 2>{"/home/ada/.config/glassformer", "/home/ada/.cache/glassformer"});
    }
    {
        const SetVariable config("XDG_CONFIG_HOME", "/etc/x"), cache("XDG_CACHE_HOME", "/var/y");
        CHECK(folders() == std::array<fs::path, 2>{"/etc/x/glassformer", "/var/y/glassformer"});
    }
    const SetVariable config("XDG_CONFIG_HOME", "here"), cache("XDG_CACHE_HOME", "there"), none("HOME", "");
    CHECK(platform::home_folder().empty());
    CHECK(platform::config_folder().empty());
    CHECK(platform::cache_folder() == TemporaryFolder().path().parent_path() / "glassformer");
}

TEST_CASE("platform: one program at a time holds a lock, and what is open is found by its name until it is replaced") {
    const TemporaryFolder folder;
    const platform::File first(folder / "lock", platform::OpenFor::changing, "lock", folder / "lock");
    const platform::File second(folder / "lock", platform::OpenFor::changing, "lock", folder / "lock");
    bool taken = false;
    CHECK(first.try_lock(taken));
    CHECK(taken);
    CHECK(second.try_lock(taken));
    CHECK_FALSE(taken);
    CHECK(first.is_at(folder / "lock"));
    write_file_atomically(folder / "lock", "another");
    CHECK_FALSE(first.is_at(folder / "lock"));
    fs::remove(folder / "lock");
    CHECK_FALSE(first.is_at(folder / "lock"));
}

TEST_CASE("platform: names of temporary files are told from others") {
    const fs::path file = "/srv/model.safetensors";
    CHECK(platform::is_temporary(platform::temporary_beside(file)));
    CHECK(platform::temporary_beside(file).parent_path() == "/srv");
    for (const char* name : {"a.tmp-", "a.tmp-1", "a.tmp-1-", "a.tmp-1-2x", "tmp-1-2", ".tmp-1-2", "a.tmp-x-2"})
        CHECK_FALSE(platform::is_temporary(name));
}

TEST_CASE("platform: this process runs, from its file, and has memory") {
    CHECK(platform::process_runs(platform::process_id()));
    CHECK(fs::is_regular_file(platform::program_file()));
    CHECK(platform::resident_memory_mb() > 0.0);
    CHECK(platform::peak_memory_mb() >= 1.0);
}

TEST_CASE("another program is given its input, and what it says against it is told") {
    using platform::run_program;
    const std::string shell = platform::find_program("sh").string();
    REQUIRE(shell != "");
    CHECK(platform::find_program("glassformer-no-such-program").empty());
    const TemporaryFolder folder;
    const std::string file = (folder / "copy").string();
    const std::string input(1 << 20, 'x');  // more than a pipe holds
    std::string said = "before";
    CHECK(run_program({shell, "-c", "cat >" + file + "; echo ignored"}, input, said));
    CHECK(said == "");
    CHECK(read_file(file, 1 << 21) == input);
    CHECK_FALSE(run_program({shell, "-c", "echo no >&2; exit 4"}, input, said));  // it reads nothing
    CHECK(said == "no");
    CHECK_FALSE(run_program({"/no/such/program"}, {}, said));
    CHECK(said != "");
    CHECK_FALSE(run_program({shell, "-c", "kill -9 $$"}, {}, said));
    // One that leaves something in the background is not waited for.
    CHECK(run_program({shell, "-c", "sleep 30 & echo $! >" + file}, {}, said));
    ::kill(std::atoi(read_file(file, 100).c_str()), SIGKILL);
}
