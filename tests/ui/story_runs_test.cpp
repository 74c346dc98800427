#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <thread>

#include "app/common/metric_curves.h"
#include "app/panels/runs/run_colours.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/session/opened_model.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions untrained{.trained = false};

const RunInfo& run_of(const Story& story, int id) {
    for (const auto& info : story.snapshot().runs)
        if (info->id == id) return *info;
    FAIL("there is no run " << id);
    return *story.snapshot().runs.front();
}

/// The loss that the curves show, from the history alone: a running mean over about twenty steps.
double running_loss(const RunInfo& run) {
    double mean = -1;
    for (const MetricPoint& p : *run.history)
        mean = mean < 0 ? static_cast<double>(p.loss) : 0.95 * mean + 0.05 * static_cast<double>(p.loss);
    return mean;
}

int pixels_of(const Image& image, const Item& area, ImU32 colour) {
    const std::uint32_t wanted = ((colour >> IM_COL32_R_SHIFT) & 255u) << 16 |
                                 ((colour >> IM_COL32_G_SHIFT) & 255u) << 8 | ((colour >> IM_COL32_B_SHIFT) & 255u);
    int count = 0;
    for (float y = area.min.y; y < area.max.y; ++y)
        for (float x = area.min.x; x < area.max.x; ++x) {
            const std::uint32_t seen = pixel(image, x, y);
            const auto near = [&](int shift) {
                return std::abs(static_cast<int>((seen >> shift) & 255u) - static_cast<int>((wanted >> shift) & 255u)) <
                       24;
            };
            count += near(16) && near(8) && near(0) ? 1 : 0;
        }
    return count;
}

/// Trains 40 steps, then branches at step 16 with ten times the learning rate.
void branch_at_16(Story& story) {
    story.make_steps(40);
    CHECK(story.play("click \"timeline previous\"") == "");
    story.settle();
    while (story.snapshot().step > 16) {
        CHECK(story.play("click \"timeline previous\"") == "");
        story.settle();
    }
    REQUIRE(story.snapshot().step == 16);
    CHECK(story.play("click branch\nframes 2\nexpect branch/from == 16\nexpect branch/words ~ nothing\nclick "
                     "\"branch/rate/× 10\"\nframes 2\nexpect branch/words ~ \"learning rate\"") == "");
}

}  // namespace

TEST_CASE("story: a branch without several heads, of which the last one added can be taken back") {
    Story story(untrained);
    story.make_steps(8);
    CHECK(story.play("click branch\nframes 2\nclick branch/block\nframes 2\nclick \"branch/block/block 0\"\nframes 2\n"
                     "expect branch/words ~ \"head 0.0 removed\"\nclick \"branch/another head\"\nframes 2\n"
                     "click branch/block\nframes 2\nclick \"branch/block/block 1\"\nframes 2\n"
                     "expect branch/words ~ \"heads 0.0, 1.0 removed\"\nclick \"branch/another head\"\nframes 2\n"
                     "click \"branch/head back\"\nframes 2\nexpect branch/words ~ \"head 0.0 removed\"\n"
                     "click branch/block\nframes 2\nclick \"branch/block/block 1\"\nframes 2\n"
                     "click branch/make\nframes 2") == "");
    story.settle();
    const TrainOptions& options = story.snapshot().current_run()->setup.options;
    const TransformerConfig& config = story.snapshot().current_run()->setup.config;
    const TransformerGraph model = build_transformer(config, {1, 4});
    CHECK(options.frozen_zero == std::vector<ParameterRange>{head_output(*model.graph, config, "blocks.0.attn", 0),
                                                             head_output(*model.graph, config, "blocks.1.attn", 0)});
}

