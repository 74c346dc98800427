// `glassformer lesson`: its messages for authors, and the files it writes for teachers.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/program.h"
#include "tests/core/png_file.h"
#include "tests/ui/published_folder.h"

using namespace glassformer;

TEST_CASE("lesson check: a good lesson passes, and an error is reported with its line and exit code 1") {
    const TemporaryFolder folder;
    const std::string head = "lesson: Try\nmodel: induction\n== One\nA: ka mo fe ka mo\n";
    write(folder / "good.lesson", head + "claim: {length} = 5\n\nIt has {length}.\n");
    write(folder / "wrong.lesson", head + "claim: {length} = 6\n\nIt has {length}.\n");
    const Ran good = run({"lesson", "check", (folder / "good.lesson").string()});
    CHECK(good.code == 0);
    CHECK(contains(good.out, "1 step, problems found: 0"));
    const Ran wrong = run({"lesson", "check", (folder / "wrong.lesson").string()});
    CHECK(wrong.code == 1);
    CHECK(contains(wrong.out, "wrong:5: step 1: the text says that {length} = 6, and here it is 5 = 6"));
    const Ran fresh = run({"lesson", "check", (folder / "good.lesson").string(), "--seeds", "5..4"});
    CHECK(fresh.code == 2);
    CHECK(contains(fresh.err, "--seeds"));
    const Ran none = run({"lesson", "check", "no_such_lesson"});
    CHECK(none.code == 1);
    CHECK(contains(none.err, "no_such_lesson"));
}

TEST_CASE("lesson check: a lesson about a user's own model is checked on that model") {
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
    CHECK(contains(with.out, "1 step, problems found: 0"));
    CHECK(run({"lesson", "sheet", lesson, "--model", model, "--out", (folder / "sheet.html").string()}).code == 0);
    CHECK(contains(contents(folder / "sheet.html"), "<h1>Mine</h1>"));
    CHECK(contains(contents(folder / "sheet.html"), "<p>1 step, 0 questions. "));
}

TEST_CASE("lesson check: errors in another lesson of the folder are not reported") {
    const TemporaryFolder folder;
    const std::string step = "\n== One\nA: ka mo fe ka mo\n";
    write(folder / "good.lesson", "lesson: Good\nmodel: induction\n" + step + "\nIt has {length}.\n");
    write(folder / "bad.lesson", "lesson: Bad\n" + step + "view: Nowhere\n\nText.\n");
    const Ran good = run({"lesson", "check", (folder / "good.lesson").string()});
    CAPTURE(good.out);
    CHECK(good.code == 0);
    CHECK(contains(good.out, "1 step, problems found: 0"));
    CHECK(!contains(good.out, "Nowhere"));
    CHECK(run({"lesson", "check", (folder / "bad.lesson").string()}).says("bad:5: view: there is no view \"Nowhere\""));
}

// These once timed out after five minutes, without a reason.
TEST_CASE("lesson check: a model that cannot be created is reported with its line and the reason") {
    const TemporaryFolder folder;
    const std::string sentence = "A: He swung the bat and hit a foul.\n", lesson = (folder / "try.lesson").string();
    for (const auto& [model, why] : {std::pair{"fresh homonyms with n_layer 3", "there is no setting \"n_layer\""},
                                     {"fresh homonyms with n_layers -3", "\"n_layers\" is out of range"},
                                     {"fresh homonyms with longest 1", "of length 1 or less"}}) {
        const std::string line = std::string("model: ") + model;
        CAPTURE(line);
        write(lesson, "lesson: Try\n" + line + "\n\n== One\n" + sentence + "\n{length} words.\n");
        const Ran begins = run({"lesson", "check", lesson});
        CAPTURE(begins.err);
        CHECK(begins.code == 1);
        CHECK(begins.one_line());
        CHECK(begins.says("did not start: " + line + ": "));
        CHECK(begins.says(why));
        CHECK_FALSE(begins.says("--model"));
        write(lesson, "lesson: Try\nmodel: homonyms\n\n== One\n" + sentence + "claim: {length} = 3\n\nSo.\n\n== Two\n" +
                          line + "\n" + sentence + "\nSo.\n\n== Three\n\nSo.\n");
        const Ran later = run({"lesson", "check", lesson});
        CAPTURE(later.out);
        CHECK(later.code == 1);
        CHECK(contains(later.out, "try:6: step 1: the text says that {length} = 3"));
        CHECK(contains(later.out, "try:10: step 2: " + line + ": "));
        CHECK(contains(later.out, why));
        CHECK(contains(later.out, "the steps after it were not checked"));
        // A sheet is complete or not written at all.
        const Ran sheet = run({"lesson", "sheet", lesson, "--out", (folder / "sheet.html").string()});
        CHECK(sheet.code == 1);
        CHECK(sheet.says(why));
        CHECK_FALSE(std::filesystem::exists(folder / "sheet.html"));
    }
}

