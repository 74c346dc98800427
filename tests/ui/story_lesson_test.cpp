#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/cli/lesson_check.h"
#include "app/desktop/history.h"
#include "app/desktop/settings.h"
#include "app/session/startup.h"
#include "core/analysis/embedding_map.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/one_lesson.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

namespace fs = std::filesystem;
const std::string bats = "1_two_kinds_of_bat";

std::span<const float> stream(const Trace& trace, int layer, int position) {
    const std::string node = layer == 0 ? "blocks.0.hook_resid_pre" : block(layer - 1, "hook_resid_post");
    return trace.values(node).subspan(static_cast<std::size_t>(position) * 64, 64);
}

double distance(std::span<const float> a, std::span<const float> b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
        ab += x * y, aa += x * x, bb += y * y;
    }
    return 1 - ab / std::sqrt(aa * bb);
}

double at(std::span<const float> values, std::size_t i) { return static_cast<double>(values[i]); }

}  // namespace

// In a small window; scripts/soak.sh plays them in a larger one too.
TEST_CASE("story: every lesson can be played to its end, and its check finds no problem") {
    Story story({.size = {1280, 720}});
    LessonCheck check(story.app, story.session, *story.host.ui().items, [&](const auto& input) { story.frame(input); });
    for (const auto& lesson : story.app.lessons().folder().lessons())
        for (const std::string& found : check.play(lesson->name)) FAIL_CHECK(found);
}

TEST_CASE("story: the check of a lesson names what is wrong with it") {
    const OneLesson file(
        "== One\nA: He swung the bat and hit a foul.\nB: A bat flew out of the cave at dusk.\n"
        "layer: 1\nhead: 0\nword A: bat\nlight: nowhere\nclaim: {length} > 20\n\nText {pattern \"cave\" → \"bat\"}.\n"
        "== Two\nchoice: x when {length} > 20\nchoice: y when {length} > 30\n\nAsk?\n---\n\nSo.\n"
        "== Three\nanswer in sight: yes\nchoice: x when {length} < 10\nchoice: y when {length} = 9\n\nAsk?\n"
        "---\n\nSo.\n");
    Story story({.lessons = file.folder});
    LessonCheck check(story.app, story.session, *story.host.ui().items, [&](const auto& input) { story.frame(input); });
    std::string all;
    for (const std::string& found : check.play("try")) all += found + "\n";
    CAPTURE(all);
    const auto says = [&](const std::string& what) { return contains(all, what); };
    CHECK(says("try:8: step 1: light: there is no item \"nowhere\""));
    CHECK(says("try:9: step 1: the text says that {length} > 20, and here it is 9 > 20"));
    CHECK(says("try:11: step 1: text: {pattern \"cave\" → \"bat\"} is not in the sentences"));
    CHECK(says("try:13: step 2: choice: no choice is right; \"x\" is when {length} > 20, and here 9 > 20 does not"));
    CHECK(says("step 3: choice: 2 choices are right"));
}

TEST_CASE("story: a question hides its answer wherever it is drawn, and shows it after the guess") {
    const OneLesson file(
        "== One\nA: He swung the bat and hit a foul.\nlayer: 1\nhead: 0\nword A: bat\n"
        "choices: {A: top \"bat\"} of 4\n\nAsk?\n---\n\nSo {A: pattern \"bat\" → top}.\n"
        "== Two\npanel: Meaning\nchoice: x when {accuracy[last]} > 0.5\nchoice: y when {accuracy[last]} <= "
        "0.5\n\nAsk?\n"
        "---\n\nSo.\n");
    Story story({.lessons = file.folder});
    const auto row = pattern_row(*reference().trace(first_sentence), 1, 0, 3);
    const auto in_sight = [&](double value) {
        std::string where;
        for (const Item& item : story.host.items().all()) {
            if (item.value != value || item.label.starts_with("lesson")) continue;
            const bool covered = std::ranges::any_of(story.host.items().all(), [&](const Item& over) {
                const ImVec2 c = item.centre();
                return over.label == "lesson/covered" && c.x >= over.min.x && c.x <= over.max.x && c.y >= over.min.y &&
                       c.y <= over.max.y;
            });
            if (!covered) where += std::string(item.label) + " ";
        }
        return where;
    };
    const std::string views[] = {"Attention", "Flow", "All heads", "Q K V", "Difference", "What if"};
    for (const std::string& view : views) {
        CAPTURE(view);
        CHECK(story.play("lesson try 1\nframes 4\nclick \"view/" + view + "\"\nframes 6") == "");
        CHECK(in_sight(at(row, 7)) == "");
        CHECK(in_sight(at(row, 5)) == "");
    }
    CHECK(story.play("lesson try 1\nframes 4\nkey n\nwait lesson/scene == 1\nframes 8") == "");
    CHECK(in_sight(at(row, 7)) != "");
    const double share = static_cast<double>(story.snapshot().probe->accuracy.back());
    CHECK(story.play("lesson try 2\nframes 8\nexpect_item lesson/covered") == "");
    CHECK(in_sight(share) == "");
    CHECK(story.play("key n\nwait lesson/scene == 1\nframes 8\nexpect_no_item lesson/covered") == "");
    CHECK(in_sight(share) != "");
}

