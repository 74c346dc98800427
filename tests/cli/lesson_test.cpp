// `glassformer lesson`: what it tells authors, and what it writes for teachers.
#include <doctest/doctest.h>

#include "tests/cli/program.h"
#include "tests/core/png_file.h"

using namespace glassformer;

TEST_CASE("lesson check: a good lesson passes, and what is wrong is told with its line and exit code 1") {
    const TemporaryFolder folder;
    const std::string head = "lesson: Try\nmodel: induction\n== One\nA: ka mo fe ka mo\n";
    write(folder / "good.lesson", head + "claim: {length} = 5\n\nIt has {length}.\n");
    write(folder / "wrong.lesson", head + "claim: {length} = 6\n\nIt has {length}.\n");
    const Ran good = run({"lesson", "check", (folder / "good.lesson").string()});
    CHECK(good.code == 0);
    CHECK(good.out.find("1 steps, 0 found") != std::string::npos);
    const Ran wrong = run({"lesson", "check", (folder / "wrong.lesson").string()});
    CHECK(wrong.code == 1);
    CHECK(wrong.out.find("wrong:5: step 1: the text says that {length} = 6, and here it is 5 = 6") !=
          std::string::npos);
    const Ran fresh = run({"lesson", "check", (folder / "good.lesson").string(), "--seeds", "5..4"});
    CHECK(fresh.code == 2);
    CHECK(fresh.err.find("--seeds") != std::string::npos);
    const Ran none = run({"lesson", "check", "no_such_lesson"});
    CHECK(none.code == 1);
    CHECK(none.err.find("no_such_lesson") != std::string::npos);
}

TEST_CASE("lesson check: a lesson on a model of one's own is checked on that model") {
    const TemporaryFolder folder;
    std::string grammar = contents(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar");
    write(folder / "zoo.grammar", grammar);
    const std::string model = (folder / "model").string(), lesson = (folder / "mine.lesson").string();
    REQUIRE(run({"train", "--world", (folder / "zoo.grammar").string(), "--steps", "2", "--out", model}).code == 0);
    std::filesystem::remove(folder / "zoo.grammar");
    write(folder / "mine.lesson", "lesson: Mine\nmodel: zoo\n== One\nA: A bat flew.\n\nIt has {length}, at {step}.\n");
    const Ran without = run({"lesson", "check", lesson});
    CHECK(without.code == 1);
    CHECK(without.says("it needs \"zoo\"; give that with --model"));
    const Ran with = run({"lesson", "check", lesson, "--model", model});
    CHECK(with.code == 0);
    CHECK(with.out.find("1 steps, 0 found") != std::string::npos);
    CHECK(run({"lesson", "sheet", lesson, "--model", model, "--out", (folder / "sheet.html").string()}).code == 0);
    CHECK(contents(folder / "sheet.html").find("<h1>Mine</h1>") != std::string::npos);
}

TEST_CASE("lesson sheet: a page with the lesson's numbers and the right answers") {
    const TemporaryFolder folder;
    const std::string page = (folder / "sheet.html").string();
    const Ran ran = run({"lesson", "sheet", "2_weighted_average", "--out", page});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    const std::string html = contents(page);
    CHECK(html.find("<h1>Attention is a weighted average</h1>") != std::string::npos);
    for (const char* part : {"Aim: each student can answer “What does attention do", "about 10 minutes",
                             "<h2>What goes wrong</h2>", "<h2>Exercises</h2>", "0.494"}) {
        CAPTURE(part);
        CHECK(html.find(part) != std::string::npos);
    }
    CHECK(html.find("<li class=\"right\">1.5</li>") != std::string::npos);
    CHECK(run({"lesson", "sheet", "2_weighted_average"}).code == 1);
}

TEST_CASE("lesson sheet: it has the lesson's pictures in it, and lesson check tells of one that is missing") {
    const TemporaryFolder folder;
    write(folder / "mine.lesson",
          "lesson: Mine\nmodel: induction\n== One\nA: ka mo fe ka mo\n\nBefore it.\n\n![a <bat>](bat.png)\n\nBehind "
          "it.\n");
    const std::string lesson = (folder / "mine.lesson").string(), page = (folder / "sheet.html").string();
    const Ran without = run({"lesson", "sheet", lesson, "--out", page});
    CHECK(without.code == 0);
    CHECK(without.err.find("mine:8: picture: bat.png: there is no such file") != std::string::npos);
    CHECK(contents(page).find("<figure><figcaption>a &lt;bat&gt;") != std::string::npos);
    const Ran missing = run({"lesson", "check", lesson});
    CHECK(missing.code == 1);
    CHECK(missing.out.find("mine:8: step 1: picture: bat.png: there is no such file") != std::string::npos);
    write(folder / "bat.png", png_of(3, 1, 0));
    CHECK(run({"lesson", "check", lesson}).code == 0);
    const Ran with = run({"lesson", "sheet", lesson, "--out", page});
    CHECK(with.err == "");
    // Nothing beside the page is needed to see it.
    const std::string html = contents(page);
    CHECK(html.find("<p>Before it.</p>\n<figure><img alt=\"\" width=\"3\" src=\"data:image/png;base64,iVBORw0KGgo") !=
          std::string::npos);
    CHECK(html.find("</figure>\n<p>Behind it.</p>") != std::string::npos);
}
