#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/common/explanation.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

// Which models a lesson starts on, and what is on screen after it.

using namespace glassformer;
using namespace glassformer::app;

namespace {

namespace fs = std::filesystem;

const std::string ask = "click lessons\nframes 2\nclick \"lessons/Two kinds of bat\"\nframes 3\n";
const std::string refused = ask +
                            "expect_item lesson/wanted\nexpect_item \"lesson/open model\"\nexpect_no_item lesson\n"
                            "click lesson/cancel\nframes 3\nexpect_no_item lesson/wanted";

TrainingSetup setup_on_screen(const Story& story) { return story.snapshot().current_run()->setup; }

void begin_run(Story& story, const TrainingSetup& setup) {
    story.send(command::NewRun{setup, ""});
    story.frames(3);
}

/// Draws until the model from before the lesson is back, with its view.
void end(Story& story) {
    REQUIRE(story.until([&] { return !story.app.lessons().playing(); }));
    story.settle(3);
}

}  // namespace

TEST_CASE("story: a lesson does not start on an untrained model, or on another architecture") {
    Story story({.world = "homonyms"});
    REQUIRE(story.snapshot().live_step == 0);
    CHECK(story.play(refused) == "");
    const TrainingSetup proposed = setup_on_screen(story);
    TrainingSetup setup = proposed;
    setup.config.family = Family::gru;
    setup.config.activation = Activation::none;
    begin_run(story, setup);
    REQUIRE(story.snapshot().model->config.recurrent());
    story.make_steps(2);
    CHECK(story.play(refused) == "");
    setup = proposed;
    setup.config.n_layers = 1;
    begin_run(story, setup);
    story.make_steps(2);
    CHECK(story.play(refused) == "");
    // A trained model is accepted, even while its first step is on screen.
    story.send(command::ChooseRun{0});
    story.make_steps(2);
    story.send(command::LookAt{0});
    story.frames(3);
    CHECK(story.play(ask + "expect_no_item lesson/wanted\nwait lesson/scene == 1\nexpect lesson == 1") == "");
    CHECK(story.snapshot().model->folder.empty());
    // After a reset, the shipped model is a fresh one, which the lesson does not accept.
    Story shipped;
    CHECK(shipped.play(ask + "wait lesson/scene == 1\nclick lesson/leave\nframes 4") == "");
    shipped.send(command::Reset{});
    shipped.frames(3);
    CHECK(shipped.play(refused) == "");
}

TEST_CASE("story: a model that was set up but not trained is restored after a lesson") {
    Story story({.world = "homonyms"});
    TrainingSetup setup = setup_on_screen(story);
    setup.config.family = Family::gru;
    setup.config.activation = Activation::none;
    setup.config.n_layers = 3;
    setup.options.seed = 7;
    setup.options.batch = 16;
    begin_run(story, setup);
    const std::vector<float> before(story.shown_trace(0).values("hook_embed").begin(),
                                    story.shown_trace(0).values("hook_embed").end());
    REQUIRE(story.play(ask + "click \"lesson/open model\"\nwait lesson/scene == 1\nframes 3") == "");
    REQUIRE(story.snapshot().model->config.family == Family::encoder);
    REQUIRE(story.play("click lesson/leave\nframes 4") == "");
    end(story);
    CHECK(story.snapshot().error == "");
    CHECK(story.snapshot().model->config == setup.config);
    CHECK(setup_on_screen(story).options == setup.options);
    const std::span<const float> now = story.shown_trace(0).values("hook_embed");
    CHECK(std::vector<float>(now.begin(), now.end()) == before);
}

TEST_CASE("story: after a lesson a model that was reset is untrained again, and a saved training is back") {
    const std::string play_lesson =
        ask +
        "click \"lesson/open model\"\nwait lesson/scene == 1\nframes 3\nexpect step == 1200\n"
        "click lesson/leave\nframes 4";
    Story story;
    story.send(command::Reset{});
    story.frames(3);
    const Parameters untrained = story.shown_trace(0).parameters();
    REQUIRE(story.play(play_lesson) == "");
    end(story);
    CHECK(story.snapshot().live_step == 0);
    CHECK(*story.shown_trace(0).parameters() == *untrained);
    CHECK_FALSE(story.shows("lesson/left"));

    const TemporaryFolder folder;
    Story saved({.world = "sorting"});
    saved.make_steps(4);
    saved.send(command::Save{(folder / "model").string()});
    REQUIRE_FALSE(saved.snapshot().current_run()->unsaved);
    REQUIRE(saved.play(play_lesson) == "");
    end(saved);
    CHECK(saved.snapshot().model->world == "sorting");
    CHECK(saved.snapshot().live_step == 4);
    CHECK(saved.snapshot().history->size() == 4);
}

TEST_CASE("story: an unsaved training is set aside for a lesson's model, and restored at the end") {
    Story story;
    story.make_steps(5);
    const Parameters trained = story.shown_trace(0).parameters();
    const auto history = *story.snapshot().history;
    REQUIRE(story.play("lesson 7_layer_norm 7\nframes 4") == "");
    while (story.app.lessons().at() == 6) REQUIRE(story.play("key n\nwait lesson\nframes 4") == "");
    REQUIRE(story.play("wait lesson == 8\nwait lesson/scene == 1 timeout 120\nexpect_no_item leaving\nexpect_no_item "
                       "lesson/wanted") == "");
    CHECK(story.snapshot().model->config.n_layers == 12);
    REQUIRE(story.snapshot().set_aside.size() == 1);
    CHECK(story.snapshot().set_aside[0]->step == 1205);
    // Closing the window would lose it.
    CHECK_FALSE(story.app.may_close());
    CHECK(story.play("frames 2\nexpect leaving ~ \"has not been saved\"\nclick leaving/cancel\nframes 2") == "");
    REQUIRE(story.play("click lesson/leave\nframes 4") == "");
    REQUIRE(story.until([&] { return story.snapshot().live_step == 1205; }));
    end(story);
    CHECK(story.snapshot().set_aside.empty());
    CHECK(*story.shown_trace(0).parameters() == *trained);
    CHECK(*story.snapshot().history == history);
    story.make_steps(1);  // training continues
    CHECK(story.snapshot().live_step == 1206);
}

