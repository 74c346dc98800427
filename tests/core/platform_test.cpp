#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/mapped_file.h"
#include "core/platform/process.h"
#include "core/platform/system_error.h"
#include "tests/contains.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// True if a line of a source file calls the operating system itself.
bool calls_the_system(const std::string& line) {
    static constexpr std::array headers{"<unistd.h>",  "<fcntl.h>",    "<sys/",       "<csignal>",   "<signal.h>",
                                        "<dlfcn.h>",   "<pwd.h>",      "<termios.h>", "<poll.h>",    "<pthread.h>",
                                        "<sched.h>",   "<spawn.h>",    "<dirent.h>",  "<windows.h>", "<io.h>",
                                        "<process.h>", "<ucontext.h>", "<langinfo.h>"};
    static constexpr std::array calls{"getenv(\"HOME", "getenv(\"XDG_", "\"/proc/", "syscall("};
    const auto has = [&](const char* part) { return contains(line, part); };
    if (line.starts_with("#include")) return std::ranges::any_of(headers, has);
    return std::ranges::any_of(calls, has);
}

/// True if a line of a test itself chooses a path among the temporary files.
bool chooses_a_temporary_place(const std::string& line) {
    static const std::array ways{std::string("temp_directory_") + "path()", std::string("\"/") + "tmp/"};
    return std::ranges::any_of(ways, [&](const std::string& way) { return contains(line, way); });
}

/// Returns "file:line: text" for every line in a folder, except in the file or folder `but`, for which `told` is true.
std::vector<std::string> lines_in(const fs::path& folder, const fs::path& but, bool (*told)(const std::string&)) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".cpp" && file.extension() != ".h") continue;
        if (file == but || file.generic_string().starts_with(but.generic_string() + "/")) continue;
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

TEST_CASE("platform: only core/platform and app/window call the operating system") {
    const fs::path source = GLASSFORMER_SOURCE_DIR;
    CHECK(all(lines_in(source / "core", source / "core/platform", calls_the_system)) == "");
    CHECK(all(lines_in(source / "app", source / "app/window", calls_the_system)) == "");
    // The search does find such lines.
    CHECK(lines_in(source / "core", source / "core/none", calls_the_system).size() > 5);
}

// Two tests that run in parallel would delete each other's files.
TEST_CASE("platform: no test has a fixed path for temporary files; each takes a TemporaryFolder") {
    const fs::path tests = fs::path(GLASSFORMER_SOURCE_DIR) / "tests", own = tests / "core/temporary_folder.h";
    CHECK(all(lines_in(tests, own, chooses_a_temporary_place)) == "");
    CHECK(lines_in(tests, tests / "none", chooses_a_temporary_place).size() == 1);
}

TEST_CASE("platform: one program at a time holds a lock, and an open file knows if its path was replaced") {
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

TEST_CASE("platform: a file that another program uses or that cannot be reached has a message of its own") {
    const auto message = [](int error) { return error_of([&] { platform::fail_to("read", "a.csv", error); }); };
    CHECK(message(EBUSY) == "cannot read \"a.csv\": another program is using it; close it there and try again");
    CHECK(
        message(ENETUNREACH) ==
        "cannot read \"a.csv\": it is on a network or cloud drive that cannot be reached; check the connection and try "
        "again");
}

TEST_CASE("platform: names of temporary files are recognized") {
    const fs::path file = "/srv/model.safetensors";
    CHECK(platform::is_temporary(platform::temporary_beside(file)));
    CHECK(platform::temporary_beside(file).parent_path() == "/srv");
    for (const char* name : {"a.tmp-", "a.tmp-1", "a.tmp-1-", "a.tmp-1-2x", "tmp-1-2", ".tmp-1-2", "a.tmp-x-2"})
        CHECK_FALSE(platform::is_temporary(name));
}

TEST_CASE("platform: this process runs, its program file exists, and its memory is measured") {
    CHECK(platform::process_runs(platform::process_id()));
    CHECK(fs::is_regular_file(platform::program_file()));
    CHECK(platform::resident_memory_mb() > 0.0);
    CHECK(platform::peak_memory_mb() >= 1.0);
}

TEST_CASE("platform: names in any script, also beyond 260 characters, can be written, replaced, locked and mapped") {
    const TemporaryFolder folder;
    fs::path name = folder / "Zoë Müller 王 🦇";
    fs::create_directory(name);
    if (!on_windows) name /= std::string(250, 'l');  // there only files may have longer ones, unless the user allows it
    fs::create_directory(name);
    name /= std::string(200, 'n') + "ö.txt";
    write_file_atomically(name, "old");
    const platform::MappedFile mapped(name);
    write_file_atomically(name, "new");
    CHECK(mapped.bytes()[0] == std::byte{'o'});
    CHECK(read_file(name, 10) == "new");
    const platform::File open(name, platform::OpenFor::changing, "lock", name);
    bool taken = false;
    CHECK(open.try_lock(taken));
    CHECK(taken);
    CHECK(open.is_at(name));
    CHECK(fs::path(name.string()) == name);
}
