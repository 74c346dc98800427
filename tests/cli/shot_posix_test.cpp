#include <sys/stat.h>

#include "tests/cli/program.h"

using namespace glassformer;

TEST_CASE("without a display the window is refused in one line") {
    const Ran ran = run({}, no_screen);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("no display"));
}

TEST_CASE("a script that has no end, or that nobody writes, is told") {
    const TemporaryFolder folder;
    const std::string png = (folder / "x.png").string(), pipe = (folder / "pipe").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& odd : {std::string("/dev/zero"), pipe}) {
        const Ran ran = run({"shot", png, "--size", "64x64", "--script", odd});
        CAPTURE(ran.err);
        CHECK(ran.code == 1);
        CHECK(ran.one_line());
        CHECK(ran.says(odd));
        CHECK_FALSE(std::filesystem::exists(png));
    }
}