TEST_CASE("lesson check: an unknown model in a beside field is named") {
    const TemporaryFolder folder;
    write(folder / "try.lesson",
          "lesson: Try\nmodel: induction\n\n== One\nA: ka mo fe ka mo\nbeside: model nosuch\n\nSo.\n");
    const Ran ran = run({"lesson", "check", (folder / "try.lesson").string()});
    CAPTURE(ran.out);
    CHECK(ran.code == 1);
    CHECK(contains(ran.out, "try:4: step 1: beside: there is no shipped model \"nosuch\""));
}

TEST_CASE("lesson check: what a step needs and the model does not have is reported once") {
    const TemporaryFolder folder;
    const std::string lesson = (folder / "try.lesson").string(), head = "lesson: Try\nmodel: homonyms\n\n== One\n";
    const auto found = [&](const std::string& step) {
        write(lesson, step);
        const Ran ran = run({"lesson", "check", lesson});
        const std::size_t end = ran.out.find("1280 × 720: ");
        return ran.err + ran.out.substr(0, end);
    };
    const auto count = [](const std::string& all) { return std::ranges::count(all, '\n'); };
    const std::string bat = "A: He swung the bat and hit a foul.\n",
                      dragon = "A: He swung the dragon and hit a foul.\n", next = "\n== Two\n\nSo.\n";
    std::string all = found(head + dragon + "word A: dragon\n\nWhere does **dragon** look?\n" + next);
    CAPTURE(all);
    CHECK(contains(all, "try:4: step 1: A: the model does not know \"dragon\""));
    CHECK(count(all) == 1);  // the next step inherits the sentence
    // A step may be about a word that is not in the vocabulary.
    CHECK(found(head + dragon + "word A: foul\n\nThis language has no **dragon**.\n") == "");
    for (const auto& [field, what] :
         {std::pair{"step: 5000", "step: 5000: the last kept step of the model is 1200"},
          {"beside: step 5000", "beside: step 5000: the last kept step of the model is 1200"},
          {"meaning map: 7", "meaning map: 7: the model has 2 blocks, the first of which is 0"},
          {"generate: 3 words", "generate: the model does not generate text"},
          {"look at: source", "look at: source: the model does not translate"},
          {"view: Generate", "view: Generate: the model on the screen does not have it"}}) {
        all = found(head + bat + field + "\n\nSo.\n" + next);
        CAPTURE(field);
        CAPTURE(all);
        CHECK(contains(all, std::string("try:4: step 1: ") + what));
        CHECK(count(all) == 1);
    }
    CHECK(found(head + bat + "step: 600\nmeaning map: 1\n\nSo.\n") == "");
}

