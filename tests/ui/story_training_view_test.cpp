#include <algorithm>
#include <cmath>

#include "app/views/registry.h"
#include "app/views/training/training_view.h"
#include "core/tasks/tasks.h"
#include "core/train/dropout_mask.h"
#include "core/train/trainer.h"
#include "core/train/update_explanation.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::training;

namespace {

constexpr const char* worlds_folder = GLASSFORMER_SOURCE_DIR "/assets/worlds";

/// The training of a world by core alone, inspected after every step.
struct Alone {
    std::unique_ptr<Task> task;
    CpuBackend backend{2};
    Trainer trainer;

    explicit Alone(const std::string& world)
        : task(make_task(world, worlds_folder)), trainer(backend, task->config, task->batches, task->options) {
        trainer.watch(true);
    }
    void make_steps(int count) {
        for (int i = 0; i < count; ++i) trainer.step();
    }
    const NodeInfo& parameter(const std::string& name) const { return trainer.graph()[trainer.graph().at(name)]; }
};

/// Opens a page of the view.
void look(Story& story, int page) {
    const auto view = std::ranges::find(all_views(), std::string_view("Training"), &app::View::name);
    REQUIRE(view != all_views().end());
    story.state().view = static_cast<int>(view - all_views().begin());
    story.state().own<TrainingLook>().page = page;
    story.frames(2);
    story.settle();
}

struct Spread {
    double least, most, mean, deviation;
};

Spread spread_of(std::span<const float> values) {
    Spread s{1e300, -1e300, 0, 0};
    for (const float v : values) {
        const auto x = static_cast<double>(v);
        s.least = std::min(s.least, x), s.most = std::max(s.most, x), s.mean += x / static_cast<double>(values.size());
    }
    for (const float v : values) s.deviation += (static_cast<double>(v) - s.mean) * (static_cast<double>(v) - s.mean);
    s.deviation = std::sqrt(s.deviation / static_cast<double>(values.size()));
    return s;
}

bool near(double shown, double truth, double size) { return std::abs(shown - truth) <= 1e-6 * size + 1e-15; }

/// Checks the statistics of one tensor's histogram.
void check_spread(const Story& story, Differences& differences, const std::string& label,
                  std::span<const float> values) {
    const Spread truth = spread_of(values);
    differences.expect(story, label + " least", truth.least);
    differences.expect(story, label + " most", truth.most);
    const double size = std::max(std::abs(truth.least), std::abs(truth.most));
    if (!near(story.value(label), truth.mean, size)) differences.add(label + ": another mean");
    // A variance computed as mean square minus squared mean keeps only half of the digits.
    if (std::abs(story.value(label + " deviation") - truth.deviation) > 1e-4 * size)
        differences.add(label + ": another deviation");
}

std::span<const float> part(std::span<const float> all, const NodeInfo& p) {
    return all.subspan(p.offset, p.shape.elements());
}

/// Compares the losses on screen with core's, sentence by sentence.
int check_losses(const Story& story, Alone& alone) {
    const std::span<const float> losses = alone.trainer.loss_of_tokens();
    const Batch& batch = *alone.trainer.inside().batch;
    const std::size_t positions = alone.task->batches->shape(1).positions;
    const bool classes = alone.trainer.config().output == OutputKind::classes;
    Differences differences;
    const Inspection& shown = *story.snapshot().inspection;
    for (std::size_t row = 0; row < shown.batch.size(); ++row) {
        std::size_t chip = 0;
        const auto expect = [&](float loss) {
            const std::string label = "training/loss " + std::to_string(row) + " " + std::to_string(chip++);
            if (std::isnan(loss))
                CHECK_FALSE(story.shows(label));
            else if (story.shows(label))  // otherwise it is below the edge
                differences.expect(story, label, static_cast<double>(loss));
        };
        for (std::size_t p = 0; p < positions; ++p) {
            if (!batch.key_mask.empty() && batch.key_mask[row * positions + p] == 0.0f) continue;
            expect(classes ? std::nanf("") : losses[row * positions + p]);
        }
        if (classes) expect(losses[row]);
    }
    CHECK(differences.report() == "");
    return differences.compared();
}

}  // namespace

