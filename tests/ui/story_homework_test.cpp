#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/lessons/homework.h"
#include "app/lessons/lesson_file.h"
#include "core/io/glass_file.h"
#include "core/platform/atomic_file.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

constexpr const char* homework =
    "lesson: Take apart\nmodel: homonyms\n\n== Silence\nA: the bat hit the ball .\n"
    "task: {A: size_attention[0] \"bat\"} < 0.001 and {changes} = 1\n"
    "hint: Look at **What if**.\nhint: Block 0 has {heads} heads.\n\nLet block 0 add nothing.\n\n"
    "== Learn\nmodel: fresh homonyms\nA: the bat hit the ball .\ntask: {step} <= 20 and {loss} < 7 and {step} > 0\n\n"
    "Train a little.\n";

}  // namespace

TEST_CASE("story: a task shows progress, gives hints, counts attempts, and is handed in with a name") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson", homework);
    const fs::path file = folder / "ada.glass";
    {
        Story story({.lessons = folder.path()});
        REQUIRE(story.play("lesson apart\nframes 4\nexpect_item lesson/check\nexpect lesson/attempt == 0\n"
                           "click lesson/check\nframes 3\nexpect lesson/attempt == 1\nexpect_no_item lesson/done") ==
                "");
        const std::string attempt = story.text("lesson/attempt");
        CAPTURE(attempt);
        CHECK(attempt.starts_with("A: size_attention[0] \"bat\" = "));
        CHECK(contains(attempt, " (asked: < 0.001)  ·  changes = 0 (asked: = 1)"));
        CHECK(story.play("expect_no_item \"lesson/hint 0\"\nclick lesson/hint\nframes 2\nclick lesson/hint\nframes 3\n"
                         "expect_text \"lesson/hint 0\" 4") == "");
        // Two changes are one too many; but whatever already holds is not in the way.
        story.send(command::SetWhatIf{{what_if::AttentionOff{0}, what_if::MlpOff{1}}});
        CHECK(story.play("click lesson/check\nframes 3\nexpect_no_item lesson/done") == "");
        CHECK(story.text("lesson/attempt") == "changes = 2 (asked: = 1)");
        // In another sentence, the task would be too easy.
        story.session.send(command::SetWhatIf{{what_if::AttentionOff{0}}});
        story.send(command::Watch{0, "a bat flew ."});
        CHECK(story.play("click lesson/check\nframes 3\nexpect_no_item lesson/done") == "");
        CHECK(contains(story.text("lesson/attempt"), "sentence A"));
        story.send(command::Watch{0, "the bat hit the ball ."});
        CHECK(story.play("click lesson/check\nframes 3\nexpect lesson/done == 1\nexpect lesson/attempt == 4") == "");

        // The second task trains.
        CHECK(story.play("click lesson/next\nframes 6") == "");
        story.settle(6);
        REQUIRE(story.app.lessons().on_screen());
        CHECK(story.play("click lesson/check\nframes 2\nexpect_no_item lesson/done") == "");
        story.session.send(command::MakeSteps{15});
        REQUIRE(story.until([&] { return story.session.snapshot()->live_step >= 15; }));
        story.settle();
        CHECK(story.play("click lesson/check\nframes 3\nexpect lesson/done == 1") == "");

        CHECK(story.play("click \"lesson/hand in\"\nframes 2\ntype Ada\nframes 2\nexpect_item palette/chosen") == "");
        CHECK(story.text("palette/chosen").find("Hand in as Ada: ") == 0);
        CHECK(story.text("palette/chosen").ends_with("Ada-Take-apart.glass"));
        story.state().window.palette = {};
        story.state().window.handing_on = {file.string(), "Ada Lovelace"};
        story.frames(2);
        story.settle(2);
        CHECK(contains(story.text("notice"), "Send that file to your teacher"));
    }
    const HandedIn in = answers_from_json(read_lesson_bundle(file).answers, "x");
    CHECK(in.tasks.at(1).changed == "");
    CHECK(in.student == "Ada Lovelace");
    CHECK(in.lesson == "apart");
    REQUIRE(in.tasks.size() == 2);
    CHECK(in.tasks.at(0).attempts == 4);
    CHECK(in.tasks.at(0).hints == 2);
    CHECK(in.tasks.at(0).done);
    CHECK(contains(in.tasks.at(1).evidence, "\"step\":15"));
    // The reopened file continues the homework.
    Story again({.model = file.string()});
    again.settle(8);
    again.settle();
    CHECK(again.app.lessons().homework().at("apart", 0).attempts == 4);
    CHECK(again.app.lessons().homework().at("apart", 1).done);
}

