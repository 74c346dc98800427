#include <filesystem>

#include "app/lessons/homework.h"
#include "app/lessons/view_moment.h"
#include "app/panels/leaving/saving.h"
#include "core/io/glass_file.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

/// Saves as a user does: Ctrl+S, a name, Enter.
void save_for_students(Story& story, const fs::path& file) {
    REQUIRE(story.play("key Ctrl+S\nframes 2\nexpect_item palette/card") == "");
    REQUIRE(story.play("type \"" + file.string() + "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle(2);
    CHECK(contains(story.text("notice"), file.string()));
    REQUIRE(fs::exists(file));
}

void open(Story& story, const fs::path& file) {
    story.app.open_dropped(file);
    story.frames(3);
    story.settle(4);
    story.settle();
}

ViewMoment moment(Story& story) { return moment_of(story.state(), story.snapshot()); }

/// Replaces the content of one entry of the file.
void spoil(const fs::path& file, const std::string& name, const std::string& content) {
    std::vector<ZipEntry> entries;
    {
        const ZipReader zip(file, {1 << 28, 1 << 28});
        for (const std::string& n : zip.names())
            entries.push_back({n, n == name ? content : zip.read(n, 1 << 28), entries.empty()});
    }
    write_file_atomically(file, to_zip(entries));
}

}  // namespace

TEST_CASE("story: the screen is saved for students, and restored in another window") {
    const TemporaryFolder folder;
    const fs::path file = folder / "lecture.glass";
    ViewMoment before;
    std::vector<std::vector<float>> numbers;
    std::vector<std::int64_t> kept;
    {
        Story story;
        CHECK(story.play("click \"view/All heads\"\nframes 2\nclick \"view/Attention\"\nframes 2") == "");
        story.session.send(command::Watch{0, "the bat hit the ball ."});
        story.session.send(command::Watch{1, "the bat flew out ▢ the cave ."});
        story.session.send(command::LookAt{300});
        story.send(command::SetWhatIf{
            {what_if::HeadOff{0, 2}, what_if::AttentionRow{0, 1, 3, 1, {0.5f, 0.25f, 0.25f, 0, 0, 0}},
             what_if::Patch{1, {"blocks.0.hook_attn_out", 1, -1}, {"blocks.0.hook_attn_out", 1, -1}},
             what_if::HeadPatch{
                 .slot = 0, .block = 1, .head = 2, .part = HeadPart::pattern, .partners = {0, 1, -1, 4, 5, 6}},
             what_if::HeadPatch{
                 .slot = 1, .head = 3, .part = HeadPart::q, .position = 2, .source = PatchSource::mean}}});
        choose_head(story.state(), story.snapshot(), 1, 3);
        choose_token(story.state(), story.snapshot(), 1, 4);
        explain(story.state(), {1, {story.shown_trace(1).graph().at("blocks.1.hook_resid_post"), 70}});
        story.frames(3);
        REQUIRE(story.snapshot().error == "");
        REQUIRE(story.snapshot().what_if.size() == 5);
        before = moment(story);
        numbers = everything(story);
        kept = story.snapshot().kept_steps;
        save_for_students(story, file);
    }
    CHECK(fs::file_size(file) <= 10'000'000);
    // Opened as an argument, and dropped on a window that shows something else.
    for (const bool dropped : {false, true}) {
        CAPTURE(dropped);
        Story story(dropped ? StoryOptions{.model = "order"} : StoryOptions{.model = file.string()});
        if (dropped) open(story, file);
        story.settle(4);
        story.settle();
        CHECK(story.text("notice") == "");
        CHECK(story.snapshot().model->folder == file.string());
        CHECK(moment(story) == before);
        CHECK(story.snapshot().kept_steps == kept);
        CHECK(same_bytes(everything(story), numbers));
        // The model is like any other: it can be trained further, and undo does not lead back out of it.
        CHECK(story.play("key Ctrl+Z\nframes 3") == "");
        story.settle();
        CHECK(moment(story) == before);
        story.session.send(command::FollowLive{});
        story.send(command::MakeSteps{2});
        CHECK(story.snapshot().error == "");
    }
}

TEST_CASE("story: a file includes its lesson, and the lesson continues where it was") {
    const TemporaryFolder folder;
    const fs::path file = folder / "lesson.glass", lessons = folder / "lessons";
    fs::create_directory(lessons);
    write_file_atomically(lessons / "mine.lesson",
                          "lesson: Mine\nmodel: homonyms\n\n== One\nA: the bat hit the ball .\n\nLook.\n\n"
                          "== Two\nchoice: yes when {A: length} = 6\nchoice: no when {A: length} != 6\n\n"
                          "Six words?\n---\n\nSo it is.\n\n== Three\n\nThe end.\n");
    {
        Story story({.lessons = lessons});
        REQUIRE(story.play("lesson mine 2\nframes 4\nclick \"lesson/choice 1\"\nframes 6") == "");
        story.settle();
        REQUIRE(story.app.lessons().guess() == 0);
        story.send(command::SetWhatIf{{what_if::HeadOff{1, 1}}});
        save_for_students(story, file);
    }
    // On a machine without that lesson.
    Story story({.model = file.string()});
    story.settle(10);
    story.settle();
    const LessonRunner& runner = story.app.lessons();
    REQUIRE(runner.open());
    CHECK(runner.lesson()->title == "Mine");
    CHECK(runner.at() == 1);
    CHECK(runner.guess() == 0);
    CHECK(story.text("lesson/choice 1") == "yes");
    CHECK(story.value("lesson/choice 1") == 1);
    CHECK(story.snapshot().what_if == std::vector<WhatIf>{what_if::HeadOff{1, 1}});
    CHECK(story.play("click lesson/next\nframes 6") == "");
    story.settle();
    CHECK(runner.at() == 2);
}

TEST_CASE("story: a file for students includes the lesson on screen, not what its author has made of it meanwhile") {
    const TemporaryFolder folder;
    const std::string shown = "lesson: Mine\nmodel: homonyms\n\n== One\n\nLook.\n";
    const fs::path lesson = folder / "mine.lesson", file = folder / "x.glass";
    write_file_atomically(lesson, shown);
    Story story({.lessons = folder.path()});
    REQUIRE(story.play("lesson mine 1\nframes 4") == "");
    write_file_atomically(lesson, "lesson: Mine\n\n== One\nview: Nowhere\n\nLook.\n");
    save_for_students(story, file);
    CHECK(read_lesson_bundle(file).lesson == shown);
    fs::remove(lesson);
    save_for_students(story, file);
    CHECK(read_lesson_bundle(file).lesson == shown);
}

TEST_CASE("story: a file opened in the middle of a lesson brings its own screen, lesson and answers") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson",
                          "lesson: Apart\nmodel: homonyms\n\n== One\nA: the bat hit the ball .\ntask: {changes} = 1\n\n"
                          "Change it.\n");
    const fs::path plain = folder / "plain.glass";
    const auto handed_in = [&](const char* student, int attempts) {
        const fs::path file = folder / (std::string(student) + ".glass");
        Story story({.lessons = folder.path()});
        REQUIRE(story.play("lesson apart 1\nframes 4") == "");
        for (int i = 0; i < attempts; ++i) CHECK(story.play("click lesson/check\nframes 2") == "");
        story.state().window.handing_on = {file.string(), student};
        story.frames(2);
        story.settle();
        return file;
    };
    const fs::path ann = handed_in("Ann", 1), ben = handed_in("Ben", 3);
    {
        Story story;
        story.send(command::Watch{0, "a bat flew ."});
        save_for_students(story, plain);
    }
    Story story({.model = ann.string()});
    story.settle(8);
    story.settle(4);
    const LessonRunner& runner = story.app.lessons();
    REQUIRE(runner.open());
    const auto shows = [&](const std::string& student, int attempts) {
        CAPTURE(student);
        REQUIRE(runner.open());
        CHECK(runner.homework().student_of(runner.lesson()->name) == student);
        CHECK(story.value("lesson/attempt") == attempts);
        CHECK(contains(story.text("notice"), "the answers of " + student));
    };
    shows("Ann", 1);
    open(story, ben);
    shows("Ben", 3);
    open(story, plain);
    CHECK_FALSE(runner.open());
    CHECK(runner.wanted() == nullptr);
    CHECK(story.snapshot().text_of(0) == "a bat flew .");
    open(story, ann);
    shows("Ann", 1);
}

