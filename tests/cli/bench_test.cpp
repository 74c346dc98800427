// The benchmark program (tests/bench).
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/contains.h"
#include "tests/cli/program.h"

using namespace glassformer;

namespace {

Ran bench(const std::vector<std::string>& arguments) { return run(arguments, {.program = GLASSFORMER_BENCH}); }

void check_refused(const std::vector<std::string>& arguments, const std::string& why) {
    const Ran ran = bench(arguments);
    CAPTURE(ran.err);
    CHECK(ran.code != 0);
    CHECK(ran.out == "");
    CHECK(ran.says(why));
}

}  // namespace

TEST_CASE("bench: prints the requested parts as JSON or as a table") {
    const Ran ran = bench({"--json", "--only", "tracing"});
    REQUIRE(ran.code == 0);
    const nlohmann::json figures = nlohmann::json::parse(ran.out);
    CHECK(figures.size() == 2);  // and the peak memory
    CHECK(figures["tracing"]["forward_ms"].get<double>() > 0.0);
    const Ran table = bench({"--only", "tracing,scaling"});
    CHECK(table.code == 0);
    CHECK(contains(table.out, "  forward_ms "));
    CHECK(contains(table.out, "attention_ms_slope"));
}

TEST_CASE("bench: works with OpenGL, or on the CPU if there is none") {
    const Ran ran = bench({"--json", "--backend", "gl", "--only", "dispatch"});
    REQUIRE(ran.code == 0);
    const nlohmann::json figures = nlohmann::json::parse(ran.out);
    if (!figures.contains("open_gl")) return;
    CHECK(figures["open_gl"].size() == 1);
    CHECK(figures["open_gl"]["dispatch_us"].get<double>() > 0.0);
}

TEST_CASE("bench: an option that nothing would read is refused, not ignored") {
    for (const char* model : {"-inf", "1e999"})
        check_refused({"--only", "gpt2", std::string("--model=") + model}, "--model");
    check_refused({"--backend", "gl", "--model", "homonyms"}, "--model");
    check_refused({"--only", "dispatch"}, "OpenGL");
    check_refused({"--backend", "gl", "--only", "gpt2"}, "gpt2");
    check_refused({"--only", "gpt2", "--minutes", "3"}, "--minutes");
    check_refused({"--only", "gpt2", "--full"}, "--full");
    check_refused({"--only", "opened"}, "--model");
    check_refused({"--only", "speed"}, "speed");
}