TEST_CASE("story: a task whose training settings changed midway is not marked until it is trained again") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson", homework);
    const fs::path file = folder / "ada.glass";
    Story story({.lessons = folder.path()});
    const auto train_to = [&](std::int64_t step) {
        story.session.send(command::MakeSteps{step - story.session.snapshot()->live_step});
        REQUIRE(story.until([&] { return story.session.snapshot()->live_step >= step; }));
        story.settle();
        REQUIRE(story.snapshot().live_step == step);
    };
    const auto hand_in = [&] {
        story.state().window.handing_on = {file.string(), "Ada"};
        story.frames(2);
        story.settle(2);
        return answers_from_json(read_lesson_bundle(file).answers, "x").tasks.at(1);
    };
    REQUIRE(story.play("lesson apart 2\nframes 6") == "");
    story.settle(6);
    // Settings chosen before the first step do not count as changes midway.
    story.session.send(command::SetLearningRate{0.002f});
    train_to(8);
    CHECK(story.snapshot().current_run()->origin.change == "");
    story.session.send(command::SetLearningRate{0.002f});
    train_to(9);
    CHECK(story.snapshot().current_run()->origin.change == "");
    story.session.send(command::SetLearningRate{0.004f});
    train_to(12);
    CHECK(story.snapshot().current_run()->origin.change == "learning rate 0.004");
    CHECK(story.play("click lesson/check\nframes 3\nexpect_text lesson/done \"Done, but not marked\"") == "");
    CHECK(hand_in().changed == "learning rate 0.004");
    CHECK(contains(story.text("notice"),
                   "“Learn” cannot be marked: the training's settings changed midway (learning rate 0.004)"));

    story.send(command::Reset{});
    train_to(10);
    CHECK(story.snapshot().current_run()->origin.change == "");
    CHECK(story.play("click lesson/check\nframes 3\nexpect_text lesson/done Done") == "");
    CHECK(hand_in().changed == "");
    CHECK(!contains(story.text("notice"), "cannot be marked"));

    // Saved and reopened, it is still not reproducible from its seed.
    story.session.send(command::SetLearningRate{0.001f});
    train_to(12);
    story.send(command::KeepRun{(folder / "kept").string()});
    REQUIRE(story.snapshot().error == "");
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/order"});
    story.send(command::OpenRun{(folder / "kept").string()});
    REQUIRE(story.snapshot().live_step == 12);
    CHECK(story.snapshot().current_run()->origin.change == "learning rate 0.001");
}

