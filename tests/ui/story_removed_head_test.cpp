// A branch without a head: everything on screen says that the head no longer writes anything, and to which model the
// training's figures belong.
#include "app/views/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Branches the run on screen and continues it without a head.
void branch_without(Story& story, const std::string& attention, int head) {
    const TrainingSetup setup = story.snapshot().current_run()->setup;
    const int run = story.snapshot().run;
    story.send(command::Branch{story.snapshot().step, setup, {{attention, head}}, ""});
    story.frames(3);
    REQUIRE(story.snapshot().run != run);
}

}  // namespace

TEST_CASE("story: after branching without a head, the views say that the head is off") {
    Story story({.trained = false});
    story.make_steps(8);
    const auto look = [&](const char* view, int head) {
        choose_head(story.state(), story.snapshot(), 1, head);
        story.state().view = view_index(view);
        story.frames(4);
    };
    look("Attention", 0);
    CHECK_FALSE(story.shows("A/head off"));
    CHECK_FALSE(story.shows("map/head 1 0 off"));
    branch_without(story, "blocks.1.attn", 0);
    CHECK(story.snapshot().sentences[0].removed_heads == std::vector<RemovedHead>{{"blocks.1.attn", 0}});
    look("Attention", 0);
    CHECK(story.shows("A/head off"));
    CHECK(story.text("stage/headline") == "Block 1 · head 0 · off");
    CHECK(story.shows("map/head 1 0 off"));
    CHECK_FALSE(story.shows("map/head 1 1 off"));
    look("Flow", 0);
    CHECK(story.shows("flow/A head 0 off"));
    look("All heads", 0);
    CHECK(story.shows("heads/A 1 0 off"));
    CHECK(story.shows("heads/B 1 0 off"));
    CHECK_FALSE(story.shows("heads/A 0 0 off"));
    look("Attention", 1);
    CHECK_FALSE(story.shows("A/head off"));
    // There is nothing to switch off: the switch says why, and keys and clicks change nothing.
    look("What if", 0);
    CHECK(story.play("hover \"what if/head 1 0\"\nframes 3\nexpect tooltip ~ \"This head writes nothing\"\n"
                     "click \"what if/head 1 0\"\nkey X\nframes 3\nright_click \"map/head 1 0\"\nframes 3\n"
                     "wait tooltip ~ \"This head writes nothing\"") == "");
    story.settle();
    CHECK(story.snapshot().what_if.empty());
    CHECK(story.play("click \"what if/head 1 1\"\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().what_if.size() == 1);
}

TEST_CASE("story: a branch without a head has no loss or gradient norm until its first step") {
    Story story({.trained = false});
    story.make_steps(8);
    CHECK(story.find("gradient norm")->value);
    branch_without(story, "blocks.0.attn", 1);
    CHECK(story.text("gradient norm") == "–");
    CHECK(story.text("timeline loss") == "loss –");
    CHECK(story.text("held-out loss") != "–");  // measured again, without the head
    // Its first kept step is without the head too.
    const std::vector<std::int64_t> kept = story.snapshot().kept_steps;
    story.make_steps(1);
    CHECK(story.find("gradient norm")->value);
    CHECK(story.text("timeline loss") != "loss –");
    story.send(command::LookAt{kept.front()});
    story.frames(2);
    REQUIRE(story.snapshot().step == kept.front());
    CHECK(story.snapshot().sentences[0].removed_heads.size() == 1);
    CHECK(story.text("timeline loss") == "loss –");
}

TEST_CASE("story: a kept branch says what it branched off, also after it is reopened and saved again") {
    const TemporaryFolder folder;
    Story story({.trained = false});
    story.make_steps(8);
    branch_without(story, "blocks.0.attn", 1);
    story.make_steps(2);
    const std::string kept = (folder / "run").string();
    story.send(command::KeepRun{kept});
    REQUIRE(story.snapshot().error == "");
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/order"});
    for (int again = 0; again < 2; ++again) {
        CAPTURE(again);
        story.send(command::OpenRun{kept});
        const RunInfo& run = *story.snapshot().current_run();
        CHECK(run.origin.branched());
        CHECK(run.origin.step == 8);
        CHECK(run.origin.change == "head 0.1 removed");
        REQUIRE(story.play("click runs\nframes 3") == "");
        CHECK(story.text("run/" + std::to_string(run.id) + "/from") == "branched off at 8 · head 0.1 removed");
        REQUIRE(story.play("click runs\nframes 3") == "");
        story.send(command::LookAt{8});
        story.frames(2);
        REQUIRE(story.snapshot().step == 8);
        CHECK(story.text("timeline loss") == "loss –");
        story.make_steps(2);  // which saves the run again
        story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/order"});
    }
}

TEST_CASE("story: in a translation, only the removed heads of the encoder and cross-attention are crossed out") {
    Story story({.world = "translation"});
    story.make_steps(4);
    branch_without(story, "encoder.blocks.0.attn", 0);
    const std::vector<RemovedHead> removed{{"encoder.blocks.0.attn", 0}};
    CHECK(story.snapshot().sentences[0].removed_heads == removed);
    CHECK(story.shows("map/source head 0 0 off"));
    CHECK_FALSE(story.shows("map/head 0 0 off"));
    CHECK_FALSE(story.shows("map/cross head 0 1 off"));
    branch_without(story, "blocks.0.cross_attn", 1);
    CHECK(story.shows("map/cross head 0 1 off"));
    CHECK(story.snapshot().sentences[0].removed_heads.size() == 2);
}

TEST_CASE("story: each step has its own clip factor, and a run keeps it") {
    Story story({.trained = false});
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.clip = 0.01f;
    story.session.send(command::ChangeSetup{setup});
    story.make_steps(5);
    const std::string of_five = story.text("gradient norm");
    CHECK(contains(of_five, " × "));
    const int first = story.snapshot().run;
    story.send(command::LookAt{2});
    story.frames(2);
    REQUIRE(story.snapshot().step == 2);
    CHECK(contains(story.text("gradient norm"), " × "));
    CHECK(story.text("gradient norm") != of_five);
    // Another run, and back.
    story.send(command::NewRun{setup, ""});
    story.send(command::ChooseRun{first});
    story.frames(2);
    CHECK(story.text("gradient norm") == of_five);
}

TEST_CASE("story: with one sentence on screen neither the meaning map nor the model map shows the other") {
    Story story;
    const auto rings = [&] { return story.shows("meaning A") + 2 * story.shows("meaning B"); };
    REQUIRE(rings() == 3);
    story.state().compare = false;
    story.state().slot = 0;
    story.frames(4);
    CHECK(rings() == 1);
    story.send(command::Watch{0, ""});
    story.frames(4);
    REQUIRE_FALSE(story.snapshot().sentences[0].trace);
    CHECK(rings() == 0);
    CHECK_FALSE(story.shows("map/head 1 0"));
    story.state().compare = true;
    story.frames(4);
    CHECK(story.shows("map/head 1 0"));
    CHECK(rings() == 2);
}