TEST_CASE("story: the histograms show the training's tensors") {
    Story story({.size = {1600, 3600}, .trained = false});
    Alone alone("homonyms");
    look(story, TrainingLook::parameters_page);
    CHECK(story.shows("training/not yet"));
    const std::vector<float> first = initial_parameters(alone.trainer.graph(), alone.task->options.seed);
    Differences before;
    for (const int id : alone.trainer.graph().parameters()) {
        const NodeInfo& p = alone.trainer.graph()[id];
        check_spread(story, before, "training/" + p.name + " weight", part(first, p));
        CHECK_FALSE(story.shows("training/" + p.name + " gradient"));
    }
    CHECK(before.report() == "");
    story.make_steps(4);
    alone.make_steps(4);
    CHECK_FALSE(story.shows("training/not yet"));
    const StepInside inside = alone.trainer.inside();
    Differences after;
    for (const int id : alone.trainer.graph().parameters()) {
        const NodeInfo& p = alone.trainer.graph()[id];
        check_spread(story, after, "training/" + p.name + " weight", part(alone.trainer.parameters(), p));
        check_spread(story, after, "training/" + p.name + " gradient", part(inside.gradients, p));
        check_spread(story, after, "training/" + p.name + " m", part(inside.m, p));
        check_spread(story, after, "training/" + p.name + " v", part(inside.v, p));
    }
    CHECK(after.report() == "");
    CHECK(after.compared() > 100);
    CHECK(story.play("click \"training/log counts\"\nexpect \"training/log counts\" == 1") == "");
}

TEST_CASE("story: with SGD there are no histograms of m and v") {
    Story story({.size = {1600, 1000}, .trained = false});
    look(story, TrainingLook::parameters_page);
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.optimizer.kind = OptimizerKind::sgd;
    story.send(command::ChangeSetup{setup});
    story.make_steps(1);
    const std::string name = story.snapshot().inspection->parameters.front().name;
    CHECK(story.shows("training/" + name + " gradient"));
    CHECK_FALSE(story.shows("training/" + name + " m"));
    CHECK_FALSE(story.shows("training/" + name + " v"));
}

TEST_CASE("story: the history of a weight starts over with the training, also if another view was shown meanwhile") {
    Story story({.trained = false});
    look(story, TrainingLook::weight_page);
    story.make_steps(3);
    CHECK(story.state().own<TrainingLook>().curve.points.back().step == 3);
    CHECK(story.play("click view/Attention\nframes 2") == "");
    story.send(command::SetSeed{7});
    story.send(command::Reset{});
    story.make_steps(5);
    look(story, TrainingLook::weight_page);
    story.make_steps(1);
    CHECK(story.value("training/curve value") == 1);
    CHECK(story.state().own<TrainingLook>().curve.points.front().step == 6);
}

TEST_CASE("story: the training view keeps no weight of a model that was closed while another view was shown") {
    Story story({.trained = false});
    look(story, TrainingLook::weight_page);
    CHECK(story.state().own<TrainingLook>().known_parameters);
    CHECK(story.play("click view/Attention\nframes 2") == "");
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/next_word"});
    story.frames(2);
    const auto& known = story.state().own<TrainingLook>().known_parameters;
    const auto of_this_model = [&] {
        return known->back().offset + known->back().shape.elements() == story.snapshot().model->parameter_count;
    };
    CHECK((!known || of_this_model()));
    look(story, TrainingLook::weight_page);
    CHECK(of_this_model());
}

