// What `lesson check` finds by itself, and what a lesson must do to pass.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/cli/lesson_check.h"
#include "app/common/lesson_secrets.h"
#include "app/common/view_state.h"
#include "tests/ui/one_lesson.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const std::string bats = "A: He swung the bat and hit a foul.\nB: A bat flew out of the cave at dusk.\n";

/// One line per problem found.
std::string found_in(const std::string& steps) {
    const OneLesson lesson("model: homonyms\n" + steps);
    Story story({.lessons = lesson.folder});
    LessonCheck check(story.app, story.session, *story.host.ui().items, [&](const auto& input) { story.frame(input); });
    std::string all;
    for (const std::string& found : check.play("try")) all += found + "\n";
    return all;
}

}  // namespace

TEST_CASE("story: the head that a lesson found stays the same at every training step") {
    const OneLesson lesson("model: homonyms\n== One\n" + bats +
                           "head: strongest\n\nBlock {block}, head {head}.\n== Two\nstep: 0\npanel: Training\n\nBlock "
                           "{block}, head {head}.\n== Three\nhead: strongest\n\nBlock {block}, head {head}.\n");
    ViewState trained;
    {
        Story story({.lessons = lesson.folder});
        choose_strongest_head(trained = story.state(), story.snapshot());
        REQUIRE(story.play("lesson try 1\nframes 4") == "");
        CHECK(head_of(story.state(), 0) == head_of(trained, 0));
        CHECK(story.play("lesson try 2\nframes 4\nexpect step == 0") == "");
        CHECK(head_of(story.state(), 0) == head_of(trained, 0));
        // A step that asks for the strongest head again gets the strongest of what it shows: at step 0, another one.
        CHECK(story.play("lesson try 3\nframes 4\nexpect step == 0") == "");
        CHECK(head_of(story.state(), 0) != head_of(trained, 0));
    }
    // Started at that step, then dragged to the end.
    Story story({.lessons = lesson.folder});
    REQUIRE(story.play("lesson try 2\nframes 4\nexpect step == 0") == "");
    CHECK(head_of(story.state(), 0) == head_of(trained, 0));
    CHECK(story.value("lesson/number 1") == head_of(trained, 0).head);
    REQUIRE(story.play("drag playhead 3000 0\nwait step == 1200") == "");
    story.settle();
    CHECK(head_of(story.state(), 0) == head_of(trained, 0));
}

TEST_CASE("story: the check of a lesson performs a step's actions, and compares the result with its text") {
    const std::string steps = "== One\n" + bats +
                              "layer: 1\nhead: 2\nword A: bat\nstep: 0\npanel: Training\ntry: drag playhead 3000 0\n"
                              "then: {A: pattern \"bat\" → \"foul\"} THAN\n\nDrag the playhead to the end.\n"
                              "== Two\nstep: newest\ntry: key x\nthen: {changes} = 1\ntry: key r\n"
                              "then: {changes} = 0\n\nPress X, then R; step {step}, {changes} changes.\n";
    const auto with = [&](const std::string& than) {
        std::string all = steps;
        return all.replace(all.find("THAN"), 4, than);
    };
    CHECK(found_in(with("> 0.3")) == "");
    const std::string wrong = found_in(with("< 0.3"));
    CAPTURE(wrong);
    CHECK(contains(wrong,
                   "try:12: step 1: the text says that once that is done {A: pattern \"bat\" → \"foul\"} < 0.3, "
                   "and here it is 0.61 < 0.3"));
    const std::string nowhere = found_in("== One\n" + bats + "try: click nowhere\n\nClick it.\n");
    CAPTURE(nowhere);
    CHECK(contains(nowhere, "try:6: step 1: try: click nowhere: there is no item \"nowhere\" on screen"));
}

TEST_CASE("story: the check of a lesson reports an ambiguous model after a task on a fresh one") {
    const std::string task =
                          "== One\nmodel: fresh homonyms\n" + bats + "task: {step} > 5\n\nTrain it.\n== Two\n\nText.\n",
                      found = found_in(task + "== Three\nmodel: homonyms\n\nText.\n");
    CAPTURE(found);
    CHECK(found.starts_with("try:13: step 3: \"model: homonyms\" after a task on a fresh one is the student's own"));
    CHECK(!contains(found, "step 1"));
    CHECK(found_in(task + "== Three\nmodel: shipped homonyms\n\nText.\n") == "");
}

