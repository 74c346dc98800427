#include <sys/stat.h>

#include "tests/cli/program.h"

using namespace glassformer;

TEST_CASE("without a display the window fails with an error of one line") {
    const Ran ran = run({}, no_screen);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("no display"));
}

TEST_CASE("an endless script, or one from a pipe without a writer, is reported") {
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