TEST_CASE("story: the history of one weight matches the training's updates") {
    Story story({.size = {1600, 1000}, .trained = false});
    Alone alone("homonyms");
    look(story, TrainingLook::weight_page);
    CHECK(story.shows("training/not yet"));
    look(story, TrainingLook::parameters_page);
    CHECK(story.play("click \"training/row pos_embed.W_pos\"\nframes 2\nclick \"training/pick 3 5\"\nframes 2") == "");
    story.settle();
    const NodeInfo& p = alone.parameter("pos_embed.W_pos");
    const std::int64_t cell = p.offset + 3 * p.shape.back() + 5;
    CHECK(story.state().own<TrainingLook>().page == TrainingLook::weight_page);
    CHECK(story.text("training/weight") == "pos_embed.W_pos[3, 5]");
    for (int step = 1; step <= 3; ++step) {
        story.make_steps(1);
        alone.make_steps(1);
        const UpdateExplanation life = explain_update(alone.trainer, cell);
        Differences differences;
        differences.expect(story, "training/weight", static_cast<double>(cell));
        differences.expect(story, "training/weight before", life.before);
        differences.expect(story, "training/weight gradient", life.gradient);
        differences.expect(story, "training/weight m", life.m);
        differences.expect(story, "training/weight v", life.v);
        differences.expect(story, "training/weight rate", life.learning_rate);
        differences.expect(story, "training/weight update", life.change);
        differences.expect(story, "training/weight after", life.after);
        differences.expect(story, "training/agrees", 1);
        CHECK(differences.report() == "");
        CHECK(story.text("training/equation 0") == life.numbers.front());
        CHECK(story.value("training/curve value") == step);
        CHECK(story.state().own<TrainingLook>().curve.points.back().value == static_cast<float>(life.after));
    }
    CHECK(story.play("click \"training/next weight\"") == "");
    story.settle();
    CHECK(story.value("training/weight before") == explain_update(alone.trainer, cell + 1).before);
    CHECK(story.value("training/curve value") == 1);
    CHECK(story.play("click \"training/previous weight\"\nframes 2\nclick \"training/previous weight\"") == "");
    story.settle();
    CHECK(story.value("training/weight after") == explain_update(alone.trainer, cell - 1).after);
    CHECK(story.play("click \"training/random weight\"") == "");
    story.settle();
    const auto drawn = static_cast<std::int64_t>(story.value("training/weight"));
    CHECK(drawn != cell - 1);
    CHECK(story.value("training/weight gradient") == explain_update(alone.trainer, drawn).gradient);
}

TEST_CASE("story: an explained weight opens its history in the training") {
    Story story({.size = {1600, 1000}, .trained = false});
    const Trace& trace = story.shown_trace(0);
    const int node = trace.graph().at("blocks.1.attn.W_Q");
    explain(story.state(), {0, {node, 7}});
    story.frames(2);
    CHECK(story.play("click explain/life\nframes 2") == "");
    story.make_steps(2);
    Alone alone("homonyms");
    alone.make_steps(2);
    const NodeInfo& p = alone.parameter("blocks.1.attn.W_Q");
    CHECK(story.value("training/weight") == static_cast<double>(p.offset + 7));
    CHECK(story.value("training/weight after") == explain_update(alone.trainer, p.offset + 7).after);
}

TEST_CASE("story: the batch page shows the newest step's batch with the loss of each token") {
    for (const std::string world : {"homonyms", "induction", "translation", "coreference", "order", "regression"}) {
        CAPTURE(world);
        Story story({.size = {1600, 1000}, .trained = false, .world = world == "homonyms" ? "" : world});
        look(story, TrainingLook::batch_page);
        CHECK(story.shows("training/not yet"));
        story.make_steps(2);
        Alone alone(world);
        alone.make_steps(2);
        CHECK(story.value("training/batch loss") == static_cast<double>(alone.trainer.inside().report.loss));
        CHECK(check_losses(story, alone) > 0);
        for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{900, 600}}) {
            story.surface->resize(size);
            story.frames(2);
            CHECK_FALSE(story.picture().rgba.empty());
        }
        CHECK(story.snapshot().error == "");
    }
}

TEST_CASE(
    "story: the batch page says how many sentences the newest step's batch had, whatever the next one will have") {
    Story story({.size = {1600, 1000}, .trained = false});
    look(story, TrainingLook::batch_page);
    story.make_steps(1);
    const std::size_t size = story.snapshot().inspection->batch_size;
    CHECK(size == story.snapshot().batch);
    story.send(command::SetBatch{8});
    REQUIRE(story.snapshot().batch == 8);
    CHECK(story.snapshot().inspection->batch_size == size);
}