TEST_CASE("story: a file opened while a lesson waits for its model brings its own screen") {
    const TemporaryFolder folder;
    const fs::path file = folder / "order.glass";
    std::string text;
    {
        Story story({.model = "order"});
        REQUIRE(show(story, "Flow") == "");
        text = story.snapshot().text_of(0);
        save_for_students(story, file);
    }
    Story story({.model = "induction"});
    LessonMenu& menu = story.state().window.lessons;
    menu.ask = LessonMenu::Ask::start, menu.which = 0, menu.step = 0;
    story.frames(2);
    REQUIRE(story.app.lessons().wanted());
    open(story, file);
    CHECK(story.app.lessons().wanted() == nullptr);
    CHECK(story.snapshot().text_of(0) == text);
    CHECK(story.state().view == view_index("Flow"));
}

TEST_CASE("story: a file for students has the homework as new, without its author's solution") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson",
                          "lesson: Apart\nmodel: homonyms\n\n== One\nA: the bat hit the ball .\ntask: {changes} = 1\n\n"
                          "Change it.\n\n== Two\nchoice: yes when {A: length} = 6\nchoice: no when {A: length} != 6\n\n"
                          "Six words?\n---\n\nSo it is.\n");
    const fs::path file = folder / "x.glass";
    {
        Story story({.lessons = folder.path()});
        REQUIRE(story.play("lesson apart 1\nframes 4") == "");
        story.send(command::SetWhatIf{{what_if::HeadOff{0, 2}}});
        REQUIRE(story.play("click lesson/check\nframes 3\nexpect lesson/done == 1\nclick lesson/next\nframes 6") == "");
        story.settle();
        REQUIRE(story.play("frames 3\nclick \"lesson/choice 1\"\nframes 6") == "");
        story.settle();
        save_for_students(story, file);
        CHECK(contains(story.text("notice"), "without your answers"));
        // What the window keeps for its own next start has all of it.
        const HandedIn mine = answers_from_json(story.app.left_off().answers, "x");
        CHECK(mine.student == "");
        CHECK(mine.tasks.at(0).done);
        CHECK(mine.guesses == std::vector{LessonRunner::no_guess, 0});
    }
    const LessonBundle with = read_lesson_bundle(file);
    CHECK(with.lesson_name == "apart");
    CHECK(with.answers == "");
    CHECK(with.scene == "");
    Story story({.model = file.string()});
    story.settle(8);
    story.settle(4);
    const LessonRunner& runner = story.app.lessons();
    REQUIRE(runner.open());
    CHECK(runner.at() == 0);
    CHECK(runner.homework().at("apart", 0) == TaskAnswer{});
    CHECK(runner.progress().guesses == std::vector{LessonRunner::no_guess, LessonRunner::no_guess});
    CHECK(story.snapshot().what_if.empty());
    CHECK(story.snapshot().text_of(0) == "the bat hit the ball .");
    CHECK(runner.on_screen());
}

