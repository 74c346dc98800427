#include "app/session/startup.h"
#include "tests/core/fresh_parameters.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions untrained{.size = {1600, 1000}, .trained = false};
const std::string sentences[2] = {first_sentence, second_sentence};

/// Checks that the weights and scores on screen, which need no probe, belong to these parameters.
void check_step(Story& story, const Parameters& parameters) {
    Differences differences;
    for (int slot = 0; slot < 2; ++slot) {
        const auto trace = reference().trace(sentences[slot], parameters);
        const int n = trace->positions(), layer = story.state().layer, head = story.state().head;
        for (int from = 0; from < n; ++from)
            for (int to = 0; to < n; ++to)
                differences.expect(
                    story,
                    std::string(slot_letter(slot)) + "/pattern " + std::to_string(from) + " " + std::to_string(to),
                    static_cast<double>(pattern_row(*trace, layer, head, from)[to]));
    }
    CHECK(differences.report() == "");
}

Parameters fresh(std::uint64_t seed) { return fresh_parameters(reference().world().config, seed); }

}  // namespace

TEST_CASE("story: train, pause, go back to the start and to now, reset") {
    Story story(untrained);
    CHECK(story.play("expect step == 0\nexpect train == 0\nexpect_text train Train") == "");
    check_step(story, fresh(1));
    CHECK(story.play("click train\nwait step >= 30 timeout 60\nexpect_text train Pause\nclick train\nwait train == 0 "
                     "timeout 60") == "");
    story.settle();
    const std::int64_t trained = story.snapshot().step;
    CHECK(trained >= 30);
    CHECK(story.snapshot().live_step == trained);
    CHECK(story.value("step") == static_cast<double>(trained));
    CHECK(story.text("step") == "step " + std::to_string(trained));
    check_step(story, reference().trained(1, trained, story.snapshot().planned_steps));

    CHECK(story.play("drag playhead -2000 0") == "");
    story.settle();
    CHECK(story.play("frames 2\nexpect step == 0\nexpect playhead == 0\nexpect_item \"follow live\"") == "");
    check_step(story, fresh(1));
    CHECK(story.play("click \"timeline next\"") == "");
    story.settle();
    CHECK(story.value("step") == 1);
    check_step(story, reference().trained(1, 1, story.snapshot().planned_steps));
    CHECK(story.play("click \"timeline next\"\nframes 3\nclick \"timeline next\"") == "");
    story.settle();
    CHECK(story.value("step") == 4);
    CHECK(story.play("click \"timeline previous\"") == "");
    story.settle();
    CHECK(story.value("step") == 2);
    CHECK(story.play("click \"follow live\"") == "");
    story.settle();
    CHECK(story.value("step") == static_cast<double>(trained));
    CHECK_FALSE(story.shows("follow live"));
    CHECK(story.play("click \"timeline first\"") == "");
    story.settle();
    CHECK(story.value("step") == 0);
    CHECK(story.play("click \"timeline now\"") == "");
    story.settle();
    CHECK(story.value("step") == static_cast<double>(trained));

    CHECK(story.play("click reset\nframes 2\nclick reset/cancel\nframes 2") == "");
    story.settle();
    CHECK(story.value("step") == static_cast<double>(trained));
    CHECK(story.play("click reset\nframes 2\nclick reset/confirm\nwait step == 0") == "");
    story.settle();
    CHECK(story.snapshot().live_step == 0);
    CHECK(story.snapshot().history->empty());
    check_step(story, fresh(1));
}

TEST_CASE("story: learning rate, batch size and seed are changed") {
    Story story(untrained);
    CHECK(
        story.play("click \"learning rate\"\nclick \"learning rate/0.01\"\nwait \"learning rate\" ~ 0.01\nclick batch\n"
                   "click batch/16\nwait batch == 16") == "");
    story.settle();
    CHECK(story.snapshot().learning_rate == 0.01f);
    CHECK(story.snapshot().batch == 16);
    CHECK(story.play("click \"seed plus\"\nframes 2\nclick \"seed plus\"") == "");
    story.settle();
    CHECK(story.value("seed") == 3);
    CHECK(story.play("click \"seed minus\"") == "");
    story.settle();
    CHECK(story.value("seed") == 2);
    check_step(story, fresh(1));  // the seed applies from the next reset
    CHECK(story.play("click reset") == "");
    story.settle();
    check_step(story, fresh(2));
    CHECK(story.play("key t\nwait step >= 5 timeout 60\nkey t\nwait train == 0 timeout 60") == "");
    CHECK(story.snapshot().batch == 16);
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: during training every panel is usable, and past steps can be viewed") {
    Story story(untrained);
    CHECK(story.play("click train\nwait step >= 12 timeout 60\nclick \"B/token 2\"\nclick \"map/head 0 2\"\nclick "
                     "\"B/weight 3\"\nclick explain/deeper\nkey Down\nkey Tab\nclick theme\nclick theme\nclick "
                     "A/samples\nkey Down\nkey Enter\nframes 2\nclick \"timeline first\"\nwait step == 0 timeout "
                     "60\nexpect train == 1") == "");
    const std::int64_t then = story.snapshot().live_step;
    CHECK(story.play("wait \"follow live\" > " + std::to_string(then + 5) +
                     " timeout 60\nexpect step == 0\nclick "
                     "\"follow live\"\nwait step > 20 timeout 60\nclick train\nwait train == 0 timeout 60") == "");
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: a shipped checkpoint keeps its initial parameters") {
    Story story({.size = {1600, 1000}});
    const std::int64_t now = story.snapshot().step;
    CHECK(story.play("click \"timeline first\"") == "");
    story.settle();
    CHECK(story.value("step") == 0);
    check_step(story, fresh(reference().shipped().seed));
    CHECK(story.play("click \"timeline now\"") == "");
    story.settle();
    CHECK(story.value("step") == static_cast<double>(now));
    check_step(story, reference().shipped().parameters);
}

TEST_CASE("story: a worker's error is shown and can be dismissed") {
    Story story;
    story.send(command::SetLearningRate{-1.0f});
    CHECK(story.play("expect error ~ \"learning rate\"\nclick error/dismiss\nframes 2\nexpect_no_item error") == "");
    story.send(command::Save{"/no/such/folder/model"});
    CHECK(story.play("expect error ~ /no/such/folder\nclick error/dismiss\nframes 2\nexpect_no_item error") == "");
}

TEST_CASE("story: the window can be closed during training") {
    Story story(untrained);
    CHECK(story.play("click train\nwait step >= 3 timeout 60\nexpect train == 1") == "");
}
