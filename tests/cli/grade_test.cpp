#include <doctest/doctest.h>

#include <map>

#include "core/io/zip_file.h"
#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

constexpr const char* homework =
    "lesson: Take apart\nmodel: homonyms\n\n== Silence\nA: the bat hit the ball .\n"
    "task: {A: size_attention[0] \"bat\"} < 0.001 and {changes} = 1\n\nLet block 0 add nothing.\n\n"
    "== Count\nchoice: five when {A: length} = 5\nchoice: six when {A: length} = 6\n\nHow many words?\n---\n\nSo "
    "many.\n\n"
    "== Learn\nmodel: fresh homonyms\nA: the bat hit the ball .\ntask: {step} = 12 and {loss} < 7\n\nTrain a "
    "little.\n";

constexpr const char* silence = "{\"change\":\"attention off\",\"block\":0}";

std::string scene(const std::string& changes, const std::string& sentence = "the bat hit the ball .") {
    return "{\"scene\":{\"sentences\":[\"" + sentence + "\",\"a bat\"],\"what_if\":[" + changes + "]}}";
}

/// Builds answers.json from the first task's evidence, the guess, and further tasks.
std::string answers(const std::string& student, const std::string& evidence, int guess = 1,
                    const std::string& more = "", const std::string& lesson = "apart") {
    return "{\"format\":\"glassformer homework\",\"version\":1,\"student\":\"" + student + "\",\"lesson\":\"" + lesson +
           "\",\"guesses\":[-1," + std::to_string(guess) +
           "],\"tasks\":{\"1\":{\"attempts\":2,\"hints\":1,\"done\":true" +
           (evidence.empty() ? "" : ",\"evidence\":" + evidence) + "}" + more + "}}";
}

/// Writes a file as a student hands it in, with these answers.
void hand_in(const fs::path& base, const fs::path& file, const std::string& answers, const std::string& lesson = {}) {
    std::vector<ZipEntry> entries;
    const ZipReader zip(base, {1 << 28, 1 << 28});
    for (const std::string& name : zip.names()) {
        if (name == "answers.json") continue;
        entries.push_back({name, zip.read(name, 1 << 28), entries.empty()});
        if (name == "lesson.lesson" && !lesson.empty()) entries.back().bytes = lesson;
    }
    entries.push_back({"answers.json", answers});
    write(file, to_zip(entries));
}

/// The lines of a table by file and step.
std::map<std::string, std::string> rows_of(const std::string& table) {
    std::map<std::string, std::string> rows;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream parts(line);
        for (std::string part; std::getline(parts, part, ',');) cells.push_back(part);
        if (cells.size() > 7) rows[cells[0] + " " + cells[3]] = line;
    }
    return rows;
}

bool is_right(const std::map<std::string, std::string>& rows, const std::string& which) {
    const auto found = rows.find(which);
    return found != rows.end() && contains(found->second, ",yes,yes,");
}

}  // namespace

