// The program as it is built without its window (GLASSFORMER_APP is off).
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

using namespace glassformer;

TEST_CASE("without a window: what would draw says so in one line, what measures the window in a note") {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{}, {"shot", "x.png"}, {"gallery", "x.png"}}) {
        const Ran ran = run(command);
        CHECK(ran.code == 1);
        CHECK(ran.one_line());
        CHECK(ran.says("this build has no window"));
    }
    const Ran bench = run({"bench", "--json", "--only", "frames,tracing"});
    REQUIRE(bench.code == 0);
    const nlohmann::json figures = nlohmann::json::parse(bench.out);
    CHECK(figures["frames"]["note"].get<std::string>().find("no window") != std::string::npos);
    CHECK(figures["tracing"]["forward_ms"].get<double>() > 0.0);
}
