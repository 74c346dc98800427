#include <doctest/doctest.h>

#include "tests/cli/program.h"

using namespace glassformer;

TEST_CASE("shot draws the window without a display, and plays a script") {
    const TemporaryFolder folder;
    write(folder / "demo.script",
          "click \"B/token 4\"\nprint \"B/token 4\"\nshot " + (folder / "first.png").string() + "\n");
    const Ran ran = run({"shot", (folder / "last.png").string(), "--size", "1280x800", "--theme", "dark", "--script",
                         (folder / "demo.script").string()},
                        no_screen);
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    CHECK(contains(ran.out, "B/token 4 = 1 \"bat\""));
    for (const char* file : {"first.png", "last.png"}) CHECK(contents(folder / file).starts_with("\x89PNG"));
}

TEST_CASE("an error in a script or a picture is reported with its place") {
    const TemporaryFolder folder;
    const auto fails = [&](const std::vector<std::string>& arguments, const std::string& part) {
        const Ran ran = run(arguments);
        CAPTURE(ran.err);
        CHECK(ran.code == 1);
        CHECK(ran.one_line());
        CHECK(ran.says(part));
        CHECK_FALSE(std::filesystem::exists(folder / "x.png"));
    };
    const std::string script = (folder / "bad.script").string(), png = (folder / "x.png").string();
    write(script, "click train\nclack train\n");
    fails({"shot", png, "--script", script}, script + ":2: there is no command \"clack\"");
    write(script, "# nothing\n\nclick \"no such item\"\n");
    fails({"shot", png, "--size", "640x400", "--script", script}, script + ":3: ");
    fails({"shot", png, "--script", (folder / "none").string()}, (folder / "none").string());
    fails({"shot", png, "--size", "64x64", "--script", folder.path().string()}, folder.path().string());
    write(script, "wait train timeout nan\n");
    fails({"shot", png, "--size", "64x64", "--script", script}, "\"nan\" is not a number");
    fails({"shot", (folder / "missing" / "x.png").string(), "--size", "64x64"},
          (folder / "missing" / "x.png").string());
    fails({"shot", png, "--model", (folder / "none").string()}, (folder / "none").string());
    fails({"shot", png, "--size", "64x64", "--text", ""}, "the text has no word");
    fails({"shot", (folder / "x.gif").string()}, "x.gif must end in .png, or for a panel (--panel) in .png, .svg, ");
    fails({"shot", (folder / "x.svg").string()}, "x.svg name a panel with --panel");
}
