#include "app/session/tuned_lens_study.h"
#include "app/views/registry.h"
#include "core/analysis/lens_curves.h"
#include "core/analysis/logit_lens.h"
#include "core/analysis/tuned_lens_training.h"
#include "core/base/number_text.h"
#include "core/tasks/tasks.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Checks a card's grid against core's lens, either tuned, with one map per layer, or plain.
void check_grid(const Story& story, int slot, const std::shared_ptr<const TunedLens>& tuned) {
    const auto& trace = story.snapshot().sentences[slot].trace;
    ThreadPool pool(1);
    const LogitLens lens(trace, pool, tuned);
    Differences differences;
    for (int layer = 0; layer < lens.layers(); ++layer) {
        const LensLayer said = lens.layer(layer);
        for (int p = 0; p < trace->positions(); ++p)
            differences.expect(
                story, std::string(slot_letter(slot)) + "/lens " + std::to_string(layer) + " " + std::to_string(p),
                static_cast<double>(top_words(said, p, 1).front().probability));
    }
    CHECK(differences.compared() == lens.layers() * trace->positions());
    CHECK(differences.report() == "");
}

std::shared_ptr<const TunedLens> lens_of(const Story& story) {
    const auto& found = story.snapshot().tuned_lens;
    return found ? found->lens : nullptr;
}

bool trained(Story& story) {
    return story.until([&] { return lens_of(story) && story.shows("A/tuned kl 0"); });
}

void open_lens(Story& story) {
    story.state().view = view_index("Logit lens");
    REQUIRE(story.play("frames 2\nclick \"A/lens tuned\"\nframes 2") == "");
}

}  // namespace

TEST_CASE("story: a tuned lens is trained on the world, used by the grid and the curves, and can be turned off") {
    Story story({.model = "next_word"});
    open_lens(story);
    REQUIRE(trained(story));
    story.frames(2);
    const auto lens = lens_of(story);
    const TunedLensShown& found = *story.snapshot().tuned_lens;
    CHECK(found.learned == TunedLensStudy::batches * TunedLensStudy::of_a_batch);
    CHECK(found.held_out > 0);
    CHECK(found.step == story.snapshot().step);
    for (std::size_t layer = 0; layer < lens->maps.size(); ++layer) {
        const TunedLens::Map& map = lens->maps[layer];
        CHECK(story.value("A/tuned kl " + std::to_string(layer)) == map.tuned);
        CHECK(map.tuned <= map.plain);
        CHECK(map.tuned < 0.9 * map.plain);
    }
    check_grid(story, 0, lens);
    // Everything exported says which lens was used.
    const std::string of = "tuned lens of step " + grouped(story.snapshot().step);
    CHECK(contains(story.app.export_caption(story.host), of));
    REQUIRE(story.play("click \"A/lens curves\"\nframes 2") == "");
    ThreadPool pool(1);
    const LogitLens core(story.snapshot().sentences[0].trace, pool, lens);
    std::vector<std::vector<float>> logits;
    for (int layer = 0; layer < core.layers(); ++layer)
        logits.push_back(core.rows(layer, {story.state().token[0], 1}).logits);
    const LensCurves curves(logits);
    for (int layer = 0; layer < core.layers(); ++layer)
        CHECK(story.value("A/entropy " + std::to_string(layer)) == doctest::Approx(curves.entropy(layer)));
    REQUIRE(story.play("click \"A/lens tuned\"\nframes 2") == "");
    CHECK_FALSE(story.shows("A/tuned"));
    CHECK(!contains(story.app.export_caption(story.host), "lens of"));
    check_grid(story, 0, nullptr);
    REQUIRE(story.play("click \"A/lens tuned\"\nframes 2") == "");
    CHECK(lens_of(story) == lens);  // the fitted lens was kept
    check_grid(story, 0, lens);
}

