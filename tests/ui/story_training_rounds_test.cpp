// Training and time in unusual use: which model and step figures belong to, and messages that stay true.

#include "app/panels/leaving/saving.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void look_at(Story& story, std::int64_t step) {
    story.send(command::LookAt{step});
    story.frames(2);
    REQUIRE(story.snapshot().step == step);
}

void keep(Story& story, const std::string& folder) {
    story.frame([&] {});
    story.send(command::KeepRun{folder});
    story.state().own<Saving>() = {folder, "The run is saved in " + folder, story.snapshot().error_number, true};
    story.frames(3);
}

void choose_too_large_steps(Story& story) {
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.optimizer.kind = OptimizerKind::sgd;
    setup.options.optimizer.weight_decay = 10;
    setup.options.schedule.peak = 10;
    setup.options.schedule.warmup = 0;
    story.session.send(command::ChangeSetup{setup});
}

void train_until_it_fails(Story& story) {
    story.session.send(command::MakeSteps{500});
    REQUIRE(story.until([&] { return story.snapshot().trouble != nullptr; }));
    story.settle(3);
}

}  // namespace

TEST_CASE("story: pausing keeps the step, so that it can be revisited") {
    Story story({.trained = false});
    story.make_steps(77);
    CHECK(story.snapshot().kept_steps.back() == 77);
    story.make_steps(30);
    look_at(story, 77);
    CHECK(story.snapshot().sentences[0].step == 77);
}

TEST_CASE("story: held-out loss and learning rate belong to the step on screen") {
    Story story({.trained = false});
    story.make_steps(40);
    const std::string newest = story.text("held-out loss");
    const auto rate_of = [&](std::int64_t step) {
        return static_cast<double>((*story.snapshot().history)[step - 1].learning_rate);
    };
    CHECK(story.value("rate at step") == rate_of(40));  // of the last update, like the gradient norm
    look_at(story, 16);
    CHECK(story.text("held-out loss") != "–");
    CHECK(story.text("held-out loss") != newest);
    CHECK(story.value("rate at step") == rate_of(16));
    // A branch there has the same parameters, and so the same loss.
    const std::string there = story.text("held-out loss");
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.schedule.peak *= 10;
    story.send(command::Branch{16, setup, {}, ""});
    story.frames(3);
    REQUIRE(story.snapshot().live_step == 16);
    CHECK(story.text("held-out loss") == there);
}

TEST_CASE("story: the notice about a kept run stays as long as that run is current") {
    const TemporaryFolder folder;
    Story story({.trained = false});
    story.make_steps(8);
    keep(story, (folder / "run").string());
    CHECK(contains(story.text("notice"), "is saved in"));
    story.make_steps(4);
    CHECK(contains(story.text("notice"), "is saved in"));  // the run is still saved there
    CHECK(story.play("click reset\nframes 3") == "");
    CHECK(story.play("click reset/confirm\nwait step == 0 timeout 60\nframes 3\nexpect_no_item notice") == "");
    story.make_steps(4);
    keep(story, (folder / "second").string());
    CHECK(contains(story.text("notice"), "is saved in"));
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.schedule.peak *= 10;
    story.send(command::Branch{4, setup, {}, ""});
    story.frames(3);
    CHECK_FALSE(story.shows("notice"));
}

TEST_CASE("story: a kept run is not lost by Reset, and neither the palette nor the button says so") {
    const TemporaryFolder folder;
    Story story({.trained = false});
    story.make_steps(4);
    const auto asked_in_palette = [&] {
        REQUIRE(story.play("key Ctrl+K\nframes 3\ntype \"Reset\"\nframes 3\nkey Enter\nframes 3\nkey Down\nframes 3") ==
                "");
        const std::string text = story.text("palette/chosen");
        REQUIRE(story.play("key Escape\nframes 3") == "");
        return text;
    };
    story.host.ui().items->keep_texts(true);
    const auto asked_by_button = [&] {
        REQUIRE(story.play("click reset\nframes 3\nexpect_item reset/confirm") == "");
        std::string text;
        for (const Items::DrawnText& drawn : story.host.items().texts()) text += std::string(drawn.text) + "\n";
        REQUIRE(story.play("click reset/cancel\nframes 3") == "");
        return text;
    };
    for (const std::string& text : {asked_in_palette(), asked_by_button()}) CHECK(contains(text, "will be lost"));
    keep(story, (folder / "run").string());
    for (const std::string& text : {asked_in_palette(), asked_by_button()}) {
        CHECK_FALSE(contains(text, "will be lost"));
        CHECK(contains(text, "training so far stays in " + (folder / "run").string()));
    }
    CHECK(story.play("click reset\nframes 3\nclick reset/confirm\nwait step == 0 timeout 60") == "");
    story.settle();
    story.send(command::OpenRun{(folder / "run").string()});
    CHECK(story.snapshot().error == "");
    CHECK(story.snapshot().live_step == 4);
}