TEST_CASE("story: answers of a lesson with tasks survive a restart, and damaged ones are set aside") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "lessons");
    write_file_atomically(folder / "lessons" / "apart.lesson",
                          std::string(homework) +
                              "\n== Asked\nA: the bat hit the ball .\nchoice: Yes when {heads} > 99\nchoice: No when "
                              "{heads} < 99\n\nMany?\n\n---\n\nNo.\n");
    const fs::path lessons = folder / "lessons", kept = folder / "kept", glass = folder / "ada.glass";
    const auto begin = [&](Story& story) {
        story.app.lessons().keep_homework_in(kept);
        REQUIRE(story.play("click lessons\nclick \"lessons/Take apart\"\nframes 3") == "");
        if (story.shows("lesson/open model")) REQUIRE(story.play("click \"lesson/open model\"\nframes 3") == "");
        story.settle(6);
        story.settle(4);
        REQUIRE(story.app.lessons().open());
    };
    const auto answers = [](Story& story) { return story.app.lessons().homework().of_lesson("apart"); };
    const auto hand_in = [&](Story& story, const char* student) {
        story.state().window.handing_on = {glass.string(), student};
        story.frames(2);
        story.settle(2);
    };
    std::map<int, TaskAnswer> done;
    {
        Story story({.lessons = lessons});
        begin(story);
        CHECK_FALSE(fs::exists(kept));  // nothing has been done yet
        CHECK(story.play("click lesson/check\nframes 1") == "");
        CHECK(answers(story)[0].attempts == 1);
        story.send(command::SetWhatIf{{what_if::AttentionOff{0}}});
        CHECK(story.play("click lesson/hint\nframes 2\nclick lesson/check\nframes 3\nexpect lesson/done == 1") == "");
        story.session.send(command::SetWhatIf{{}});
        CHECK(story.play("click lesson/next\nframes 6") == "");
        story.settle(6);
        CHECK(story.play("click lesson/next\nframes 6") == "");
        story.settle(6);
        CHECK(story.play("click \"lesson/choice 2\"\nframes 2") == "");
        done = answers(story);
        REQUIRE(done.at(0).done);
        // Left and reopened in the same window, it is unchanged.
        CHECK(story.play("click lesson/leave\nframes 6") == "");
        story.settle(4);
        begin(story);
        CHECK(story.app.lessons().progress().guesses.back() == 1);
    }
    CHECK(std::distance(fs::directory_iterator(kept), {}) == 1);
    {
        Story story({.lessons = lessons});  // knows nothing else of the previous one
        begin(story);
        CHECK(answers(story).at(0) == done.at(0));
        CHECK(story.app.lessons().at() == 2);
        CHECK(story.app.lessons().guess() == 1);
        CHECK(contains(story.text("notice"), "1 of 2 tasks done"));
        hand_in(story, "Ada");
    }
    CHECK(answers_from_json(read_lesson_bundle(glass).answers, "x").tasks.at(0).attempts == 2);
    fs::remove_all(kept);
    {
        Story story({.model = glass.string(), .lessons = lessons});
        story.app.lessons().keep_homework_in(kept);
        story.settle(8);
        story.settle(4);
        REQUIRE(story.app.lessons().open());
        const std::string name = story.app.lessons().lesson()->name;
        CHECK(story.app.lessons().homework().student_of(name) == "Ada");
        CHECK(contains(story.text("notice"), "the answers of Ada"));
        CHECK(story.app.lessons().homework().at(name, 0).done);
        CHECK(story.play("lesson " + name + " 1\nframes 6\nclick lesson/check\nframes 4") == "");
        CHECK_FALSE(fs::exists(kept));  // it belongs to the student who handed it in
        story.frames(2);
        CHECK(story.play("click lesson/leave\nframes 6") == "");
        story.settle(4);
        begin(story);
        CHECK(answers(story)[0] == TaskAnswer{});  // and not to the person at the window
    }
    {
        Story story({.lessons = lessons});
        begin(story);
        CHECK(story.play("click lesson/check\nframes 3") == "");
        CHECK(answers(story)[0].attempts == 1);
        story.state().window.lessons.ask = LessonMenu::Ask::over;
        story.frames(3);
        CHECK(answers(story)[0].attempts == 0);
        CHECK(contains(story.text("notice"), ".before"));
        CHECK(story.app.lessons().at() == 0);
        CHECK(story.play("click lesson/check\nframes 3") == "");
        story.state().window.lessons.ask = LessonMenu::Ask::over;  // what was put aside earlier stays too
        story.frames(3);
        CHECK(contains(story.text("notice"), ".before-2"));
        CHECK(story.play("click lesson/check\nframes 3") == "");
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(kept))
        if (entry.path().extension() == ".json") std::ofstream(entry.path()) << "{ no answers";
    {
        Story story({.lessons = lessons});
        begin(story);
        CHECK(answers(story)[0] == TaskAnswer{});
        CHECK(contains(story.text("notice"), "cannot be read"));
        CHECK(story.play("click lesson/check\nframes 3") == "");
        CHECK(answers(story)[0].attempts == 1);
    }
    CHECK(std::ranges::count_if(fs::directory_iterator(kept), [](const fs::directory_entry& entry) {
              return entry.path().extension() == ".damaged";
          }) == 1);
    fs::remove_all(kept);
    std::ofstream(kept) << "a file where the folder is to be";
    Story story({.lessons = lessons});
    begin(story);
    CHECK(story.play("click lesson/check\nframes 3") == "");
    CHECK(contains(story.text("notice"), "lost when the window closes"));
    CHECK(answers(story)[0].attempts == 1);
}