TEST_CASE("grade replays a class's homework, and finds the forged files") {
    const TemporaryFolder folder;
    const fs::path lesson = folder / "apart.lesson", base = folder / "base.glass", papers = folder / "papers";
    fs::create_directory(papers);
    write(lesson, homework);
    Ran ran = run({"pack", "homonyms", base.string(), "--lesson", lesson.string()});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    constexpr int honest = 6;
    for (int i = 0; i < honest; ++i)
        hand_in(base, papers / ("honest-" + std::to_string(i) + ".glass"),
                answers("Student " + std::to_string(i), scene(silence)));
    // A task that trains. Its options are those of the world.
    const Ran options = run({"train", "--world", "homonyms", "--steps", "1", "--run", (folder / "run").string()});
    REQUIRE(options.code == 0);
    const std::string run_json = contents(folder / "run" / "run.json");
    const std::size_t at = run_json.find("\"options\":");
    REQUIRE(at != std::string::npos);
    std::size_t end = run_json.find('{', at);
    for (int depth = 0; end < run_json.size(); ++end) {
        depth += run_json[end] == '{' ? 1 : run_json[end] == '}' ? -1 : 0;
        if (depth == 0) break;
    }
    const std::string how = run_json.substr(at, end - at + 1);
    const auto trained = [&](const std::string& step) {
        return ",\"3\":{\"done\":true,\"evidence\":{\"scene\":{\"sentences\":[\"the bat hit the ball .\",\"a bat\"]},"
               "\"training\":{\"step\":" +
               step + "," + how + "}}}";
    };
    const auto forge = [&](const std::string& name, const std::string& text, const std::string& other_lesson = {}) {
        hand_in(base, papers / (name + ".glass"), text, other_lesson);
    };
    forge("trained", answers("Grace", scene(silence), 1, trained("12")));
    std::string changed = trained("12");
    changed.insert(changed.find("\"options\""), "\"changed\":\"batch 8\",");
    forge("changed", answers("Ada", scene(silence), 1, changed));
    forge("f-claims", answers("＝cmd()", ""));
    forge("f-also", answers("=cmd()", ""));
    forge("f-nothing", answers("Mallory", scene("")));
    forge("f-two", answers("Mallory", scene(std::string(silence) + ",{\"change\":\"MLP off\",\"block\":0}")));
    forge("f-sentence", answers("Mallory", scene(silence, "a bat flew .")));
    forge("f-wrong-guess", answers("Mallory", scene(silence), 0));
    forge("f-no-such-guess", answers("Mallory", scene(silence), 40));
    forge("f-forever", answers("Mallory", scene(silence), 1, trained("90000000")));
    forge("f-13", answers("Mallory", scene(silence), 1, trained("13")));
    forge("f-lesson", answers("Mallory", scene("")), "lesson: Easy\n\n== One\ntask: {step} >= 0\n\nEasy.\n");
    // A row of weights that no attention can have.
    forge("f-row", answers("Mallory", scene("{\"change\":\"attention row\",\"block\":0,\"head\":0,\"to\":\"itself\","
                                            "\"sentence\":\"A\",\"query\":0,\"weights\":[0,5,0,0,0,0]}")));
    // Another sentence's answer in place of this one's.
    forge("f-patch",
          answers("Mallory", scene("{\"change\":\"patch\",\"sentence\":\"A\",\"from\":{\"node\":"
                                   "\"logits\",\"position\":1},\"to\":{\"node\":\"logits\",\"position\":1}}")));
    forge("f-deep", "{\"format\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    forge("f-json", "{\"format\": \"glassformer homework\"");
    write(papers / "f-garbage.glass", "no zip at all");
    fs::copy_file(base, papers / "f-saved-only.glass");

    ran = run({"grade", papers.string(), "--lesson", lesson.string(), "--csv", (folder / "marks.csv").string()});
    CAPTURE(ran.err);
    CAPTURE(ran.out);
    REQUIRE(ran.code == 0);
    const std::string table = contents(folder / "marks.csv");
    CAPTURE(table);
    const auto rows = rows_of(table);
    for (int i = 0; i < honest; ++i) {
        const std::string name = "honest-" + std::to_string(i) + ".glass ";
        CHECK(is_right(rows, name + "1"));
        CHECK(is_right(rows, name + "2"));
    }
    CHECK(is_right(rows, "trained.glass 3"));
    CHECK_FALSE(is_right(rows, "changed.glass 3"));
    CHECK(contains(rows.at("changed.glass 3"), "the training's settings changed midway (batch 8)"));
    CHECK_FALSE(is_right(rows, "f-lesson.glass 1"));
    CHECK(contains(rows.at("f-lesson.glass 1"), "Mallory had has another task here"));
    for (const char* name : {"f-claims", "f-nothing", "f-two", "f-sentence"}) {
        CAPTURE(name);
        CHECK_FALSE(is_right(rows, std::string(name) + ".glass 1"));
        CHECK(contains(rows.at(std::string(name) + ".glass 1"), "the check fails"));
    }
    CHECK_FALSE(is_right(rows, "f-wrong-guess.glass 2"));
    CHECK_FALSE(is_right(rows, "f-no-such-guess.glass 2"));
    CHECK_FALSE(is_right(rows, "f-forever.glass 3"));
    CHECK_FALSE(is_right(rows, "f-13.glass 3"));
    CHECK(contains(rows.at("f-also.glass 1"), "'=cmd()"));  // must not be a formula in a spreadsheet
    CHECK(contains(rows.at("f-claims.glass 1"), "'＝cmd()"));
    CHECK_FALSE(is_right(rows, "f-row.glass 1"));
    CHECK(contains(rows.at("f-row.glass 1"), "sum to 1"));
    CHECK_FALSE(is_right(rows, "f-patch.glass 1"));
    CHECK(contains(rows.at("f-patch.glass 1"), "is a patch from logits to logits"));
    CHECK(contains(ran.out, "is nested more than 32 levels deep"));
    CHECK_FALSE(is_right(rows, "f-saved-only.glass 1"));
    CHECK(contains(table, "it was saved, not handed in"));
    for (const char* name : {"f-deep", "f-json", "f-garbage"}) {
        CAPTURE(name);
        CHECK(contains(table, std::string(name) + ".glass,,,,,,,no"));
    }
}

TEST_CASE("grade reads no file that homework names, and reports what it cannot do") {
    const TemporaryFolder folder;
    const fs::path lesson = folder / "apart.lesson", base = folder / "base.glass", papers = folder / "papers";
    fs::create_directory(papers);
    write(lesson, homework);
    REQUIRE(run({"pack", "homonyms", base.string(), "--lesson", lesson.string()}).code == 0);
    hand_in(base, papers / "a.glass", answers("Mallory", scene(silence), 1, "", lesson.generic_string()));
    hand_in(base, papers / "b.glass", answers("Mallory", scene(silence), 1, "", "../../../etc/passwd"));
    const Ran ran = run({"grade", papers.string(), "--csv", "-"});
    CHECK(ran.code == 0);
    for (const std::string& named : {lesson.generic_string(), std::string("../../../etc/passwd")})
        CHECK(contains(ran.out, ".glass,Mallory," + named + ",,,,,,,,,\"cannot be marked: the lesson "));
    CHECK(contains(ran.out, "is not included with the program"));
    const auto fails = [&](const std::vector<std::string>& arguments, const std::string& part) {
        const Ran failed = run(arguments);
        CAPTURE(failed.err);
        CHECK(failed.code == 1);
        CHECK(failed.says(part));
    };
    fails({"grade", (folder / "none").string(), "--csv", "-"}, "none");
    fails({"grade", folder.path().string(), "--csv", (folder / "no" / "x.csv").string()}, "x.csv");
    fails({"grade", papers.string(), "--csv", "-", "--lesson", "no_such"}, "no_such");
    fs::create_directory(folder / "empty");
    fails({"grade", (folder / "empty").string(), "--csv", "-"}, "no homework");
}

TEST_CASE("grade marks a lesson about a user's own world on its model, and marks nobody without that model") {
    const TemporaryFolder folder;
    const std::string lesson = (folder / "apart.lesson").string(), base = (folder / "base.glass").string(),
                      model = (folder / "model").string(), papers = (folder / "papers").string();
    fs::create_directory(papers);
    write(folder / "zoo.grammar", contents(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar"));
    REQUIRE(run({"train", "--world", (folder / "zoo.grammar").string(), "--steps", "2", "--out", model}).code == 0);
    std::string of_zoo = homework;
    of_zoo.replace(of_zoo.find("homonyms"), std::string("homonyms").size(), "zoo");
    write(lesson, of_zoo);
    REQUIRE(run({"pack", model, base, "--lesson", lesson}).code == 0);
    hand_in(base, fs::path(papers) / "ada.glass", answers("Ada", scene(silence)));
    const Ran without = run({"grade", papers, "--lesson", lesson, "--csv", "-"});
    CAPTURE(without.err);
    CHECK(without.code == 1);
    CHECK(without.one_line());
    CHECK(without.says("it needs \"zoo\"; give that with --model"));
    const Ran with = run({"grade", papers, "--lesson", lesson, "--csv", "-", "--model", model});
    CAPTURE(with.out);
    CAPTURE(with.err);
    CHECK(with.code == 0);
    CHECK(is_right(rows_of(with.out), "ada.glass 1"));
    CHECK(is_right(rows_of(with.out), "ada.glass 2"));
}

TEST_CASE("grade marks answers to the same question, and none to another lesson or question") {
    const TemporaryFolder folder;
    const fs::path lesson = folder / "apart.lesson", base = folder / "base.glass", papers = folder / "papers";
    fs::create_directory(papers);
    write(lesson, homework);
    REQUIRE(run({"pack", "homonyms", base.string(), "--lesson", lesson.string()}).code == 0);
    const auto with = [](const std::string& from, const std::string& to) {
        std::string text = homework;
        return text.replace(text.find(from), from.size(), to);
    };
    const auto give = [&](const std::string& name, const std::string& copy, const std::string& called = "apart") {
        hand_in(base, papers / (name + ".glass"), answers("Ada", scene(silence), 1, "", called), copy);
    };
    give("other", with("Take apart", "Another"), "other");
    give("forged", homework, "other");
    give("garbage", "no lesson");
    write(folder / "before.lesson", homework);  // the lecturer's own name for the lesson
    const std::string before = (folder / "before.glass").string();
    REQUIRE(run({"pack", "homonyms", before, "--lesson", (folder / "before.lesson").string()}).code == 0);
    hand_in(before, papers / "renamed.glass", answers("Ada", scene(silence), 1, "", "before"));
    give("second", homework, "apart-2");  // the window's name for a second lesson of that name
    give("typo", with("Train a little", "Train a litle"));
    give("question", with("How many words", "How many letters"));
    give("choices", with("choice: six", "choice: seven"));
    give("sentence", with("A: the bat hit", "A: a bat hit"));
    // A step that the lecturer has since removed.
    std::string moved = answers("Ada", scene(silence));
    moved.replace(moved.find("[-1,1]"), 6, "[-1,-1,1]");
    hand_in(base, papers / "moved.glass", moved, with("== Count", "== Gone\n\nSo.\n\n== Count"));
    write(papers / "zero.glass", "");
    const Ran ran = run({"grade", papers.string(), "--lesson", lesson.string(), "--csv", (folder / "t.csv").string()});
    CAPTURE(ran.out);
    CHECK(ran.code == 0);
    const std::string table = contents(folder / "t.csv");
    CAPTURE(table);
    const auto rows = rows_of(table);
    const auto says = [&](const std::string& what) { return contains((table + ran.out), what); };
    for (const std::string name : {"other", "forged"})
        CHECK(says(name +
                   ".glass,Ada,other,,,,,,,,,\"cannot be marked: these are answers to the lesson \"\"other\"\", not"));
    CHECK(says("garbage.glass: cannot be marked: its lesson.lesson:1: no lesson: is not a field"));
    for (const std::string name : {"renamed", "second", "typo", "moved"}) {
        CAPTURE(name);
        CHECK(is_right(rows, name + ".glass 1"));
        CHECK(is_right(rows, name + ".glass 2"));
    }
    for (const std::string name : {"question", "choices", "sentence"}) {
        CAPTURE(name);
        CHECK(is_right(rows, name + ".glass 1"));
        CHECK(contains(rows.at(name + ".glass 2"),
                       ",question,no,,,0,0,cannot be marked: the lesson that Ada had does not"));
        CHECK(says(name + ".glass: Ada, 1 of 2, 1 cannot be marked; Ada worked on another version of this lesson"));
    }
    CHECK(says("typo.glass: Ada, 2 of 3; Ada worked on another version of this lesson: only its text differs"));
    CHECK(says("zero.glass: the file is empty; copy or download it again"));
}

TEST_CASE("grade reports a file with the same answers and trainings as another one") {
    const TemporaryFolder folder;
    const fs::path lesson = folder / "apart.lesson", base = folder / "base.glass", papers = folder / "papers";
    fs::create_directory(papers);
    write(lesson, homework);
    REQUIRE(run({"pack", "homonyms", base.string(), "--lesson", lesson.string()}).code == 0);
    hand_in(base, papers / "ada.glass", answers("Ada", scene(silence)));
    hand_in(base, papers / "ben.glass", answers("Ben", scene(silence)));     // only the student's name differs
    hand_in(base, papers / "cem.glass", answers("Cem", scene(silence), 0));  // the guess differs
    const Ran ran = run({"grade", papers.string(), "--lesson", lesson.string(), "--csv", "-"});
    CAPTURE(ran.out);
    const std::string same = "same answers and trainings as ada.glass";
    CHECK(contains(ran.out, "ben.glass: Ben, 2 of 3; " + same + "\n"));
    auto rows = rows_of(ran.out);
    CHECK(rows["ben.glass 1"].ends_with(same));
    CHECK(!contains(rows["ada.glass 1"], same));
    CHECK(!contains(rows["cem.glass 1"], same));
}