TEST_CASE("story: the check of a lesson reports a question with a single choice") {
    const std::string found =
        found_in("== One\n" + bats + "choices: {A: word 2} of 4\n\nWhich word?\n---\n\nThis one.\n");
    CAPTURE(found);
    CHECK(contains(found, "choice: there is nothing to choose from"));
}

TEST_CASE("story: the check of a lesson finds an answer that was visible on an earlier screen") {
    const std::string question =
        "panel: Meaning\nlight: accuracy chance\nchoice: little when {accuracy[embedding]} < 0.7\n"
        "choice: much when {accuracy[embedding]} >= 0.7\n\nHow well?\n---\nlight: accuracy 0\n\nSo well.\n";
    const std::string early = found_in("== One\n" + bats + "panel: Meaning\n\nText.\n== Two\n" + question);
    CAPTURE(early);
    CHECK(contains(early, "step 2: the answer is in sight in step 1: \"accuracy 0\""));
    CHECK(contains(early, "step 2: what the answer points at is in sight in step 1: \"accuracy 0\""));
    CHECK(!contains(early, "before the guess"));  // there it is covered
    CHECK(found_in("== One\n" + bats + "panel: Words\n\nText.\n== Two\n" + question) == "");
    // Maps are told apart by what they show: the last block's, not the embedding's.
    const std::string map =
        "panel: Meaning\nmeaning map: embedding\nchoice: apart when {accuracy[last]} > 0.7\n"
        "choice: mixed when {accuracy[last]} <= 0.7\n\nAnd then, {accuracy[last]}?\n---\nlayer: last\n"
        "meaning map: follow\nlight: meaning map\n\nSo.\n";
    const std::string shown = found_in("== One\n" + bats + "layer: last\npanel: Meaning\n\nText.\n== Two\n" + map);
    CAPTURE(shown);
    CHECK(contains(shown, "step 2: what the answer points at is in sight in step 1: \"meaning map\""));
    const std::string other =
        found_in("== One\n" + bats + "layer: last\npanel: Meaning\nmeaning map: embedding\n\nText.\n== Two\n" + map);
    CHECK(!contains(other, "meaning map"));
}

TEST_CASE("story: the check of a lesson finds an answer printed in a text") {
    const std::string head = bats + "step: newest\nlayer: 1\nhead: 2\nword A: bat\npanel: Training\n",
                      question =
                          "choice: much when {A: pattern \"bat\" → \"foul\"} > 0.3\n"
                          "choice: little when {A: pattern \"bat\" → \"foul\"} <= 0.3\n\nHow much?";
    const std::string early =
        found_in("== One\n" + head + "\nThe weight is 0.61.\n== Two\n" + question + "\n---\n\nMuch.\n");
    CAPTURE(early);
    CHECK(contains(early, "step 2: a text gives the answer away in step 1: \"0.61"));
    CHECK(!contains(early, "before the guess"));
    const std::string here = found_in("== One\n" + head + question + " Is it 0.61?\n---\n\nMuch.\n");
    CAPTURE(here);
    CHECK(contains(here, "step 1: a text gives the answer away before the guess: \"0.61"));
    const std::string other = found_in("== One\n" + head + question + " Is it 0.16?\n---\n\nMuch.\n");
    CAPTURE(other);
    CHECK(!contains(other, "a text gives"));
}

TEST_CASE("story: a step shows what it points at, on a small laptop's screen and on the stage") {
    Story story({.size = {1366, 768}});
    LessonCheck check(story.app, story.session, *story.host.ui().items, [&](const auto& input) { story.frame(input); });
    for (const bool stage : {false, true}) {
        story.state().presenter = stage;
        for (const char* lesson : {"1_two_kinds_of_bat", "5_many_heads", "12_in_context"})
            for (const std::string& found : check.play(lesson)) FAIL_CHECK(found);
    }
    // The bar that is asked about, and the frame around it, lie above the timeline.
    story.state().presenter = false;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 9\nframes 10\nkey 1\nwait lesson/scene == 1\nframes 8") == "");
    const Item *bar = story.find("accuracy 2"), *timeline = story.find("timeline");
    REQUIRE((bar && timeline));
    CHECK(bar->in_sight);
    CHECK(bar->max.y < timeline->min.y);
    for (const Item& item : story.host.items().all())
        if (item.label == "lesson/light" && item.text.starts_with("accuracy")) CHECK(item.max.y < timeline->min.y);
}

