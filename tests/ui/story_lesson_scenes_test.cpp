
#include "core/nn/transformer.h"
#include "tests/ui/one_lesson.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const std::string begin = "lesson try 1\nwait lesson/scene == 1 timeout 120\nframes 4";

}  // namespace

TEST_CASE("story: a scene generates text, each time the likeliest word") {
    const OneLesson file("model: next_word\n== One\nA: thanks for all the\ncompare: no\ngenerate: 2 words\n\nText.\n");
    Story story({.model = "next_word", .lessons = file.folder});
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1 timeout 60\nframes 4") == "");
    const WatchedSentence& a = story.snapshot().sentences[0];
    REQUIRE(a.tokens.size() == 6);
    CHECK(a.text.starts_with("thanks for all the "));
    // The words are the model's own predictions at the positions before them.
    for (int place = 3; place < 5; ++place) {
        const std::span<const float> said = story.shown_trace(0).values("logits");
        const std::size_t words = said.size() / 6;
        const auto row = said.subspan(static_cast<std::size_t>(place) * words, words);
        CHECK(largest(row) == a.tokens[static_cast<std::size_t>(place) + 1].id);
    }
    CHECK(story.app.lessons().error() == "");
}

TEST_CASE("story: a scene paints a weight, and the rest of its row is rescaled") {
    const OneLesson file(
        "model: homonyms\n== One\nA: He swung the bat and hit a foul.\nlayer: 1\nhead: 0\n"
        "paint: {A: pattern[0][3] \"bat\" → \"swung\"} 0.75\n\nText.\n");
    Story story({.lessons = file.folder});
    const auto plain = pattern_row(*reference().trace(first_sentence), 0, 3, 3);
    REQUIRE(story.play(begin) == "");
    REQUIRE(story.snapshot().what_if.size() == 1);
    const auto row = pattern_row(story.shown_trace(0), 0, 3, 3);
    CHECK(row[1] == 0.75f);
    double sum = 0;
    for (std::size_t key = 0; key < row.size(); ++key) {
        sum += static_cast<double>(row[key]);
        if (key != 1) CHECK(row[key] == doctest::Approx(static_cast<double>(plain[key] * 0.25f / (1 - plain[1]))));
    }
    CHECK(sum == doctest::Approx(1));
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().what_if.empty());
}

TEST_CASE("story: a scene trains a model with another architecture than its world proposes") {
    const OneLesson file(
        "model: fresh order with n_layers 1, readout last, longest 10\n"
        "== One\ntrain: 5 steps\n\nAt step {step}.\n"
        "== Two\nmodel: fresh order with n_layers 3, norm_placement none, learning_rate 0.001\ntrain: 2 "
        "steps\n\nText.\n"
        "== Three\nmodel: homonyms\nA: He swung the bat and hit a foul.\n\nText.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    const auto config = [&]() -> const TransformerConfig& { return story.snapshot().model->config; };
    CHECK(config().n_layers == 1);
    CHECK(config().readout == Readout::last);
    CHECK(story.snapshot().step == 5);
    CHECK(story.snapshot().runs.front()->setup.options.longest == 10);
    REQUIRE(story.play("click lesson/next\nwait lesson == 2\nwait lesson/scene == 1 timeout 120\nframes 4") == "");
    CHECK(config().n_layers == 3);
    CHECK(config().norm_placement == NormPlacement::none);
    CHECK(config().readout == Readout::mean);
    CHECK(story.snapshot().step == 2);
    CHECK(story.snapshot().runs.front()->setup.options.schedule.peak == 0.001f);
    REQUIRE(story.play("click lesson/next\nwait lesson == 3\nwait lesson/scene == 1 timeout 120\nframes 4") == "");
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.app.lessons().error() == "");
}

TEST_CASE("story: a step whose model is refused says why and lets the student go on") {
    const OneLesson file(
        "model: homonyms\n== One\n\nText.\n== Two\nmodel: fresh homonyms with n_heads 7\nchoice: x when {length} > 0\n"
        "choice: y when {length} < 1\n\nAsk?\n---\n\nSo.\n== Three\nmodel: homonyms\n\nText.\n");
    Story story({.lessons = file.folder.c_str()});
    REQUIRE(story.play(begin) == "");
    const std::shared_ptr<const ModelInfo> before = story.snapshot().model;
    REQUIRE(story.play("click lesson/next\nwait lesson == 2\nwait lesson/again") == "");
    story.settle();
    CHECK(story.snapshot().model == before);
    CHECK(story.snapshot().error.find("n_heads") != std::string::npos);
    CHECK(story.app.lessons().refusal() == story.snapshot().error);
    CHECK(story.value("lesson/scene") == 0);
    // Trying again is refused again; the question without an answer does not hold the student up.
    const std::uint64_t errors = story.snapshot().error_number;
    REQUIRE(story.play("click lesson/again\nframes 2") == "");
    REQUIRE(story.until([&] { return story.snapshot().error_number > errors; }));
    story.frames(2);
    CHECK(story.play("expect_item lesson/again\nexpect_text lesson/next Next\nclick lesson/next\nwait lesson == 3\n"
                     "wait lesson/scene == 1\nframes 2\nexpect_no_item lesson/again") == "");
    CHECK(story.app.lessons().refusal() == "");
}