TEST_CASE("story: a translation branches without a head of the encoder and one of the cross-attention") {
    Story story({.world = "translation"});
    story.make_steps(8);
    const TrainingSetup before = story.snapshot().current_run()->setup;
    CHECK(story.play("click branch\nframes 2\nclick branch/block\nframes 2\nclick \"branch/block/encoder block 0\"\n"
                     "frames 2\nexpect branch/words ~ \"head encoder 0.0 removed\"\nclick \"branch/another head\"\n"
                     "frames 2\nclick branch/block\nframes 2\nclick \"branch/block/block 0, source\"\nframes 2\n"
                     "click branch/head\nframes 2\nclick \"branch/head/head 1\"\nframes 2\n"
                     "expect branch/words ~ \"heads encoder 0.0, source 0.1 removed\"\nclick branch/make\nframes 2") ==
          "");
    story.settle();
    const TrainingSetup setup = story.snapshot().current_run()->setup;
    const TransformerGraph model = build_transformer(setup.config, {1, 4, 4});
    const std::vector<ParameterRange> removed{head_output(*model.graph, setup.config, "encoder.blocks.0.attn", 0),
                                              head_output(*model.graph, setup.config, "blocks.0.cross_attn", 1)};
    CHECK(setup.options.frozen_zero == removed);
    CHECK(story.snapshot().live_step == 8);
    story.make_steps(4);

    // The same by core alone: eight steps with every head, then four without the two.
    CpuBackend backend;
    const std::unique_ptr<Task> task = task_of(before, GLASSFORMER_SOURCE_DIR "/assets/worlds");
    Trainer trainer(backend, before.config, task->batches, before.options);
    while (trainer.steps() < 8) trainer.step();
    trainer.remove_head("encoder.blocks.0.attn", 0);
    trainer.remove_head("blocks.0.cross_attn", 1);
    while (trainer.steps() < 12) trainer.step();
    REQUIRE(story.snapshot().sentences[0].trace);
    const std::vector<float>& shown = *story.shown_trace(0).parameters();
    REQUIRE(shown.size() == trainer.parameters().size());
    CHECK(std::ranges::equal(shown, trainer.parameters()));
    for (const ParameterRange& r : removed)
        CHECK(std::ranges::all_of(std::span(shown).subspan(r.offset, r.count), [](float w) { return w == 0.0f; }));
    const auto& history = *story.snapshot().current_run()->history;
    CHECK(history.back().step == 12);
}

TEST_CASE("story: a branch with ten times the learning rate, with both curves on screen") {
    Story story(untrained);
    branch_at_16(story);
    const int parent = story.snapshot().run;
    const float peak = run_of(story, parent).setup.options.schedule.peak;
    CHECK(story.value("branch/learning rate") == static_cast<double>(peak * 10));
    CHECK(story.play("click branch/make") == "");
    story.settle();
    REQUIRE(story.snapshot().runs.size() == 2);
    const int branch = story.snapshot().run;
    CHECK(branch != parent);
    CHECK(story.snapshot().live_step == 16);
    CHECK(run_of(story, branch).origin.parent == parent);
    CHECK(run_of(story, branch).setup.options.schedule.peak == peak * 10);
    story.make_steps(24);

    const RunInfo &first = run_of(story, parent), &second = run_of(story, branch);
    REQUIRE(second.history->size() == 40);
    for (std::size_t i = 0; i < 16; ++i) CHECK((*first.history)[i].loss == (*second.history)[i].loss);
    CHECK(first.history->back().loss != second.history->back().loss);
    CHECK(story.value("curve/" + std::to_string(parent)) == doctest::Approx(running_loss(first)).epsilon(1e-4));
    CHECK(story.value("curve/" + std::to_string(branch)) == doctest::Approx(running_loss(second)).epsilon(1e-4));
    CHECK(story.play("hover timeline") == "");  // the middle: not trained yet, so it shows the newest step
    const std::string hover = story.text("timeline hover");
    CHECK(hover.find("step 40") == 0);
    CHECK(contains(hover, first.name + " · loss"));

    const Image picture = story.picture();
    const Theme& light = theme(ThemeKind::light);
    CHECK(pixels_of(picture, *story.find("timeline"), run_colour(light, first.colour)) > 10);
    CHECK(pixels_of(picture, *story.find("timeline"), run_colour(light, second.colour)) > 10);

    CHECK(story.play("click runs\nframes 2") == "");
    for (const RunInfo* run : {&first, &second}) {
        const std::string row = "run/" + std::to_string(run->id);
        CHECK(story.value(row + "/loss") == doctest::Approx(running_loss(*run)).epsilon(1e-4));
        CHECK(story.value(row) == (run->id == branch ? 1 : 0));
    }
    const std::string from = story.text("run/" + std::to_string(branch) + "/from");
    CHECK(from.find("from " + first.name + " at 16 · learning rate") == 0);
}