TEST_CASE("story: the check of a lesson finds an answer in a title and in a caption") {
    const std::string answer =
        "choice: They are the same when {A: embed \"bat\" 0} = {B: embed \"bat\" 0}\n"
        "choice: They differ when {A: embed \"bat\" 0} != {B: embed \"bat\" 0}\n\nAre they?\n---\n\nSo.\n";
    const std::string title = found_in("== The same numbers\n" + bats + "panel: A\n" + answer);
    CAPTURE(title);
    CHECK(contains(title, "step 1: the title gives the answer away: \"same\""));
    CHECK(found_in("== Where it begins\n" + bats + "panel: A\n" + answer) == "");
    const std::string norm =
        "view: LayerNorm\nword A: foul\nHIDEchoice: All words when {length} < 2\n"
        "choice: The {d_model} features of it when {length} > 1\n\nOf what?\n---\n\nSo.\n";
    const auto with = [&](const std::string& hide) {
        std::string all = norm;
        return "== One\n" + bats + all.replace(all.find("HIDE"), 4, hide);
    };
    const std::string caption = found_in(with(""));
    CAPTURE(caption);
    CHECK(contains(caption, "\"A/norm meaning\" gives the answer away before the guess"));
    CHECK(found_in(with("compare: no\nhide: A/norm meaning\nhide: A/norm words\n")) == "");
}

TEST_CASE("story: after a wrong guess the reason is shown, and only then") {
    const OneLesson lesson(
        "model: homonyms\n== One\n" + bats +
        "choice: nine when {length} = 9\nchoice: ten when {length} = 10\n"
        "because: Count once more: {length}.\n\nHow many?\n---\n\nNine.\n== Two\nword A: the\n"
        "choices: {A: top \"bat\"} of 4\nbecause: Not that one.\n\nWhich?\n---\nword A: bat\n\nSo.\n");
    Story story({.lessons = lesson.folder});
    const auto guess = [&](int step, const std::string& key) {
        REQUIRE(story.play("lesson try " + std::to_string(step) + "\nframes 4\nkey " + key +
                           "\nwait lesson/scene == 1\nframes 4") == "");
        return story.text("lesson/because");
    };
    CHECK(guess(1, "2") == "Count once more: 9.");
    CHECK(story.value("lesson/because 0") == 9);
    CHECK(story.find("lesson/because")->min.y > story.find("lesson/choice 2")->max.y);
    CHECK(story.play("key n\nwait lesson == 2\nkey Escape\nframes 4") == "");
    story.settle();
    CHECK(guess(1, "1") == "");
    CHECK(story.play("key Escape\nframes 4") == "");
    story.settle();
    CHECK(guess(1, "n") == "");
    // Generated choices: every wrong one gets the explanation.
    CHECK(story.play("lesson try 2\nframes 4") == "");
    const std::vector<std::string> choices = story.app.lessons().asked().choices;
    const auto right = std::ranges::find(choices, "foul") - choices.begin();
    CHECK(guess(2, std::to_string(right == 0 ? 2 : 1)) == "Not that one.");
    CHECK(story.play("key Escape\nframes 4") == "");
    story.settle();
    CHECK(guess(2, std::to_string(right + 1)) == "");
}

TEST_CASE("every wrong choice of the shipped lessons has a reason") {
    const LessonFolder folder(GLASSFORMER_SOURCE_DIR "/assets/lessons");
    REQUIRE(folder.lessons().size() == 15);
    for (const auto& lesson : folder.lessons())
        for (const LessonStep& step : lesson->steps) {
            if (!step.question) continue;
            const Question& q = *step.question;
            CAPTURE(lesson->name);
            CAPTURE(step.title);
            const auto silent = std::ranges::count_if(q.choices, [](const Choice& c) { return c.because.empty(); });
            if (q.of)
                CHECK_FALSE(q.because.empty());
            else
                CHECK(silent <= 1);  // the right one
        }
}

TEST_CASE("story: in the shipped lessons the one choice without a reason is the right one") {
    Story story({.size = {1280, 720}});
    int asked = 0;
    for (const auto& lesson : story.app.lessons().folder().lessons()) {
        const auto experiments = [](const LessonStep& step) { return !step.scene.experiment.empty(); };
        if (std::ranges::any_of(lesson->steps, experiments)) continue;  // its answers need runs of many seconds
        for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
            const LessonStep& step = lesson->steps[i];
            if (!step.question || step.question->of || step.scene.fresh) continue;
            const std::vector<Choice>& choices = step.question->choices;
            const auto silent = std::ranges::find_if(choices, [](const Choice& c) { return c.because.empty(); });
            if (silent == choices.end()) continue;
            const std::string name = lesson->name + " " + std::to_string(i + 1);
            CAPTURE(name);
            REQUIRE(story.play("lesson " + name +
                               "\nwait lesson/scene == 1\nframes 2\nkey 1\nwait lesson/scene == 1\nframes 2") == "");
            const std::vector<bool>& right = story.app.lessons().asked().right;
            REQUIRE(right.size() == choices.size());
            CHECK(right[static_cast<std::size_t>(silent - choices.begin())]);
            ++asked;
        }
    }
    CHECK(asked > 40);
}