TEST_CASE("story: neither the size nor the digits of a made up number tell which choice is right") {
    std::string steps = "model: homonyms\n== Length\nA: He swung the bat and hit a foul.\n";
    const auto ask = [](const std::string& number) {
        return "choices: {A: " + number + "} of 4\n\nHow many?\n---\n\nSo.\n";
    };
    steps += ask("length") + "== Parameters\n" + ask("parameters");
    for (int i = 0; i < 6; ++i) steps += "== Size " + std::to_string(i) + "\n" + ask("size[1] @" + std::to_string(i));
    const OneLesson lesson(steps);
    Story story({.lessons = lesson.folder});
    std::set<std::ptrdiff_t> places;  // of the right choice
    for (int step = 1; step <= 8; ++step) {
        CAPTURE(step);
        REQUIRE(story.play("lesson try " + std::to_string(step) +
                           "\nframes 4\nkey 1\nwait lesson/scene == 1\nframes 4") == "");
        const AskedQuestion asked = story.app.lessons().asked();
        REQUIRE(asked.choices.size() == 4);
        for (const std::string& choice : asked.choices) {
            CAPTURE(choice);
            CHECK(contains(choice, ".") == (step > 2));
        }
        if (step > 2) places.insert(std::ranges::find(asked.right, true) - asked.right.begin());
    }
    CHECK(places.size() > 1);
}

TEST_CASE("story: keys change a step's scene, a button restores it, and what-ifs end with their step") {
    Story story;
    CHECK(story.play("lesson " + bats +
                     " 3\nframes 8\nexpect_no_item lesson/again\nkey Right\nframes 3\n"
                     "expect_item lesson/again\nclick lesson/again\nwait lesson/scene == 1\nframes 3\n"
                     "expect_no_item lesson/again\nkey x\nwait lesson/again\nkey n\nwait lesson/scene == 1\nframes 8\n"
                     "expect_no_item lesson/again") == "");
    CHECK(story.snapshot().what_if.empty());
    // The head that the first lesson found is off after the guess of its tenth step, and on again in the next.
    CHECK(story.play("lesson " + bats + " 10\nframes 8\nkey n\nwait lesson/scene == 1\nframes 8") == "");
    CHECK(story.snapshot().what_if == std::vector<WhatIf>{what_if::HeadOff{story.state().layer, story.state().head}});
    CHECK(story.play("key n\nwait lesson/scene == 1\nframes 8") == "");
    CHECK(story.snapshot().what_if.empty());
}

TEST_CASE("story: the text and numbers of a question stay as they were asked") {
    const OneLesson file(
        "== One\nA: He swung the bat and hit a foul.\nchoice: x when {length} = 9\n"
        "choice: y when {length} != 9\n\nIt has {length}.\n---\nA: A bat flew.\n\nNow {length}.\n");
    Story story({.lessons = file.folder});
    CHECK(story.play(
              "lesson try\nframes 4\nexpect \"lesson/number 0\" == 9\nkey 2\nwait \"lesson/after 0\"\nframes 4\n"
              "expect \"lesson/number 0\" == 9\nexpect \"lesson/after 0\" == 4\nexpect \"lesson/choice 2\" == 1") ==
          "");
}

TEST_CASE("story: a lesson that opened another model restores the previous one with its sentences") {
    Story story({.model = "order"});
    CHECK(story.play("click \"A/token 3\"\nframes 2\nclick lessons\nclick \"lessons/Two kinds of bat\"\nframes 3\n"
                     "click \"lesson/open model\"\nwait lesson/scene == 1\nframes 4") == "");
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    story.settle();
    story.settle();
    CHECK(story.snapshot().model->world == "order");
    CHECK(story.snapshot().sentences[0].text == "the food was bad, not good at all.");
    CHECK(story.state().token[0] == 3);
    CHECK_FALSE(story.app.lessons().playing());
}

