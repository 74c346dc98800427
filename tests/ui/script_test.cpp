#include "app/script/script.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.h"
#include "tests/core/error_of.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string error_of(const std::string& source) {
    return glassformer::error_of([&] { parse_script(source, "demo.script"); });
}

}  // namespace

TEST_CASE("a script's commands are parsed, with quotes and comments") {
    const Script script = parse_script(
        "# a comment\n\nclick \"A / bat\"  # here\n  drag slider 10 -4\ndrag a to \"b c\"\nkey Ctrl+Shift++\n"
        "wait step >= 500 timeout 20\nexpect loss == 0.5 tolerance 0.01\ntype \"say \\\"hi\\\"\"\nshot out.png\r\nwait "
        "x\nshot \"C:\\new\\a b.png\"\n",
        "s");
    REQUIRE(script.commands.size() == 10);
    CHECK(script.commands[0].item == "A / bat");
    CHECK(script.commands[0].line == 3);
    CHECK(script.commands[1].y == -4);
    CHECK(script.commands[2].text == "b c");
    CHECK(script.commands[3].ctrl);
    CHECK(script.commands[3].shift);
    CHECK(script.commands[3].key == Key::equal);
    CHECK(script.commands[4].limit == 20);
    CHECK(script.commands[4].op == ScriptCommand::Op::greater_equal);
    CHECK(script.commands[5].limit == 0.01);
    CHECK(script.commands[6].text == "say \"hi\"");
    CHECK(script.commands[7].item == "out.png");
    CHECK(script.commands[8].verb == ScriptCommand::Verb::wait_item);
    CHECK(script.commands[9].item == "C:\\new\\a b.png");
}

TEST_CASE("an error in a script names the file, the line and the word") {
    CHECK(contains(error_of("click a\nclack b\n"), "demo.script:2: there is no command \"clack\""));
    CHECK(contains(error_of("click"), "demo.script:1: missing an item"));
    CHECK(contains(error_of("click a b"), "\"b\" was not expected"));
    CHECK(contains(error_of("click \"a"), "is not closed"));
    CHECK(contains(error_of("key Banana"), "\"Banana\""));
    CHECK(contains(error_of("drag a x 3"), "\"x\" is not a number"));
    CHECK(contains(error_of("wait a = 3"), "\"=\" is not a comparison"));
    CHECK(contains(error_of("wait a < many"), "\"many\" is not a number"));
    CHECK(contains(error_of("wait a == 3 timeout soon"), "\"soon\" is not a number"));
    CHECK(contains(error_of("frames 0"), "between 1 and"));
    for (const char* none : {"nan", "+nan", "-NaN", "inf", "1e999"}) {
        CHECK(contains(error_of(std::string("wait a timeout ") + none), "is not a number"));
        CHECK(contains(error_of(std::string("wait a > 1 timeout ") + none), "is not a number"));
        CHECK(contains(error_of(std::string("scroll a ") + none), "is not a number"));
        CHECK(contains(error_of(std::string("wait a < ") + none), "is not a number"));
    }
    CHECK(contains(error_of("wait a timeout 1e30"), "between 0 and 86400"));
    CHECK(contains(error_of("wait a timeout -1"), "between 0 and 86400"));
    CHECK(contains(error_of("lesson bats 1e30"), "between 1 and 1000000"));
    CHECK_THROWS_AS(load_script("/dev/zero"), Error);
    CHECK_THROWS_AS(load_script("/tmp"), Error);
    CHECK_THROWS_AS(load_script("/nonexistent/x.script"), Error);
}