TEST_CASE("story: leaving a lesson before its task is checked keeps the training") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "apart.lesson", homework);
    Story story({.lessons = folder.path()});
    const auto rest = [](Story& s) {
        s.frames(6);
        s.settle(6);
    };
    const auto train = [&](Story& s) {
        REQUIRE(s.play("lesson apart 2\nframes 6") == "");
        rest(s);
        s.session.send(command::MakeSteps{7});
        REQUIRE(s.play("wait step == 7 timeout 60\nwait train == 0 timeout 60") == "");
        rest(s);
    };
    train(story);
    REQUIRE(story.play("click lesson/leave\nframes 4") == "");
    rest(story);
    CHECK(story.snapshot().live_step == 7);
    CHECK_FALSE(story.app.lessons().open());
    // The lesson continues with it.
    REQUIRE(story.play("click lessons\nclick \"lessons/Take apart\"\nframes 4") == "");
    rest(story);
    REQUIRE(story.app.lessons().open());
    CHECK(story.snapshot().live_step == 7);
    CHECK(story.play("click lesson/check\nframes 3\nexpect lesson/done == 1") == "");
    // If the task is done, the training is kept with the answers, and the previous model comes back.
    Story done({.lessons = folder.path()});
    train(done);
    REQUIRE(done.play(
                "frames 2\nclick lesson/check\nframes 3\nexpect lesson/done == 1\nclick lesson/leave\nframes 4") == "");
    rest(done);
    CHECK(done.snapshot().step == 1200);
}

TEST_CASE("work in two windows on one lesson is kept together") {
    const TemporaryFolder folder;
    const Lesson lesson = parse_lesson(homework, "apart");
    const auto kept = [&] {
        KeptHomework one;
        one.keep_in(folder / "kept");
        return one;
    };
    KeptHomework first = kept(), second = kept();
    CHECK_FALSE(first.read(lesson));
    CHECK_FALSE(second.read(lesson));
    TaskAnswer done, tried;
    done.attempts = 3, done.done = true, done.shown = "0 < 1", done.evidence = "{}";
    tried.attempts = 1;
    first.write(lesson, {{{0, done}}, {LessonRunner::no_guess, 1}, 0});
    second.write(lesson, {{{0, tried}, {1, done}}, {2}, 1});
    const LessonWork both{{{0, done}, {1, done}}, {2, 1}, 1};
    CHECK(kept().read(lesson) == both);
    first.write(lesson, {{{0, done}}, {0, 1}, 0});  // another guess
    CHECK(kept().read(lesson)->guesses == std::vector{0, 1});
    CHECK(kept().read(lesson)->tasks == both.tasks);
}

TEST_CASE("work in a lesson comes back in another language and after other titles") {
    const TemporaryFolder folder;
    const auto kept = [&] {
        KeptHomework one;
        one.keep_in(folder / "kept");
        return one;
    };
    const Lesson english = parse_lesson(homework, "apart");
    Lesson german = english;
    german.title = "Zerlegt";
    for (LessonStep& step : german.steps) step.title = "Schritt " + step.title;
    TaskAnswer done;
    done.attempts = 1, done.done = true, done.shown = "0 < 1", done.evidence = "{}";
    const LessonWork work{{{0, done}}, {LessonRunner::no_guess, 1}, 1};
    kept().write(english, work);
    CHECK(kept().read(german) == work);
    LessonWork more = work;
    more.tasks[1] = done;
    KeptHomework other = kept();
    other.read(german);
    other.write(german, more);
    CHECK(kept().read(english) == more);  // there is one file
    // Another lesson of the same name has its own work, and a file with the name of an older version still counts.
    Lesson another = german;
    another.title = "Another";
    another.steps[0].task->done.source = "{step} > 3";
    CHECK_FALSE(kept().read(another));
    const fs::path file = fs::directory_iterator(folder / "kept")->path();
    const std::string name = file.filename().string();
    fs::rename(file, folder / "kept" / (name.substr(0, name.find('-')) + ".json"));
    CHECK(kept().read(english) == more);
    CHECK(fs::exists(file));
    CHECK_FALSE(kept().put_aside(german).empty());
    CHECK_FALSE(kept().read(english));
}