TEST_CASE("story: runs are renamed, recoloured, hidden, chosen and deleted") {
    Story story(untrained);
    branch_at_16(story);
    CHECK(story.play("click branch/make") == "");
    story.settle();
    story.make_steps(4);
    const int parent = story.snapshot().runs.front()->id, branch = story.snapshot().run;
    const std::string row = "run/" + std::to_string(branch), other = "run/" + std::to_string(parent);
    CHECK(story.play("click runs\nframes 2\ndouble_click " + row + "\nframes 3\ntype fast\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(run_of(story, branch).name == "fast");
    CHECK(story.text(row) == "fast");

    const int colour = run_of(story, branch).colour;
    CHECK(story.play("click " + row + "/colour") == "");
    story.settle();
    CHECK(run_of(story, branch).colour == (colour + 1) % run_colour_count);

    CHECK(story.shows("curve/" + std::to_string(parent)));
    CHECK(story.play("click " + other + "/visible") == "");
    story.settle();
    CHECK(run_of(story, parent).hidden);
    CHECK_FALSE(story.shows("curve/" + std::to_string(parent)));
    CHECK(story.play("click " + other + "/visible") == "");
    story.settle();
    CHECK(story.shows("curve/" + std::to_string(parent)));

    CHECK(story.play("click " + other) == "");
    story.settle();
    CHECK(story.snapshot().run == parent);
    CHECK(story.snapshot().live_step == 40);

    // It was never saved, so the user is asked first.
    CHECK(story.play("click " + row + "/delete\nframes 2\nexpect_item \"delete run\"\nclick \"delete run/cancel\"") ==
          "");
    story.settle();
    CHECK(story.snapshot().runs.size() == 2);
    CHECK(story.play("click " + row + "/delete\nframes 2\nclick \"delete run/confirm\"") == "");
    story.settle();
    REQUIRE(story.snapshot().runs.size() == 1);
    CHECK(story.snapshot().runs.front()->id == parent);
    CHECK(story.play("click " + other + "/delete\nframes 2\nexpect_no_item \"delete run\"") == "");  // the last stays
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: the film plays the kept steps in order, and Space stops it") {
    Story story(untrained);
    story.make_steps(40);
    CHECK(story.play("click runs\nframes 2\nclick \"film/speed/fast · 5 s\"\nclick runs\nclick film") == "");
    REQUIRE(story.state().own<TimelineState>().film.playing);
    std::vector<std::int64_t> seen = {story.snapshot().step};
    for (int i = 0; i < 4000 && story.state().own<TimelineState>().film.playing; ++i) {
        story.frame();
        if (story.snapshot().step != seen.back()) seen.push_back(story.snapshot().step);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK_FALSE(story.state().own<TimelineState>().film.playing);
    story.settle();
    CHECK(story.snapshot().live);
    const std::vector<std::int64_t>& kept = story.snapshot().kept_steps;
    if (seen.front() == 40) seen.erase(seen.begin());  // what was on screen before
    if (seen.back() == 40 && kept.back() != 40) seen.pop_back();
    CHECK(seen == kept);

    const std::string stage = story.state().stage;
    CHECK(story.play("click film\nframes 4\nkey Space\nframes 3") == "");
    CHECK_FALSE(story.state().own<TimelineState>().film.playing);
    CHECK(story.state().stage == stage);
    CHECK(story.play("click film\nframes 4\ndrag playhead 40 0") == "");  // dragging the playhead stops it too
    CHECK_FALSE(story.state().own<TimelineState>().film.playing);
}

TEST_CASE("story: events in the induction world are marked on the timeline, and can be clicked") {
    Story story({.world = "induction"});
    CHECK(story.play("click train") == "");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto happened = [&] {
        const RunInfo* run = story.snapshot().current_run();
        return run && run->events && std::ranges::any_of(*run->events, [](const TrainingEvent& e) {
                   return e.kind == EventKind::head || e.kind == EventKind::metric;
               });
    };
    while (!happened()) {
        REQUIRE(std::chrono::steady_clock::now() < deadline);
        story.frame();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(story.play("click train\nwait train == 0 timeout 60\nclick runs\nframes 2") == "");
    story.settle();
    const std::vector<TrainingEvent> events = *story.snapshot().current_run()->events;  // outlives the snapshot
    for (std::size_t i = 0; i < events.size(); ++i) {
        for (const char* where : {"event/", "happened/"}) {
            const std::string item = where + std::to_string(i);
            CHECK(story.value(item) == static_cast<double>(events[i].step));
            CHECK(story.text(item) == events[i].text);
        }
    }
    // A click on the first flag travels to the nearest step that can be shown.
    const auto first = std::ranges::min_element(events, {}, &TrainingEvent::step);
    CHECK(story.play("click event/" + std::to_string(first - events.begin())) == "");
    story.settle();
    std::int64_t nearest = story.snapshot().live_step;  // which can be shown even if it is not kept
    for (const std::int64_t kept : story.snapshot().kept_steps)
        if (std::abs(kept - first->step) < std::abs(nearest - first->step)) nearest = kept;
    INFO(first->step << ": " << story.snapshot().step << ", not " << nearest);
    CHECK(std::abs(story.snapshot().step - first->step) == std::abs(nearest - first->step));  // a tie: either
}

TEST_CASE("story: a diverging training stops, and a calmer branch continues from the last kept step") {
    Story story(untrained);
    story.make_steps(8);
    TrainingSetup wild = story.snapshot().current_run()->setup;
    wild.options.optimizer.kind = OptimizerKind::sgd;
    wild.options.schedule.peak = 10.0f;
    wild.options.schedule.warmup = 0;
    wild.options.clip = 1e9f;
    wild.options.optimizer.weight_decay = 10.0f;  // every weight grows a hundredfold per step
    story.session.send(command::ChangeSetup{wild});
    story.session.send(command::MakeSteps{400});
    CHECK(story.play("wait trouble timeout 60") == "");
    story.settle();
    REQUIRE(story.snapshot().trouble);
    const Trouble trouble = *story.snapshot().trouble;
    CHECK(story.value("trouble") == static_cast<double>(trouble.step));
    CHECK(contains(story.text("trouble"), trouble.text));
    CHECK_FALSE(story.shows("error"));  // one bar is enough
    // Its end says where the training broke, so nothing is clipped.
    story.host.ui().items->keep_texts(true);
    story.frames(2);
    std::string shown;
    for (const Items::DrawnText& drawn : story.host.items().texts()) {
        CHECK_FALSE((drawn.cut && drawn.text.starts_with("Training stopped")));
        shown += drawn.text;
        shown += ' ';
    }
    CHECK(contains(shown, trouble.text.substr(trouble.text.rfind(' ') + 1)));
    CHECK(story.play("click trouble/back") == "");
    story.settle();
    CHECK(story.snapshot().step == trouble.last_kept);
    CHECK(story.play("click trouble/branch") == "");
    story.settle();
    REQUIRE(story.snapshot().runs.size() == 2);
    const RunInfo* branch = story.snapshot().current_run();
    CHECK(branch->origin.step == trouble.last_kept);
    CHECK(branch->setup.options.schedule.peak == 1.0f);
}

TEST_CASE("story: the Branch card and the runs fit a narrow window") {
    Story story({.size = {800, 600}, .trained = false});
    story.make_steps(6);
    CHECK(story.play("click panel/Timeline\nframes 2\nclick branch\nframes 2\nclick \"branch/no warm-up\"\nframes "
                     "2\nexpect branch/words ~ \"no warm-up\"\nkey Escape\nframes 2\nexpect_item timeline\nclick "
                     "runs\nframes 2\nexpect_item run/0/loss\nclick runs/close\nframes 2\nexpect_item timeline") == "");
}

TEST_CASE("a logarithmic step axis maps each step to its place and back") {
    Plot plot{{{100, 0}, {900, 100}}, {0, 1200}, {}};
    for (const Axis::Spacing spacing : {Axis::Spacing::even, Axis::Spacing::log1p}) {
        plot.x.spacing = spacing;
        CHECK(plot.at_x(0) == 100.0f);
        CHECK(plot.at_x(1200) == doctest::Approx(900));
        for (const double step : {1.0, 7.0, 230.0, 1199.0})
            CHECK(plot.x_value(plot.at_x(step)) == doctest::Approx(step).epsilon(1e-3));
    }
    CHECK(plot.at_x(34) > 490.0f);  // half of the axis is the first root of the steps
}

TEST_CASE("the runs' colours are readable on the card, and all different") {
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        const Theme& t = theme(kind);
        for (int i = 0; i < run_colour_count; ++i) {
            CHECK(contrast(run_colour(t, i), t.card) >= 4.5);
            CHECK(contrast(run_metric_colour(t, i), t.card) >= 4.5);
            for (int j = 0; j < i; ++j) CHECK(run_colour(t, i) != run_colour(t, j));
        }
        CHECK(run_colour(t, 0) == t.residual);
        CHECK(run_colour(t, run_colour_count) == run_colour(t, 0));
    }
}

TEST_CASE("story: the palette opens the runs and the Branch card, also when one panel is shown") {
    for (const float scale : {1.0f, 2.0f}) {
        Story story({.size = {1280, 720}, .scale = scale});
        const auto choose = [&](const std::string& text) {
            return story.play("key Ctrl+k\nframes 3\ntype \"" + text + "\"\nframes 3\nkey Enter\nframes 4");
        };
        CHECK(choose("Runs, film") == "");
        CHECK(story.shows("runs/close"));
        CHECK(choose("Branch from here") == "");
        CHECK_FALSE(story.shows("runs/close"));
        CHECK(story.state().own<TimelineState>().branch.open);
    }
}

TEST_CASE("story: the palette's ten times the learning rate trains a branch, and the old curve stays") {
    Story story({.trained = false});
    story.make_steps(8);
    const float rate = story.snapshot().current_run()->setup.options.schedule.peak;
    const int parent = story.snapshot().run;
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"What if the learning rate were\"\nframes 2\nkey Enter") == "");
    CHECK(story.until([&] { return story.snapshot().run != parent && story.snapshot().live_step > 8; }));
    story.send(command::Pause{});
    CHECK(story.snapshot().current_run()->setup.options.schedule.peak == 10 * rate);
    REQUIRE(story.snapshot().runs.size() == 2);
    const RunInfo& old = *story.snapshot().runs[0];
    CHECK(old.id == parent);
    CHECK_FALSE(old.hidden);
    CHECK(old.history->size() == 8);
    CHECK(old.setup.options.schedule.peak == rate);
    CHECK(story.snapshot().history->front() == old.history->front());  // the branch includes what came before it
}
