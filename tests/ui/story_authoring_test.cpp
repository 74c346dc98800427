#include <filesystem>

#include "app/lessons/lesson_file.h"
#include "app/lessons/view_moment.h"
#include "core/platform/atomic_file.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

/// Chooses a command in the palette by typing the start of its name.
std::string choose(Story& story, const std::string& typed) {
    return story.play("key Ctrl+K\nframes 2\ntype \"" + typed + "\"\nframes 2\nkey Enter\nframes 3");
}

}  // namespace

TEST_CASE("story: the screen is recorded as steps of a new lesson, and playing it restores the screen") {
    const TemporaryFolder home;
    const SetVariable data("XDG_DATA_HOME", home.path().string());
    const fs::path file = home / "glassformer/lessons/Bats-my-own.lesson";
    ViewMoment first, second;
    {
        Story story;
        const auto look = [&](int layer, int head, const char* view) {
            choose_head(story.state(), story.snapshot(), layer, head);
            REQUIRE(show(story, view) == "");
        };
        story.session.send(command::Watch{0, "the bat hit the ball ."});
        story.send(command::Watch{1, "a bat flew ▢ the cave ."});
        choose_token(story.state(), story.snapshot(), 0, 3);  // the second "the"
        choose_token(story.state(), story.snapshot(), 1, 3);
        look(1, 2, "All heads");
        first = moment_of(story.state(), story.snapshot());
        CHECK(choose(story, "New lesson") == "");
        CHECK(story.play("type \"Bats: my own\"\nframes 2\nkey Enter\nframes 3") == "");
        CAPTURE(story.text("notice"));
        REQUIRE(fs::exists(file));

        story.session.send(command::SetWhatIf{
            {what_if::HeadOff{0, 1}, what_if::NormOff{},
             what_if::HeadPatch{
                 .block = 1, .head = 2, .part = HeadPart::v, .position = 3, .partners = {-1, -1, -1, 3, -1, -1}},
             what_if::HeadPatch{.slot = 1, .part = HeadPart::pattern, .source = PatchSource::mean},
             what_if::HeadPatch{.slot = 1, .part = HeadPart::z, .source = PatchSource::world},
             what_if::AttentionRow{0, 0, 0, 1, {1, 0, 0, 0, 0, 0}}}});
        story.send(command::LookAt{100});
        look(0, 3, "Attention");
        second = moment_of(story.state(), story.snapshot());
        CHECK(choose(story, "Add this scene") == "");
        story.frames(3);
        const std::string text = read_file(file, 1 << 20);
        CAPTURE(text);
        CHECK(contains(text, "word A: \"the\"#2"));
        CHECK(contains(text, "what if: block 0 head 1 off"));
        CHECK(contains(text, "what if: block 1 head 2 v at @3 from B"));
        CHECK(contains(text, "what if: block 0 head 0 z at every word from mean of the world of B"));
        CHECK(contains(text, "what if: block 0 head 0 pattern at every word from mean of B"));
        CHECK(contains(text, "painted in A: was on the screen"));  // painted rows cannot be written
        const Lesson lesson = parse_lesson(text, "x");
        REQUIRE(lesson.steps.size() == 2);

        // A second lesson of the same name overwrites nothing.
        story.state().window.authoring.begin = "Bats: my own";
        story.frames(3);
        CHECK(read_file(file, 1 << 20) == text);
        CHECK(fs::exists(home / "glassformer/lessons/Bats-my-own-2.lesson"));
    }

    // When played, it shows what was on screen, except for the painted row.
    Story other;
    other.app.open_dropped(file);
    other.frames(4);
    other.settle(8);
    other.settle();
    REQUIRE(other.app.lessons().open());
    CHECK(other.app.lessons().lesson()->title == "Bats: my own");
    const auto same = [&](ViewMoment wanted) {
        ViewMoment now = moment_of(other.state(), other.snapshot());
        wanted.trail = now.trail = {};
        wanted.follow_strongest = now.follow_strongest = true;
        CHECK(now.text == wanted.text);
        CHECK(now.what_if == wanted.what_if);
        CHECK(now.step == wanted.step);
        CHECK(now.token == wanted.token);
        CHECK(now == wanted);
    };
    same(first);
    CHECK(other.play("click lesson/next\nframes 6") == "");
    other.settle(6);
    other.settle();
    ViewMoment without_row = second;
    without_row.what_if.pop_back();
    same(without_row);
}