TEST_CASE("story: a lesson trains a fresh model for its steps, and goes back to an earlier step") {
    const OneLesson file("model: fresh homonyms\n== One\nstep: 0\n\nStep {step}.\n== Two\nstep: 20\n\nStep {step}.\n");
    Story story({.lessons = file.folder});
    CHECK(story.play("lesson try 1\nframes 4\nexpect \"lesson/number 0\" == 0\nkey n\n"
                     "wait \"lesson/number 0\" == 20 timeout 60\nkey p\nwait \"lesson/number 0\" == 0\n") == "");
}

TEST_CASE("story: the numbers of the first lesson are the trace's") {
    Story story;
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    const SenseProbeResult probe =
        SenseProbe(reference().backend, reference().world()).measure(*reference().shipped().parameters);
    Differences differences;
    const auto go = [&](int step, bool guess) {
        REQUIRE(story.play("lesson " + bats + " " + std::to_string(step) +
                           (guess ? "\nkey n\nwait lesson/scene == 1\nframes 4" : "\nframes 4")) == "");
    };
    go(2, true);
    for (std::size_t i = 0; i < 3; ++i) {
        differences.expect(story, "lesson/after " + std::to_string(i), at(a->values("hook_embed"), 3 * 64 + i));
        differences.expect(story, "lesson/after " + std::to_string(3 + i), at(b->values("hook_embed"), 64 + i));
    }
    CHECK(story.value("lesson/choice 1") == 1);
    go(3, true);
    const int layer = story.state().layer, head = story.state().head;
    const auto row_a = pattern_row(*a, layer, head, 3), row_b = pattern_row(*b, layer, head, 1);
    CHECK(story.text("lesson/after 0") == "foul");
    differences.expect(story, "lesson/after 1", at(row_a, static_cast<std::size_t>(largest(row_a))));
    differences.expect(story, "explain/value", at(row_a, static_cast<std::size_t>(largest(row_a))));
    go(4, true);
    CHECK(story.text("lesson/after 0") == reference().shipped().words()->word(b->tokens()[largest(row_b)]));
    differences.expect(story, "lesson/after 1", at(row_b, static_cast<std::size_t>(largest(row_b))));
    differences.expect(story, "lesson/after 2", at(row_b, 6));
    differences.expect(story, "lesson/after 3", at(row_b, 8));
    go(5, true);
    const auto words_near = [&](const Trace& trace, int position) {
        return nearest_words(probe, 2, stream(trace, 2, position), trace.tokens()[position], 342);
    };
    const auto cosine_of = [&](const std::vector<Neighbor>& near, const char* word) {
        const int id = *reference().shipped().words()->find(word);
        return static_cast<double>(std::ranges::find(near, id, &Neighbor::id)->cosine);
    };
    const std::vector<Neighbor> near_a = words_near(*a, 3), near_b = words_near(*b, 1);
    CHECK(story.text("lesson/after 0") == reference().shipped().words()->word(near_a[0].id));
    CHECK(story.text("lesson/after 1") == reference().shipped().words()->word(near_a[1].id));
    CHECK(story.text("lesson/after 2") == reference().shipped().words()->word(near_b[0].id));
    differences.expect(story, "lesson/after 4", cosine_of(near_a, "baseball"));
    differences.expect(story, "lesson/after 5", cosine_of(near_b, "baseball"));
    differences.expect(story, "lesson/after 6", cosine_of(near_b, "nocturnal"));
    differences.expect(story, "lesson/after 7", cosine_of(near_a, "nocturnal"));
    // The lecture's words are among the four that the panel lists.
    const auto listed = [&](const std::string& card, const std::string& word) {
        for (int i = 0; i < 4; ++i)
            if (story.text(card + "/near " + std::to_string(i)) == word) return true;
        return false;
    };
    CHECK(listed("A", "baseball"));
    CHECK_FALSE(listed("B", "baseball"));
    CHECK(listed("B", "nocturnal"));
    CHECK_FALSE(listed("A", "nocturnal"));
    go(6, true);
    differences.expect(story, "lesson/after 0", at(probe.accuracy, 0));
    differences.expect(story, "lesson/after 1", at(probe.accuracy, 1));
    go(8, true);
    CHECK(story.value("lesson/after 0") == doctest::Approx(distance(stream(*a, 0, 3), stream(*b, 0, 1))));
    CHECK(story.value("lesson/after 1") == doctest::Approx(distance(stream(*a, 1, 3), stream(*b, 1, 1))));
    CHECK(story.value("lesson/after 2") == doctest::Approx(distance(stream(*a, 2, 3), stream(*b, 2, 1))));
    go(9, false);
    CHECK(story.value("step") == 0);
    CHECK(story.value("lesson/number 0") == 0);
    CHECK(differences.report() == "");
    CHECK(differences.compared() == 17);
}