TEST_CASE("story: a step waits until its model has been trained as far as it requires") {
    const OneLesson file("model: fresh order\n== One\nwait: {step} >= 8\n\nAt step {step}.\n== Two\n\nText.\n");
    Story story({.world = "order", .lessons = file.folder});
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1 timeout 60\nclick lesson/next\nframes 2\nexpect lesson == "
                       "1") == "");
    REQUIRE(story.until([&] { return story.session.snapshot()->live_step >= 8; }));
    story.settle();
    CHECK(story.snapshot().live_step >= 8);
    CHECK(story.snapshot().state == RunState::paused);
    CHECK(story.play("click lesson/next\nwait lesson == 2\nwait lesson/scene == 1 timeout 60") == "");
}

TEST_CASE("story: a training that breaks ends the wait for its step, and the lesson can name the step") {
    const OneLesson file(
        "model: fresh order with n_layers 8, norm_placement none, optimizer sgd, clip 1000000, learning_rate 50\n"
        "== One\nstep: 0\n\nBefore {stopped}.\n"
        "== Two\nstep: 60\n\nAt step {stopped}.\n"
        "== Three\nmodel: fresh order\nstep: 2\n\nAgain {stopped}.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    CHECK(story.value("lesson/number 0") == 0);
    REQUIRE(story.play("click lesson/next\nwait lesson == 2\nwait lesson/scene == 1 timeout 120\nframes 4") == "");
    REQUIRE(story.snapshot().trouble);
    const std::int64_t stopped = story.snapshot().trouble->step;
    CHECK(stopped > 0);
    CHECK(stopped < 60);
    CHECK(story.value("lesson/number 0") == static_cast<double>(stopped));
    const TrainOptions& options = story.snapshot().runs.front()->setup.options;
    CHECK(options.optimizer.kind == OptimizerKind::sgd);
    CHECK(options.clip == 1000000.0f);
    REQUIRE(story.play("click lesson/next\nwait lesson == 3\nwait lesson/scene == 1 timeout 120\nframes 4") == "");
    CHECK(story.value("lesson/number 0") == 0);
    CHECK(story.snapshot().live_step == 2);
    CHECK(story.app.lessons().error() == "");
}

TEST_CASE("story: a kept training is restored after a lesson on another model, not replaced by a fresh one") {
    const OneLesson file("model: order\n== One\n\nRead.\n");
    const std::string kept = (file.folder / "mine").string();
    Story story({.trained = false, .lessons = file.folder});
    const auto train_to = [&](int step) {
        story.session.send(command::MakeSteps{step - story.snapshot().live_step});
        REQUIRE(story.play("wait step == " + std::to_string(step) + " timeout 60\nwait train == 0 timeout 60") == "");
        story.settle();
    };
    const auto there_and_back = [&](bool keep_under_way) {
        REQUIRE(story.play("click lessons\nclick lessons/Try\nframes 3\nexpect_item \"lesson/open model\"") == "");
        if (keep_under_way) story.send(command::KeepRun{kept});
        REQUIRE(story.play("click \"lesson/open model\"\nwait lesson/scene == 1\nframes 4") == "");
        REQUIRE(story.snapshot().model->world == "order");
        REQUIRE(story.play("click lesson/leave\nframes 4") == "");
        story.settle(3);
        story.settle();
    };
    train_to(3);
    there_and_back(true);
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.snapshot().live_step == 3);
    REQUIRE(story.snapshot().current_run());
    CHECK(story.snapshot().current_run()->folder == kept);
    train_to(5);
    there_and_back(false);
    CHECK(story.snapshot().live_step == 5);
    CHECK(story.snapshot().current_run()->folder == kept);
}

TEST_CASE("story: a large fresh model's size is shown first, and opening it can be given up") {
    const OneLesson file(
        "model: homonyms\n== One\nchoice: yes when {step} > 0\nchoice: no when {step} < 1\n\nIs it "
        "trained?\n---\n\nYes.\n"
        "== Two\nmodel: fresh homonyms with n_layers 1, d_model 4096, d_mlp 4096\n\nText.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin + "\nkey 1\nframes 4\nclick lesson/next\nframes 4\n") == "");
    const std::shared_ptr<const ModelInfo> before = story.snapshot().model;
    TransformerConfig large = before->config;
    large.n_layers = 1, large.d_model = large.d_mlp = 4096;
    const auto size = static_cast<double>(build_transformer(large, {1, 1}).graph->parameter_count());
    CHECK(size > 1e8);
    CHECK(story.value("lesson/wanted") == size);
    REQUIRE(story.play("click \"lesson/open model\"\nframes 1\nexpect_no_item \"lesson/open model\"\nclick "
                       "lesson/cancel\nframes 1") == "");
    story.settle(3);
    CHECK_FALSE(story.shows("lesson/wanted"));
    CHECK(story.snapshot().given_up == 1);
    CHECK(story.snapshot().model == before);
    CHECK(story.snapshot().error == "");
}