TEST_CASE("story: the example of lesson 7 covers its mean and the results until they are worked out") {
    for (const bool stage : {false, true}) {
        Story story({.size = {1280, 720}});
        if (stage) REQUIRE(story.play("key F5\nframes 3") == "");
        const auto covered = [&](const char* what) {
            const Item* item = story.find(std::string("A/norm example ") + what);
            REQUIRE_MESSAGE(item, what);
            return std::ranges::any_of(story.host.items().all(), [&](const Item& cover) {
                return cover.label == "lesson/covered" && cover.contains(item->centre());
            });
        };
        REQUIRE(story.play("lesson 7_layer_norm 2\nframes 8") == "");
        for (const char* what : {"mean", "variance", "difference 0", "difference 3", "out 0", "out 3"})
            CHECK_MESSAGE(covered(what), what);
        CHECK_FALSE(covered("1"));  // the numbers to compute the answer from
        REQUIRE(story.play("key 2\nwait lesson/scene == 1\nframes 8\nexpect_no_item lesson/covered") == "");
        REQUIRE(story.play("lesson 7_layer_norm 3\nframes 8") == "");
        for (const char* what : {"mean", "variance", "out 0", "out 3"}) CHECK_MESSAGE(covered(what), what);
        for (const char* what : {"1", "difference 0", "difference 3"}) CHECK_FALSE_MESSAGE(covered(what), what);
        REQUIRE(story.play("key 2\nwait lesson/scene == 1\nframes 8\nexpect_no_item lesson/covered") == "");
    }
}

TEST_CASE("a lesson covers the same items in every language") {
    namespace fs = std::filesystem;
    const auto covers = [](const fs::path& file) {
        std::ifstream in(file);
        std::string covered;
        for (std::string line; std::getline(in, line);)
            if (line.starts_with("== ") || (line.starts_with("hide: ") && !contains(line, "{")))
                covered += line.starts_with("==") ? "==\n" : line + "\n";
        return covered;
    };
    int translated = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(GLASSFORMER_SOURCE_DIR "/assets/lessons")) {
        const std::string name = entry.path().stem().string();
        const std::size_t language = name.find('.');
        if (entry.path().extension() != ".lesson" || language == std::string::npos) continue;
        CAPTURE(name);
        ++translated;
        CHECK(covers(entry.path()) == covers(entry.path().parent_path() / (name.substr(0, language) + ".lesson")));
    }
    CHECK(translated >= 14);
}

TEST_CASE("story: what a question asks about is covered, even if it is partly scrolled out of view") {
    const OneLesson lesson("model: homonyms\n== One\n" + bats +
                           "view: Attention\nword A: bat\nchoice: small when {A: sigma \"bat\"} < 0.1\n"
                           "choice: large when {A: sigma \"bat\"} >= 0.1\n\nHow large?\n---\n\nSo.\n");
    int cut = 0;
    for (int height = 660; height < 680; height += 4) {
        CAPTURE(height);
        Story story({.size = {1366, height}, .lessons = lesson.folder});
        REQUIRE(story.play("lesson try 1\nframes 4") == "");
        const Items& items = story.host.items();
        for (const Item& item : items.all()) {
            if (item.area < 0 || !item.value || !story.state().own<LessonSecrets>().holds(*item.value)) continue;
            const ScrolledArea& area = items.areas()[item.area];
            const float top = std::max(item.min.y, area.min.y), bottom = std::min(item.max.y, area.max.y);
            if (bottom - top < 1) continue;
            cut += bottom - top < item.max.y - item.min.y;
            CAPTURE(item.label);
            CHECK(std::ranges::any_of(items.all(), [&](const Item& cover) {
                return cover.label == "lesson/covered" && cover.min.x <= item.min.x && cover.max.x >= item.max.x &&
                       cover.min.y <= top && cover.max.y >= bottom;
            }));
        }
    }
    CHECK(cut > 0);
}