TEST_CASE("story: homework of a student on the screen stays that student's at the next start") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson",
                          "lesson: Apart\nmodel: homonyms\n\n== One\nA: the bat hit the ball .\ntask: {changes} = 1\n\n"
                          "Change it.\n");
    Story story({.lessons = folder.path()});
    REQUIRE(story.play("lesson apart 1\nframes 4\nclick lesson/check\nframes 2") == "");
    story.state().window.handing_on = {(folder / "ann.glass").string(), "Ann"};
    story.frames(2);
    story.settle();
    CHECK(answers_from_json(story.app.left_off().answers, "x").student == "");
    open(story, folder / "ann.glass");
    CHECK(answers_from_json(story.app.left_off().answers, "x").student == "Ann");
}

TEST_CASE("story: a file shows its screen once: its run, chosen again, stays as the user left it") {
    const TemporaryFolder folder;
    const fs::path file = folder / "x.glass";
    {
        Story story;
        story.send(command::Watch{0, "the bat hit the ball ."});
        save_for_students(story, file);
    }
    Story story({.model = file.string()});
    story.settle(4);
    story.settle();
    REQUIRE(story.snapshot().text_of(0) == "the bat hit the ball .");
    story.send(command::Watch{0, "a bat flew ."});
    const RunInfo run = *story.snapshot().current_run();
    const auto model = story.snapshot().model;
    story.send(command::NewRun{run.setup, "second"});
    REQUIRE(story.snapshot().model != model);
    story.send(command::ChooseRun{run.id});
    REQUIRE(story.snapshot().model == model);
    story.frames(4);
    story.settle();
    CHECK(story.snapshot().text_of(0) == "a bat flew .");
}

