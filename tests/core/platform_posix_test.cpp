#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include "core/platform/atomic_file.h"
#include "core/platform/program.h"
#include "core/platform/user_folders.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("platform: the user's folders follow the XDG specification, and relative paths are ignored") {
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

TEST_CASE("another program is given its input, and its error output is reported") {
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
    // A process left in the background is not waited for.
    CHECK(run_program({shell, "-c", "sleep 30 & echo $! >" + file}, {}, said));
    ::kill(std::atoi(read_file(file, 100).c_str()), SIGKILL);
}