TEST_CASE("story: a training failure that was dismissed is shown again when it recurs") {
    Story story({.trained = false});
    choose_too_large_steps(story);
    const auto break_it = [&] { train_until_it_fails(story); };
    break_it();
    const std::int64_t step = story.snapshot().trouble->step;
    CHECK(story.play("click trouble/dismiss\nframes 3\nexpect_no_item trouble") == "");
    story.session.send(command::Reset{});
    REQUIRE(story.until([&] { return story.snapshot().live_step == 0; }));
    story.settle();
    break_it();
    CHECK(story.snapshot().trouble->step == step);
    CHECK(story.shows("trouble"));
}

TEST_CASE("story: a training failure is not shown with a model that cannot be trained") {
    const TemporaryFolder folder;
    Checkpoint without_world = reference().shipped();
    without_world.world.clear();
    save_checkpoint(folder / "model", without_world);
    Story story({.trained = false});
    choose_too_large_steps(story);
    train_until_it_fails(story);
    REQUIRE(story.shows("trouble"));
    story.send(command::OpenModel{(folder / "model").string()});
    story.frames(3);
    REQUIRE_FALSE(story.snapshot().model->trainable());
    CHECK_FALSE(story.shows("trouble"));
}

TEST_CASE("story: a branch from before a settings change takes the change over, and says so") {
    Story story({.trained = false});
    story.make_steps(8);
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.schedule.peak = 0.0123f;
    story.session.send(command::ChangeSetup{setup});
    story.make_steps(8);
    look_at(story, 8);
    CHECK(story.play("click branch\nframes 3\nexpect branch/words ~ \"learning rate 0.0123\"\nclick branch/make\n"
                     "frames 3") == "");
    story.settle();
    CHECK(contains(story.snapshot().current_run()->origin.change, "learning rate 0.0123"));
}

TEST_CASE("story: the list of runs names a branch's removed heads, and shows no loss before its first step") {
    Story story({.trained = false});
    story.make_steps(8);
    const TrainingSetup setup = story.snapshot().current_run()->setup;
    story.send(command::Branch{8, setup, {{"blocks.0.attn", 0}, {"blocks.1.attn", 1}}, ""});
    story.frames(2);
    CHECK(story.snapshot().current_run()->origin.change == "heads 0.0, 1.1 removed");
    const std::string id = std::to_string(story.snapshot().run);
    CHECK(story.play("click runs\nframes 3\nexpect_text \"run/" + id + "/loss\" –") == "");
    // A reset keeps the heads removed and still says so.
    story.session.send(command::Reset{});
    REQUIRE(story.until([&] { return story.snapshot().live_step == 0; }));
    story.settle();
    CHECK(story.snapshot().current_run()->origin.change == "heads 0.0, 1.1 removed");
}

TEST_CASE("story: a branch says that its parent was reset since") {
    Story story({.trained = false});
    story.make_steps(8);
    const int parent = story.snapshot().run;
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.schedule.peak *= 10;
    story.send(command::Branch{8, setup, {}, ""});
    const std::string branch = std::to_string(story.snapshot().run);
    CHECK(story.play("click runs\nframes 3") == "");
    CHECK(contains(story.text("run/" + branch + "/from"), " at 8 · learning rate"));
    story.session.send(command::ChooseRun{parent});
    story.send(command::Reset{});
    story.frames(3);
    CHECK(contains(story.text("run/" + branch + "/from"), " at 8, before its reset"));
}

TEST_CASE("story: a model that is being set up shows no head as off") {
    Story story;
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 0}}});
    story.frames(2);
    CHECK(story.shows("map/head 0 0 off"));
    CHECK(story.play("key Ctrl+n\nframes 6") == "");
    story.settle(4);
    CHECK_FALSE(story.shows("map/head 0 0 off"));
}
