#include <doctest/doctest.h>

#include "app/export/markup.h"
#include "core/io/glass_file.h"
#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("pack writes one file for students, which every command opens like a folder") {
    const TemporaryFolder folder;
    const std::string file = (folder / "lecture.glass").string();
    Ran ran =
        run({"pack", "homonyms", file, "--text", "the bat flew out .", "--compare", "he swung the bat ."}, no_screen);
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(contains(ran.out, file));
    CHECK(fs::file_size(file) <= 10'000'000);
    const GlassFile glass = load_glass(file);
    CHECK(*glass.model.parameters == *load_checkpoint(shipped_model).parameters);
    CHECK(contains(glass.with.scene, "the bat flew out ."));
    // The file contains no path of this machine.
    CHECK(!contains(glass.with.scene, shipped_model.parent_path().string()));

    const std::string of_file = (folder / "a.npz").string(), of_folder = (folder / "b.npz").string();
    CHECK(run({"trace", "--model", file, "--text", "a bat", "--out", of_file}).code == 0);
    CHECK(run({"trace", "--model", shipped_model.string(), "--text", "a bat", "--out", of_folder}).code == 0);
    CHECK(contents(of_file) == contents(of_folder));
    ran = run({"export", file, (folder / "exported").string()});
    CHECK(ran.err == "");
    CHECK(contents(folder / "exported" / "model.safetensors") == contents(shipped_model / "model.safetensors"));
    // The newest point has more figures in the file, because the window measured them.
    const std::string curves = run({"metrics", shipped_model.string(), "--csv", "-"}).out;
    const std::string before_newest = curves.substr(0, curves.rfind("\n1200,"));
    CHECK(before_newest.size() > 10'000);
    CHECK(run({"metrics", file, "--csv", "-"}).out.starts_with(before_newest));
    CHECK(run({"shot", (folder / "x.png").string(), "--size", "640x400", "--model", file}).err == "");
}

TEST_CASE("pack includes a lesson, which starts when the file is opened") {
    const TemporaryFolder folder;
    const std::string file = (folder / "lesson.glass").string();
    write(folder / "mine.lesson", "lesson: Mine\nmodel: homonyms\n\n== One\nA: the bat hit the ball .\n\nLook.\n");
    const Ran ran = run({"pack", "homonyms", file, "--lesson", (folder / "mine.lesson").string()});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(read_lesson_bundle(file).lesson == contents(folder / "mine.lesson"));
    CHECK(read_lesson_bundle(file).lesson_name == "mine");
    write(folder / "look.script", "frames 6\nexpect_item lesson/next\n");
    CHECK(run({"shot", (folder / "x.png").string(), "--model", file, "--script", (folder / "look.script").string()})
              .err == "");
}

TEST_CASE("pack --web embeds the file in the page for browsers, in place of one that is there") {
    const TemporaryFolder folder;
    const std::string name = on_windows ? "a & b" : "a \"b\"", in_html = on_windows ? "a &amp; b" : "a &quot;b&quot;";
    const std::string page = (folder / "page.html").string(), out = (folder / "out.html").string(),
                      again = (folder / "again.html").string(), file = (folder / (name + ".glass")).string(),
                      other = (folder / "c.glass").string();
    const std::string head = "<!doctype html>\n<p>", program = "<script id=\"program\">AAAA</script>\n";
    write(page, head + program);
    Ran ran = run({"pack", "homonyms", file, "--web", out, "--page", page}, no_screen);
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(contains(ran.out, out));
    const auto with = [&](const std::string& named, const std::string& glass) {
        return head + "<script id=\"given\" type=\"application/octet-stream\" data-name=\"" + named + "\">" +
               app::base64(contents(glass)) + "</script>\n" + program;
    };
    CHECK(contents(out) == with(in_html + ".glass", file));
    REQUIRE(run({"pack", "homonyms", other, "--web", again, "--page", out}, no_screen).code == 0);
    CHECK(contents(again) == with("c.glass", other));

    const std::string unwritten = (folder / "unwritten.glass").string();
    for (const std::string& no_page : {other, (folder / "none.html").string()}) {
        ran = run({"pack", "homonyms", unwritten, "--web", again, "--page", no_page}, no_screen);
        CHECK(ran.code == 1);
        CHECK_FALSE(fs::exists(unwritten));
    }
    ran = run({"pack", "homonyms", other, "--web", again, "--page", other}, no_screen);
    CHECK(ran.code == 1);
    CHECK(ran.says("is not Glassformer as a page"));
    CHECK(contents(again) == with("c.glass", other));
    ran = run({"pack", "homonyms", other, "--web", out, "--page", out}, no_screen);
    CHECK(ran.says("this command reads it"));
    const std::string both = (folder / "both.glass").string();
    ran = run({"pack", "homonyms", both, "--web", both, "--page", page}, no_screen);
    CHECK(ran.code == 1);
    CHECK(ran.says("is the file for students itself"));
    CHECK_FALSE(std::filesystem::exists(both));
    write(folder / "mine.html", "my notes");
    CHECK(run({"pack", "homonyms", other, "--web", (folder / "mine.html").string(), "--page", page}).code == 1);
    CHECK(contents(folder / "mine.html") == "my notes");
}

TEST_CASE("pack and commands that open a .glass file report errors in one line") {
    const TemporaryFolder folder;
    const auto fails = [&](const std::vector<std::string>& arguments, const std::string& part, int code = 1) {
        const Ran ran = run(arguments);
        CAPTURE(ran.err);
        CHECK(ran.code == code);
        CHECK(ran.one_line());
        CHECK(ran.says(part));
    };
    fails({"pack", "homonyms", (folder / "x.zip").string()}, "ends in .glass");
    fails({"pack", (folder / "none").string(), (folder / "x.glass").string()}, "none");
    fails({"pack", "homonyms", (folder / "none" / "x.glass").string()}, "none");
    write(folder / "mine.glass", "my notes");
    fails({"pack", "homonyms", (folder / "mine.glass").string()}, "that file already exists and is not a .glass file");
    CHECK(contents(folder / "mine.glass") == "my notes");
    fails({"pack", "homonyms", (folder / "x.glass").string(), "--lesson", "no_such"}, "no_such");
    fails({"shot", (folder / "x.png").string(), "--model", (folder / "mine.glass").string()}, "mine.glass");
    fails({"trace", "--model", (folder / "gone.glass").string(), "--text", "a", "--out", (folder / "t.npz").string()},
          "gone.glass");
    fails({"lecture.txt"}, "neither a command nor a .glass file", 2);
}
