// The program built without its window (GLASSFORMER_APP is off).
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

using namespace glassformer;

TEST_CASE("without a window: commands that would draw say so in one line") {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{}, {"shot", "x.png"}, {"gallery", "x.png"}}) {
        const Ran ran = run(command);
        CHECK(ran.code == 1);
        CHECK(ran.one_line());
        CHECK(ran.says("this build has no window"));
    }
}