TEST_CASE("story: the training inspects only what is on screen") {
    Story story({.size = {1600, 1000}, .trained = false});
    story.make_steps(1);
    CHECK(story.snapshot().inspection == nullptr);
    look(story, TrainingLook::batch_page);
    REQUIRE(story.snapshot().inspection);
    CHECK(story.snapshot().inspection->what == Inspected::batch);
    look(story, TrainingLook::parameters_page);
    REQUIRE(story.snapshot().inspection);
    CHECK(story.snapshot().inspection->what == Inspected::histograms);
    story.state().view = 0;
    story.frames(2);
    story.settle();
    story.make_steps(1);
    CHECK(story.snapshot().inspection == nullptr);
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: each block shows its gradient norm in the newest update") {
    Story story({.size = {1600, 4000}, .trained = false});
    Alone alone("homonyms");
    look(story, TrainingLook::parameters_page);
    CHECK_FALSE(story.shows("training/gradient norm Block 0"));
    story.make_steps(3);
    alone.make_steps(3);
    const StepInside inside = alone.trainer.inside();
    for (const int block : {0, 1}) {
        double squares = 0;
        for (const int id : alone.trainer.graph().parameters()) {
            const NodeInfo& p = alone.trainer.graph()[id];
            if (!p.name.starts_with("blocks." + std::to_string(block) + ".")) continue;
            for (const float g : part(inside.gradients, p)) squares += static_cast<double>(g) * static_cast<double>(g);
        }
        CHECK(story.value("training/gradient norm Block " + std::to_string(block)) ==
              doctest::Approx(std::sqrt(squares)).epsilon(1e-4));
    }
}

TEST_CASE("story: the batch page shows what dropout zeroed in the newest step") {
    Story story({.size = {1600, 1400}, .trained = false});
    look(story, TrainingLook::batch_page);
    story.make_steps(1);
    CHECK_FALSE(story.shows("training/dropped"));  // trained without dropout
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.config.dropout = 0.3f;
    story.send(command::ChangeSetup{setup});
    look(story, TrainingLook::batch_page);
    story.make_steps(2);
    const Inspection& shown = *story.snapshot().inspection;
    REQUIRE(story.shows("training/dropped"));
    const auto words = static_cast<double>(shown.batch.front().tokens.size());
    const double cells = words * setup.config.d_model;
    CHECK(story.value("training/dropped") / cells == doctest::Approx(0.3).epsilon(0.25));
    // The next step drops other values.
    const auto taken = [&] {
        std::vector<double> all;
        for (int i = 0; i < setup.config.d_model; ++i)
            all.push_back(story.value("training/dropout 0 " + std::to_string(i)));
        return all;
    };
    const std::vector<double> before = taken();
    CHECK(std::ranges::count(before, 0.0) > 0);
    story.send(command::SetSeed{99});  // of the next training
    CHECK(taken() == before);
    story.make_steps(1);
    CHECK(taken() != before);
    const TrainOptions& options = story.snapshot().current_run()->setup.options;
    const DropoutPlace first = dropout_places(setup.config).front();
    const int now = static_cast<int>(story.snapshot().inspection->batch.front().tokens.size());
    const std::vector<float> truth = dropout_mask(first, options.seed, story.snapshot().inspection->step, now);
    CHECK(options.seed == 1);
    CHECK(std::ranges::equal(taken(), std::span(truth).first(static_cast<std::size_t>(setup.config.d_model))));
}

TEST_CASE("story: in a translation, dropout of the encoder is that of the source sentence's words") {
    Story story({.size = {1600, 1400}, .world = "translation"});
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.config.dropout = 0.3f;
    story.send(command::ChangeSetup{setup});
    look(story, TrainingLook::batch_page);
    const std::vector<DropoutPlace> places = dropout_places(setup.config);
    const auto at = std::ranges::find_if(places, [](const auto& one) { return one.name.starts_with("encoder."); });
    REQUIRE(at != places.end());
    const DropoutPlace& encoder = *at;
    // Until the two sentences differ in length.
    do story.make_steps(1);
    while (story.snapshot().inspection->batch.front().source.size() ==
           story.snapshot().inspection->batch.front().tokens.size());
    const std::string place = "\"training/dropout place";
    REQUIRE(story.play("click " + place + "\"\nframes 2\nclick " + place + "/" + encoder.name + "\"\nframes 3") == "");
    const std::size_t words = story.snapshot().inspection->batch.front().source.size();
    CHECK(story.shows("training/dropout " + std::to_string(words - 1) + " 0"));
    CHECK_FALSE(story.shows("training/dropout " + std::to_string(words) + " 0"));
    const std::vector<float> truth =
        dropout_mask(encoder, setup.options.seed, story.snapshot().inspection->step, static_cast<int>(words));
    CHECK(story.value("training/dropped") == std::ranges::count(truth, 0.0f));
}