TEST_CASE("tasks in a lesson file are parsed, and errors are reported with their line") {
    const Lesson lesson = parse_lesson(homework, "apart");
    REQUIRE(lesson.steps[0].task);
    CHECK(lesson.steps[0].task->hints.size() == 2);
    CHECK(lesson.steps[0].task->done.all.size() == 2);
    CHECK_FALSE(lesson.steps[0].task->typing);
    CHECK(has_tasks(lesson));
    const auto wrong = [](const std::string& fields) {
        return error_of([&] { parse_lesson("lesson: X\n\n== One\n" + fields + "\n\nText.\n", "x"); });
    };
    CHECK(contains(wrong("hint: Try."), "x:4: task: is missing"));
    CHECK(contains(wrong("task: {nonsense} > 1"), "x:4: task: "));
    CHECK(wrong("task: {step} > 1\nchoice: a when {step} > 1\nchoice: b when {step} < 1").find("x:") == 0);
    CHECK(contains(wrong("task: {step} > 1\ntyping: perhaps"), "x:5: typing: "));
}

TEST_CASE("handed-in answers are read back as written, and invalid ones are rejected") {
    HandedIn in{"Ada", "apart", {}, {-1, 2}};
    in.tasks[2] = {3, 1, true, "0.31 > 0.5", "{\"scene\":{}}", ""};
    const HandedIn back = answers_from_json(answers_to_json(in), "x");
    CHECK(back.student == "Ada");
    CHECK(back.guesses == in.guesses);
    REQUIRE(back.tasks.contains(2));
    CHECK(back.tasks.at(2).attempts == 3);
    CHECK(back.tasks.at(2).evidence == "{\"scene\":{}}");
    const std::string head = "{\"format\":\"glassformer homework\",\"version\":1,\"student\":\"A\",\"lesson\":\"l\"";
    CHECK(answers_from_json(head + "}", "x").tasks.empty());
    for (const char* rest :
         {",\"tasks\":[]}", ",\"tasks\":{\"0\":{}}}", ",\"tasks\":{\"-1\":{}}}", ",\"tasks\":{\"1\":3}}",
          ",\"tasks\":{\"1\":{\"attempts\":-2}}}", ",\"tasks\":{\"1\":{\"evidence\":\"yes\"}}}", ",\"guesses\":[1.5]}",
          ",\"guesses\":[-9]}", ",\"guesses\":3}"}) {
        CAPTURE(rest);
        CHECK(error_of([&] { answers_from_json(head + rest, "x.glass"); }).starts_with("x.glass"));
    }
    CHECK(contains(error_of([&] {
                       answers_from_json("{\"format\":\"glassformer homework\",\"version\":2,\"student\":\"A\"}", "x");
                   }),
                   "newer"));
}

TEST_CASE("story: after a task on a fresh model, a step with the shipped model opens that one") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "shipped.lesson",
                          "lesson: Train first\nmodel: homonyms\n\n== Begin\nA: the bat hit the ball .\n\nLook.\n\n"
                          "== Learn\nmodel: fresh homonyms\nA: the bat hit the ball .\ntask: {step} > 0\n\nTrain.\n\n"
                          "== Yours\nmodel: homonyms\nA: the bat hit the ball .\n\nYour own model.\n\n"
                          "== Ours\nmodel: shipped homonyms\nA: the bat hit the ball .\n\nThe program's model.\n");
    Story story({.lessons = folder.path()});
    const std::string shipped = story.snapshot().model->folder;
    REQUIRE(shipped.ends_with("homonyms"));
    REQUIRE(story.play("lesson shipped\nframes 4\nclick lesson/next\nframes 6") == "");
    REQUIRE(story.until([&] { return story.snapshot().model->folder.empty() && story.snapshot().live_step == 0; }));
    story.settle();
    story.make_steps(7);
    CHECK(story.play("click lesson/check\nframes 3\nexpect lesson/done == 1\nclick lesson/next\nframes 6") == "");
    story.settle();
    CHECK(story.snapshot().model->folder == "");
    CHECK(story.snapshot().live_step == 7);
    CHECK(story.play("click lesson/next\nframes 6") == "");
    CHECK(story.until([&] { return fs::path(story.snapshot().model->folder) == fs::path(shipped); }));
}
