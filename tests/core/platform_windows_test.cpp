#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/program.h"
#include "core/platform/user_folders.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("platform: the user's folders are in AppData, unless an XDG variable names others") {
    const SetVariable roaming("APPDATA", "C:\\Users\\ada\\AppData\\Roaming"),
        no_config("XDG_CONFIG_HOME", std::nullopt);
    const SetVariable local("LOCALAPPDATA", "C:\\Users\\ada\\AppData\\Local"), no_cache("XDG_CACHE_HOME", std::nullopt);
    CHECK(platform::config_folder() == "C:\\Users\\ada\\AppData\\Roaming\\glassformer");
    CHECK(platform::cache_folder() == "C:\\Users\\ada\\AppData\\Local\\glassformer\\cache");
    const SetVariable config("XDG_CONFIG_HOME", "D:\\x"), cache("XDG_CACHE_HOME", "relative");
    CHECK(platform::config_folder() == "D:\\x\\glassformer");
    CHECK(platform::cache_folder() == "C:\\Users\\ada\\AppData\\Local\\glassformer\\cache");
}

TEST_CASE("platform: another program is given its input, and its error output is reported") {
    using platform::run_program;
    const std::string shell = platform::find_program("cmd").string();
    REQUIRE(shell != "");
    CHECK(platform::find_program("glassformer-no-such-program").empty());
    std::string said = "before";
    CHECK(run_program({shell, "/c", "echo", "ignored"}, {}, said));
    CHECK(said == "");
    CHECK_FALSE(
        run_program({shell, "/c", "echo", "no>&2&exit", "4"}, std::string(1 << 20, 'x'), said));  // it reads nothing
    CHECK(said == "no");
    CHECK_FALSE(run_program({"C:\\no\\such\\program.exe"}, {}, said));
    CHECK(said != "");
    CHECK_FALSE(run_program({shell, "/c", "for", "/l", "%i", "in", "(0,0,1)", "do", "@rem"}, {}, said,
                            std::chrono::seconds(1)));
    CHECK(said == "it did not finish in time");
}

TEST_CASE("platform: a file can be replaced while another part of the program reads it") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "a", "old");
    const platform::RegularFile reader(folder / "a", 10);
    write_file_atomically(folder / "a", "newer");
    std::string text(10, '\0');
    text.resize(reader.read(0, text));
    CHECK(text == "old");
    CHECK(read_file(folder / "a", 10) == "newer");
}

TEST_CASE("platform: a folder that cannot be renamed while a file in it is open is not reported as missing") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "new");
    write_file_atomically(folder / "new" / "a", "text");
    const platform::RegularFile scanned(folder / "new" / "a", 10);
    CHECK(platform::rename_over(folder / "new", folder / "in place") != ENOENT);
}