TEST_CASE("story: a lesson on another model than the one being trained restores it without asking") {
    Story story({.world = "sorting"});
    story.make_steps(2);
    REQUIRE(story.play(ask + "click \"lesson/open model\"\nframes 3\nexpect_no_item leaving\n"
                             "wait lesson/scene == 1\nexpect lesson == 1") == "");
    CHECK(story.snapshot().model->world == "homonyms");
    REQUIRE(story.play("click lesson/leave\nframes 4") == "");
    REQUIRE(story.until([&] { return story.snapshot().model->world == "sorting"; }));
    end(story);
    CHECK(story.snapshot().live_step == 2);
    CHECK_FALSE(story.shows("lesson/left"));

    // A training made in the lesson stays; the previous one is kept next to it.
    REQUIRE(story.play(ask + "click \"lesson/open model\"\nwait lesson/scene == 1\nframes 3") == "");
    story.make_steps(3);
    REQUIRE(story.play(
                "click lesson/leave\nframes 4\nexpect_text lesson/left \"“Sorting”\"\nclick lesson/stay\nframes 3") ==
            "");
    story.settle();
    CHECK(story.snapshot().live_step == 1203);
    CHECK(story.snapshot().set_aside.empty());
    REQUIRE(story.snapshot().runs.size() == 2);
    CHECK(story.snapshot().runs[0]->colour != story.snapshot().runs[1]->colour);
    for (const auto& run : story.snapshot().runs)
        if (run->id != story.snapshot().run) story.send(command::ChooseRun{run->id});
    CHECK(story.snapshot().model->world == "sorting");
    CHECK(story.snapshot().live_step == 2);
}

TEST_CASE("story: a training made in a lesson stays at its end, and a button restores what came before") {
    Story story({.model = "translation"});
    REQUIRE(story.play("click \"A/token 2\"\nframes 3") == "");
    const std::string sentence = story.snapshot().sentences[0].text;
    const int token = story.state().token[0];
    const auto train_in_lesson = [&] {
        REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nwait lesson/scene == 1\nframes 3") == "");
        story.make_steps(3);
        REQUIRE(story.play("click lesson/leave\nframes 4") == "");
        story.settle();
        REQUIRE(story.snapshot().live_step == 1203);
    };
    train_in_lesson();
    const std::string back = "click \"lesson/go back\"\nframes 3\nexpect leaving ~ \"has not been saved\"\n";
    CHECK(story.play("expect_text lesson/left \"“English to French”\"\n" + back +
                     "click leaving/cancel\nframes 3\nexpect_item lesson/left") == "");
    CHECK(story.snapshot().live_step == 1203);
    // Another lesson in between loses nothing.
    CHECK(story.play(ask +
                     "wait lesson/scene == 1\nexpect_no_item lesson/left\nclick lesson/leave\nframes 4\n"
                     "expect_text lesson/left \"“English to French”\"\n" +
                     back + "click leaving/drop\nframes 3") == "");
    REQUIRE(story.until([&] { return story.snapshot().model->world == "translation"; }));
    end(story);
    CHECK(story.snapshot().sentences[0].text == sentence);
    CHECK(story.state().token[0] == token);
    CHECK_FALSE(story.shows("lesson/left"));
    train_in_lesson();
    CHECK(story.play("click lesson/stay\nframes 3\nexpect_no_item lesson/left") == "");
    CHECK(story.snapshot().live_step == 1203);
}

TEST_CASE("story: a lesson that stops because of a training can still restore what came before") {
    const TemporaryFolder folder;
    std::ofstream(folder / "try.lesson") << "lesson: Try\nmodel: homonyms\n== One\n\nOne.\n== Two\nmodel: order\n\n"
                                            "Two.\n";
    Story story({.model = "translation", .lessons = folder.path()});
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1\nframes 3") == "");
    story.make_steps(3);
    CHECK(
        story.play(
            "click lesson/next\nframes 4\nexpect_item lesson/wanted\nclick lesson/cancel\nframes 3\n"
            "expect_text lesson/left \"“English to French”\"\nclick \"lesson/go back\"\nframes 3\nclick leaving/drop\n"
            "frames 3") == "");
    REQUIRE(story.until([&] { return story.snapshot().model->world == "translation"; }));
    end(story);
    CHECK_FALSE(story.shows("lesson/left"));
}

TEST_CASE("story: the lesson's explanation of a masked score never says that it is visible") {
    Story story({.model = "next_word"});
    REQUIRE(story.play("lesson 4_scale_mask_softmax 5\nwait lesson/scene == 1\nkey n\nwait lesson/scene == 1\n"
                       "frames 6") == "");
    REQUIRE_FALSE(story.state().trail.empty());
    const Explained x = explained(story.shown_trace(0), story.state().trail.back());
    int masks = 0;
    for (const Explanation& e : x.chain) {
        if (!e.traits.is_mask) continue;
        ++masks;
        CAPTURE(e.numbers);
        CHECK(e.traced == -INFINITY);
        CHECK(!contains(e.numbers, "is visible"));
        CHECK(contains(e.numbers, "masked"));
    }
    CHECK(masks == 2);
}