TEST_CASE("lesson sheet: a page with the lesson's numbers and the right answers") {
    const TemporaryFolder folder;
    const std::string page = (folder / "sheet.html").string();
    const Ran ran = run({"lesson", "sheet", "2_weighted_average", "--out", page});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    const std::string html = contents(page);
    CHECK(contains(html, "<h1>Attention is a weighted average</h1>"));
    for (const char* part : {"Aim: each student can answer “What does attention do", "about 10 minutes",
                             "<h2>What goes wrong</h2>", "<h2>Exercises</h2>", "0.494"}) {
        CAPTURE(part);
        CHECK(contains(html, part));
    }
    CHECK(contains(html, "<li class=\"right\">1.5</li>"));
    CHECK(run({"lesson", "sheet", "2_weighted_average"}).code == 1);
}

TEST_CASE("lesson sheet: a model without a world is named by its folder, and no aim is printed if there is none") {
    const TemporaryFolder folder;
    const std::string lesson = (folder / "any.lesson").string(), page = (folder / "sheet.html").string();
    write(lesson, "lesson: Any\n\n== One\nA: he hit the ▢\n\nIt has {length} tokens.\n");
    REQUIRE(run({"lesson", "sheet", lesson, "--model", bert_folder(folder).string(), "--out", page}).code == 0);
    CHECK(contains(contents(page), "<p class=\"model\">model: bert</p>"));
    CHECK(!contains(contents(page), "Aim:"));
}

TEST_CASE("lesson sheet: stars and formulas mean what they mean on the screen") {
    const TemporaryFolder folder;
    const std::string lesson = (folder / "mine.lesson").string(), page = (folder / "sheet.html").string();
    write(lesson,
          "lesson: Mine\nmodel: induction\ngoes wrong: **k** & $W_K$\n\n== One\nA: ka mo fe ka mo\n\n"
          "$e^((a + b)/2)$ and $d_k·x < y$. It costs $5, not {length} + $6, **open.\n\nStill {length}.\n");
    REQUIRE(run({"lesson", "sheet", lesson, "--out", page}).code == 0);
    const std::string html = contents(page);
    CAPTURE(html);
    for (const char* part :
         {"<p><var>e<sup>(a + b)/2</sup></var> and <var>d<sub>k</sub>·x &lt; y</var>. It costs $5, "
          "not <i>5</i> + $6, <b>open.</b></p>\n",
          "<p><b>Still </b><b><i>5</i></b><b>.</b></p>\n", "<li><b>k</b> &amp; <var>W<sub>K</sub></var></li>"})
        CHECK(contains(html, part));
}

TEST_CASE("lesson sheet: the lesson's pictures are embedded, and lesson check reports a missing one") {
    const TemporaryFolder folder;
    write(folder / "mine.lesson",
          "lesson: Mine\nmodel: induction\n== One\nA: ka mo fe ka mo\n\nBefore it.\n\n![a <bat>](bat.png)\n\nBehind "
          "it.\n");
    const std::string lesson = (folder / "mine.lesson").string(), page = (folder / "sheet.html").string();
    const Ran without = run({"lesson", "sheet", lesson, "--out", page});
    CHECK(without.code == 0);
    CHECK(contains(without.err, "mine:8: picture: bat.png: there is no such file"));
    CHECK(contains(contents(page), "<figure><figcaption>a &lt;bat&gt;"));
    const Ran missing = run({"lesson", "check", lesson});
    CHECK(missing.code == 1);
    CHECK(contains(missing.out, "mine:8: step 1: picture: bat.png: there is no such file"));
    write(folder / "bat.png", png_of(3, 1, 0));
    CHECK(run({"lesson", "check", lesson}).code == 0);
    const Ran with = run({"lesson", "sheet", lesson, "--out", page});
    CHECK(with.err == "");
    // The page is self-contained.
    const std::string html = contents(page);
    CHECK(
        contains(html, "<p>Before it.</p>\n<figure><img alt=\"\" width=\"3\" src=\"data:image/png;base64,iVBORw0KGgo"));
    CHECK(contains(html, "</figure>\n<p>Behind it.</p>"));
}