TEST_CASE("story: leaving a lesson restores everything, and it resumes where it was left") {
    Story story;
    CHECK(story.play("click \"map/head 0 2\"\nclick \"A/token 5\"\nclick \"side/Words\"\nclick compare\n"
                     "frames 2\nclick compare/off") == "");
    const ViewState before = story.state();
    CHECK(story.play("lesson " + bats + " 9\nframes 8\nexpect step == 0") == "");
    CHECK(story.play("key Escape\nwait step == 1200\nframes 4\nexpect_no_item lesson") == "");
    const ViewState& now = story.state();
    CHECK(now.layer == before.layer);
    CHECK(now.head == before.head);
    CHECK(now.token == before.token);
    CHECK(now.compare == before.compare);
    CHECK(now.side_panel == before.side_panel);
    CHECK(now.trail == before.trail);
    CHECK(story.snapshot().live);
    CHECK(story.play("click lessons\nclick \"lessons/Two kinds of bat\"\nwait lesson/scene == 1\nexpect lesson == 9\n"
                     "key p\nwait lesson == 8\nclick lesson/leave\nframes 4\nexpect_no_item lesson") == "");
}

TEST_CASE("story: a lesson's sentences are put on screen, and replaced again at its end") {
    const OneLesson file("== One\nA: The bank of the river.\nword A: river\n\nText {length}.\n");
    Story story({.lessons = file.folder});
    CHECK(story.play("lesson try\nframes 4\nexpect \"lesson/number 0\" == 6\nexpect \"A/token 4\" == 1\nkey Enter\n"
                     "frames 3") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == first_sentence);
    CHECK_FALSE(story.app.lessons().open());
}

TEST_CASE("story: an edited lesson is reloaded at its step, and its errors are reported") {
    OneLesson file("== One\n\nFirst.\n== Two\n\nSecond {d_model}.\n");
    Story story({.lessons = file.folder});
    CHECK(story.play("lesson try 2\nframes 8\nexpect_text lesson Two\nexpect_no_item \"lesson error\"") == "");
    file.write("== One\n\nFirst.\n== New\nlight: nowhere\n\nSecond {accuracy[9]}.\n");
    CHECK(story.play("wait lesson ~ New\nframes 8\nexpect lesson == 2\nexpect \"lesson error\" ~ \"try:6: light\"\n"
                     "expect \"lesson error\" ~ \"and 1 more\"\nclick \"lesson error/dismiss\"\nframes 2\n"
                     "expect_no_item \"lesson error\"") == "");
    file.write("== One\nlayer: x\n\nFirst.\n");
    CHECK(story.play("wait \"lesson error\" ~ \"try:3: layer\"\nexpect_text lesson New") == "");
}

TEST_CASE("story: the offer of the first lesson can be postponed, or dismissed for good") {
    const TemporaryFolder folder;
    const fs::path file = folder / "settings.json";
    const auto again = [&](const std::string& script) {
        Story story;
        Settings settings = load_settings(file);
        story.app.lessons().memory() = settings.lessons;
        story.frames(2);
        const std::string message = story.play(script);
        settings.lessons = story.app.lessons().memory();
        save_settings(file, settings);
        return message;
    };
    CHECK(again("click lesson/later\nframes 2\nexpect_no_item lesson/offer") == "");
    CHECK(again("click lesson/never\nframes 2\nexpect_no_item lesson/offer") == "");
    CHECK(again("expect_no_item lesson/offer\nlesson " + bats + " 4") == "");
    CHECK(again("click lessons\nclick \"lessons/Two kinds of bat\"\nwait lesson/scene == 1\nexpect lesson == 4") == "");
}