TEST_CASE("story: a file for students gets its ending, whatever dots its name has") {
    const TemporaryFolder folder;
    for (const auto& [typed, file] : {std::pair{"week 3.2", "week 3.2.glass"}, std::pair{"bat", "bat.glass"},
                                      std::pair{"BAT.GLASS", "BAT.GLASS"}, std::pair{"notes.txt", "notes.txt.glass"}}) {
        CAPTURE(typed);
        CHECK(file_named((folder / typed).string(), glass_ending) == (folder / file).string());
    }
    Story story;
    REQUIRE(story.play("key Ctrl+S\nframes 2\ntype \"" + (folder / "week 3.2").string() +
                       "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle(2);
    CHECK(contains(story.text("notice"), "week 3.2.glass"));
    CHECK(fs::exists(folder / "week 3.2.glass"));
}

TEST_CASE("story: a file with an invalid scene still opens the model, and reports what is wrong") {
    const TemporaryFolder folder;
    const fs::path good = folder / "good.glass", file = folder / "bad.glass";
    {
        Story story;
        save_for_students(story, good);
    }
    const auto opened = [&](const std::string& scene) {
        fs::remove(file);  // libstdc++ for MinGW ignores overwrite_existing
        fs::copy_file(good, file);
        spoil(file, "scene.json", scene);
        Story story({.model = file.string()});
        story.settle(6);
        story.settle();
        CHECK(story.snapshot().sentences[0].trace);
        return story.text("notice") + story.text("error");
    };
    CHECK(contains(opened("{"), "scene.json"));
    CHECK(contains(opened("[]"), "scene.json"));
    CHECK(contains(opened("{\"head\": -4}"), "head"));
    CHECK(contains(opened("{\"sentences\": [3]}"), "sentences"));
    CHECK(contains(opened("{\"what_if\": [{\"change\": \"explode\"}]}"), "explode"));
    CHECK(!contains(opened("{\"lesson\": {\"step\": 1e99}}"), "the screen saved with it"));
    // Values out of range are clamped, or rejected by the model.
    CHECK(opened("{\"block\": 99, \"head\": 99, \"words\": [500, 2], \"step\": 123456789012}") == "");
    CHECK(opened("{\"explain\": {\"sentence\": \"B\", \"node\": \"blocks.0.hook_resid_pre\", \"cell\": "
                 "9007199254740993}}") == "");
    CHECK(opened("{\"what_if\": [{\"change\": \"head off\", \"block\": 7, \"head\": 99}]}") != "");
    CHECK(
        opened("{\"what_if\": [{\"change\": \"attention row\", \"block\": 0, \"head\": 0, \"query\": 90, \"weights\": "
               "[1]}]}") != "");
    CHECK(contains(opened("{\"what_if\": [{\"change\": \"head patch\", \"part\": \"w\", \"block\": 0, \"head\": 0}]}"),
                   "\"w\""));
    CHECK(
        contains(opened("{\"what_if\": [{\"change\": \"head patch\", \"block\": 0, \"head\": 0, \"partners\": [-2]}]}"),
                 "partners"));
    CHECK(opened(
              "{\"what_if\": [{\"change\": \"patch\", \"from\": {\"node\": \"x\", \"position\": 3}, \"to\": {\"node\": "
              "\"logits\", \"position\": 70}}]}") != "");
}