TEST_CASE("story: a tuned lens learns from the sentences that the run draws with its seed and share and says which") {
    Story story({.model = "next_word"});
    open_lens(story);
    REQUIRE(trained(story));
    const auto tells = [&](const std::string& drawing) {
        REQUIRE(story.play("frames 2\nhover \"A/token 0\"\nframes 2\nhover \"A/tuned\"\nwait tooltip") == "");
        return story.text("tooltip").find("draws (" + drawing + ")") != std::string::npos;
    };
    CHECK(tells("seed 1"));
    const auto of_all = lens_of(story);
    // The same parameters, but a training that draws other sentences.
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.data_share = 0.1f;
    story.send(command::Branch{story.snapshot().step, setup, {}, "few"});
    story.settle();
    REQUIRE(trained(story));
    story.frames(2);
    const auto of_few = lens_of(story);
    CHECK(of_few->maps[0].values != of_all->maps[0].values);
    CHECK(tells("seed 1, 10 % of the training sentences"));
    // Another learning rate draws the same sentences.
    story.send(command::SetLearningRate{0.002f});
    story.settle();
    CHECK(lens_of(story) == of_few);
    story.send(command::SetSeed{5});
    story.send(command::Reset{});
    story.settle();
    REQUIRE(trained(story));
    story.frames(2);
    CHECK(story.snapshot().tuned_lens->drawing.seed == 5);
    CHECK(tells("seed 5, 10 % of the training sentences"));
    // By a second computation: what the lens has learned from are the run's own draws.
    const auto task = make_task("next_word", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    const auto drawn = training_batches(task->batches, story.snapshot().current_run()->setup.options);
    const int batch = TunedLensStudy::of_a_batch;
    CpuBackend backend(1);
    const auto& trace = story.snapshot().sentences[0].trace;
    StreamCollector collector(backend, story.snapshot().model->config, drawn->shape(batch));
    StreamRows learn, held_out;
    Batch rows;
    for (int i = 1; i <= TunedLensStudy::batches && learn.rows < TunedLensStudy::most_rows; ++i) {
        drawn->draw(5, i, batch, rows);
        collector.add(rows, *trace->parameters(), TunedLensStudy::most_rows, learn);
    }
    CHECK(learn.sentences == story.snapshot().tuned_lens->learned);
    const int count = task->held_out()->eval_batch(batch, rows);
    StreamCollector other(backend, story.snapshot().model->config, task->held_out()->shape(count));
    other.add(rows, *trace->parameters(), TunedLensStudy::most_held_out, held_out);
    TunedLensTraining training(collector.head(), trace->parameters(), learn, held_out, backend.pool(), {.seed = 5});
    while (!training.done()) training.work();
    CHECK(training.lens().maps[0].values == lens_of(story)->maps[0].values);
}

TEST_CASE("story: each step has its own tuned lens; what-ifs and compared steps use the plain one") {
    Story story({.model = "next_word"});
    open_lens(story);
    REQUIRE(trained(story));
    const auto newest = lens_of(story);
    story.send(command::LookAt{64});
    story.settle();
    REQUIRE(trained(story));
    story.frames(2);
    CHECK(story.snapshot().tuned_lens->step == story.snapshot().step);
    CHECK(lens_of(story)->maps[0].values != newest->maps[0].values);
    check_grid(story, 0, lens_of(story));
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 0}}});
    story.settle(2);
    CHECK(contains(story.text("A/tuned"), "altered"));
    check_grid(story, 0, nullptr);
    story.send(command::SetWhatIf{{}});
    story.settle(2);
    check_grid(story, 0, lens_of(story));
    story.send(command::FollowLive{});
    story.settle();
    REQUIRE(trained(story));
    Comparing steps;
    steps.what = Comparing::What::steps;
    steps.step = 64;
    story.send(command::CompareWith{steps});
    story.settle(2);
    REQUIRE(story.snapshot().sentences[1].step != story.snapshot().step);
    CHECK(contains(story.text("B/tuned"), "step"));
    check_grid(story, 0, lens_of(story));
    check_grid(story, 1, nullptr);
}

TEST_CASE("story: the training of a tuned lens can be cancelled, and waits while the model trains") {
    Story story({.trained = false});
    open_lens(story);
    REQUIRE(story.until([&] { return story.shows("A/tuned cancel"); }));
    REQUIRE(story.play("click \"A/tuned cancel\"\nframes 2") == "");
    story.settle();
    CHECK_FALSE(story.shows("A/tuned"));
    CHECK_FALSE(story.snapshot().tuned_lens);
    story.send(command::Train{});
    REQUIRE(story.play("click \"A/lens tuned\"\nframes 4") == "");
    CHECK(contains(story.text("A/tuned"), "pauses"));
    story.send(command::Pause{});
    REQUIRE(trained(story));
    story.frames(2);
    CHECK(story.snapshot().tuned_lens->step == story.snapshot().step);
    check_grid(story, 0, lens_of(story));
}

TEST_CASE("story: a published model has no tuned lens, because its training data is not known") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_of_words(folder).string()});
    story.settle();
    open_lens(story);
    REQUIRE(story.until([&] { return contains(story.text("A/tuned"), "training data of this model is not known"); }));
    check_grid(story, 0, nullptr);
}

TEST_CASE("story: worlds of words have a tuned lens no worse than the plain one, trained or not; classes have none") {
    for (const std::string world : {"homonyms", "coreference", "induction", "translation"})
        for (const bool untrained : {true, false}) {
            CAPTURE(world);
            CAPTURE(untrained);
            Story story(untrained ? StoryOptions{.world = world} : StoryOptions{.model = world});
            REQUIRE((story.snapshot().step == 0) == untrained);
            open_lens(story);
            REQUIRE(story.until([&] { return story.snapshot().tuned_lens && !story.shows("A/tuned cancel"); }));
            const TunedLensShown& found = *story.snapshot().tuned_lens;
            CAPTURE(found.why_not);
            REQUIRE(found.lens);
            for (const TunedLens::Map& map : found.lens->maps) CHECK(map.tuned <= map.plain);
            check_grid(story, 0, found.lens);
        }
    Story order({.world = "order"});
    CHECK_FALSE(order.offers(all_views()[view_index("Logit lens")]));
}

TEST_CASE("story: the layers below a generated text grow with it") {
    Story story({.model = "sample"});
    story.state().view = view_index("Generate");
    REQUIRE(story.play("frames 2\nclick \"A/generate/layers\"\nframes 2") == "");
    check_grid(story, 0, nullptr);
    for (int i = 0; i < 3; ++i) {
        const int before = story.snapshot().sentences[0].trace->positions();
        REQUIRE(story.play("click \"A/generate/next\"\nframes 2") == "");
        story.settle(2);
        REQUIRE(story.snapshot().sentences[0].trace->positions() == before + 1);
        check_grid(story, 0, nullptr);
        const std::string newest = "A/lens 0 " + std::to_string(before);
        CHECK(story.until([&] { return story.shows(newest) && story.find(newest)->in_sight; }));  // scrolled to
    }
    REQUIRE(story.play("click \"A/generate/layers\"\nframes 2") == "");
    CHECK_FALSE(story.shows("A/lens 0 0"));
}