TEST_CASE("story: undo stays within a lesson's step; earlier changes can be undone after the lesson") {
    Story story;
    const auto wait_long = [&] {  // longer than changes are merged
        story.settle(40);
    };
    const auto now = [&] { return moment_of(story.state(), story.snapshot()); };
    wait_long();
    const ViewMoment first = now();
    CHECK(story.play("key Right") == "");
    wait_long();
    const ViewMoment before = now();
    CHECK(first != before);

    CHECK(story.play("lesson " + bats + " 3") == "");
    wait_long();
    const ViewMoment scene = now();
    CHECK_FALSE(story.state().window.undo.can_undo);
    CHECK(story.play("key Up\nkey Right\nframes 40") == "");
    CHECK(now() != scene);
    CHECK(story.play("key Ctrl+z") == "");
    wait_long();
    CHECK(now() == scene);

    for (const char* way_on : {"key n", "key n", "key p"}) {  // the answer, the next step, and back
        CAPTURE(way_on);
        CHECK(story.play(std::string("key Down\nframes 40\n") + way_on + "\nwait lesson/scene == 1") == "");
        wait_long();
        const ViewMoment shown = now();
        const int step = story.app.lessons().at();
        CHECK_FALSE(story.state().window.undo.can_undo);
        CHECK(story.play("key Ctrl+z") == "");
        wait_long();
        CHECK(now() == shown);
        CHECK(story.app.lessons().at() == step);
    }

    CHECK(story.play("click lesson/leave") == "");
    wait_long();
    CHECK(now() == before);
    CHECK(story.play("key Ctrl+z") == "");
    wait_long();
    CHECK(now() == first);
}

TEST_CASE("story: with another model on screen a lesson asks for its own, and waits for it") {
    Story story({.model = "translation"});
    story.app.lessons().memory().offer = true;
    const std::string ask = "click lessons\nclick \"lessons/Two kinds of bat\"\nframes 3\nexpect_item lesson/wanted\n";
    CHECK(story.play("frames 2\nexpect_no_item lesson/offer\n" + ask +
                     "expect \"lesson/open model\" ~ \"Open “Words with two meanings” and start\"\n"
                     "expect_no_item lesson\nclick lesson/cancel\nframes 3\nexpect_no_item lesson/wanted\n" +
                     ask + "key Escape\nframes 3\nexpect_no_item lesson/wanted\n") == "");
    CHECK(story.snapshot().model->world == "translation");
    CHECK(story.play(ask + "click \"lesson/open model\"\nwait lesson/scene == 1\nexpect lesson == 1\n"
                           "expect_no_item lesson/wanted") == "");
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.snapshot().sentences[0].text == first_sentence);
    // Another model in the middle of the lesson: the lesson pauses until its own is back.
    CHECK(story.play("key n\nkey n\nwait lesson == 2\nclick world\nframes 2\nclick \"world/induction, trained\"\n"
                     "wait lesson/wanted\nexpect_no_item lesson\nframes 10") == "");
    CHECK(story.snapshot().model->world == "induction");
    CHECK(story.app.lessons().error() == "");
    CHECK(story.play("click \"lesson/open model\"\nwait lesson/scene == 1\nexpect lesson == 2\nframes 8") == "");
    CHECK(story.snapshot().sentences[0].text == first_sentence);
    CHECK(story.app.lessons().error() == "");
}

TEST_CASE("story: in any window, the lesson does not cover what it points at") {
    for (const auto& [size, scale] :
         {std::pair{PixelSize{1280, 720}, 1.0f}, {PixelSize{1280, 720}, 2.0f}, {PixelSize{1600, 1000}, 2.0f}}) {
        Story story({.size = size, .scale = scale});
        for (int step = 1; step <= 11; ++step) {
            CAPTURE(step);
            CAPTURE(scale);
            CHECK(story.play("lesson " + bats + " " + std::to_string(step) + "\nframes 10") == "");
            const Item *light = story.find("lesson/light"), *card = story.find("lesson");
            REQUIRE(light);
            REQUIRE(card);
            CHECK(light->max.y <= card->min.y);
            for (const char* button : {"lesson/next", "lesson/back", "lesson/leave"}) {
                const Item* b = story.find(button);
                REQUIRE(b);
                CHECK(b->max.x <= static_cast<float>(size.width));
                CHECK(b->max.y <= static_cast<float>(size.height));
                CHECK(b->min.y >= card->min.y);
            }
        }
    }
}