TEST_CASE("story: an unreadable lesson, and a scene without a lesson, are reported") {
    const TemporaryFolder folder;
    Story story;
    story.state().window.authoring.add_scene = true;
    story.frames(2);
    CHECK(contains(story.text("notice"), "Start a lesson first"));
    write_file_atomically(folder / "bad.lesson", "lesson: Bad\n\n== One\nview: Nowhere\n\nText.\n");
    story.app.open_dropped(folder / "bad.lesson");
    story.frames(3);
    CHECK(contains(story.text("notice"), "bad:4: view"));
    story.app.open_dropped(folder / "gone.lesson");
    story.frames(3);
    CHECK(contains(story.text("notice"), "gone.lesson"));
    CHECK_FALSE(story.app.lessons().open());
}

TEST_CASE("story: a lesson with the file name of a shipped one is opened, and a shipped one is not listed twice") {
    const TemporaryFolder folder;
    const std::string name = "1_two_kinds_of_bat";
    const fs::path own = folder / (name + ".lesson");
    write_file_atomically(own, "lesson: My own\n\n== One\n\nText.\n");
    Story story;
    const std::size_t count = story.app.lessons().folder().lessons().size();
    story.app.open_dropped(own);
    story.frames(3);
    story.settle();
    REQUIRE(story.app.lessons().open());
    CHECK(story.app.lessons().lesson()->title == "My own");
    CHECK(story.app.lessons().folder().name_of(own) == name + "-2");
    const fs::path shipped = fs::path(GLASSFORMER_SOURCE_DIR) / "assets/models/../lessons" / (name + ".lesson");
    story.app.lessons().look_also(shipped);
    CHECK(story.app.lessons().folder().name_of(shipped) == name);
    CHECK(story.app.lessons().folder().lessons().size() == count + 1);
}

TEST_CASE("story: a scene whose sentence no lesson can contain becomes a step that can be read") {
    const TemporaryFolder home;
    const SetVariable data("XDG_DATA_HOME", home.path().string());
    Story story({.model = "sample"});
    story.send(command::Watch{0, "the king\nsaid to him"});
    story.send(command::Watch{1, " the king"});
    CHECK(choose(story, "New lesson") == "");
    CHECK(story.play("type \"Verse\"\nframes 2\nkey Enter\nframes 3") == "");
    const Lesson lesson = load_lesson(home / "glassformer/lessons/Verse.lesson");
    REQUIRE(lesson.steps.size() == 1);
    CHECK(lesson.steps[0].scene.sentences[0] == "");
    CHECK(lesson.steps[0].scene.sentences[1] == "");
}

TEST_CASE("story: Alt shows the label of the item under the pointer, and Alt+C copies it") {
    Story story;
    const Item* token = story.find("A/token 2");
    REQUIRE(token);
    const ImVec2 at = token->centre();
    const auto point = [&](bool alt, bool c) {
        for (int i = 0; i < 3; ++i)
            story.frame([&] {
                script_mouse(at, false, false);
                script_key(Key::left_alt, alt);
                script_key(Key::c, c && i > 0);
            });
    };
    point(false, false);
    CHECK_FALSE(story.shows("item name"));
    point(true, false);
    CHECK(story.text("item name") == "A/token 2");
    ImGui::SetClipboardText("before");
    point(true, true);
    CHECK(std::string(ImGui::GetClipboardText()) == "A/token 2");
    point(false, false);
}

TEST_CASE("story: Open lesson browses folders, lists only folders and lessons, and filters by name") {
    const TemporaryFolder folder;
    fs::create_directories(folder / "teach/other");
    write_file_atomically(folder / "teach/mine.lesson",
                          "lesson: Mine\nmodel: homonyms\n\n== One\nA: a bat flew .\n\nText.\n");
    write_file_atomically(folder / "teach/notes.txt", "no lesson");
    Story story;
    REQUIRE(choose(story, "open lesson") == "");
    REQUIRE(story.play("type \"" + folder.path().string() + "/\"\nframes 2\nclick palette/teach/\nframes 3") == "");
    CHECK(story.play("expect_item palette/mine.lesson\nexpect_item palette/other/\nexpect_no_item palette/notes.txt\n"
                     "type mi\nframes 2\nexpect_item palette/mine.lesson\nexpect_no_item palette/other/\nkey Enter\n"
                     "frames 4") == "");
    story.settle(2);
    CHECK(story.text("lesson") == "One");
}

TEST_CASE("story: lessons and models are found by part of their names") {
    Story story;
    CHECK(choose(story, "kinds of bat") == "");
    story.settle();
    REQUIRE(story.app.lessons().open());
    CHECK(story.app.lessons().lesson()->title == "Two kinds of bat");
    REQUIRE(story.play("key Escape\nframes 3") == "");
    CHECK(story.play("key Ctrl+O\nframes 2\ntype transl\nframes 2\nexpect_item palette/translation\n"
                     "expect_no_item palette/order\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().model->world == "translation");
}
