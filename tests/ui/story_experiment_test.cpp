#include <cmath>
#include <fstream>

#include "app/lessons/experiment_claim.h"
#include "app/session/setup_preview.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "tests/ui/experiment_story.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: two seeds side by side show core's numbers, and one opens as an ordinary run") {
    Story story({.trained = false});
    begin(story);
    const ExperimentInfo& experiment = *story.snapshot().experiment;
    REQUIRE(experiment.runs.size() == 2);
    const int slot = story.state().slot, word = story.state().token[static_cast<std::size_t>(slot)];
    const std::string sentence = story.snapshot().sentences[static_cast<std::size_t>(slot)].text;
    const ExperimentState& state = story.state().own<ExperimentState>();
    CHECK(state.reference == 0);
    REQUIRE(state.matched.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto truth = reference().trace(
            sentence, reference().trained(static_cast<std::uint64_t>(i) + 1, experiment_steps, experiment_steps));
        const std::string n = std::to_string(i);
        CHECK(story.value("experiment/metric " + n) == experiment.runs[i].now.found->value);
        const std::span<const float> row = pattern_row(*truth, state.matched[i].block, state.matched[i].head, word);
        for (std::size_t key = 0; key < row.size(); ++key)
            CHECK(story.value("experiment/pattern " + n + " " + std::to_string(word) + " " + std::to_string(key)) ==
                  static_cast<double>(row[key]));
    }
    // The partners come from the best matching of all heads; the distance is between the two patterns.
    const auto patterns = [&](std::size_t run) {
        return head_patterns(*experiment.runs[run].seen->sentences[static_cast<std::size_t>(slot)].trace);
    };
    const HeadPatterns a = patterns(0), b = patterns(1);
    const MatchedInRun own = state.matched[0], other = state.matched[1];
    CHECK(story.value("experiment/head 1") ==
          pattern_distance(a.heads[static_cast<std::size_t>(a.find(own.block, own.head))].weights,
                           b.heads[static_cast<std::size_t>(b.find(other.block, other.head))].weights, a.queries));
    // A click chooses the run whose heads the others are compared with.
    CHECK(story.play("click \"experiment/card 1\"\nframes 2") == "");
    CHECK(state.reference == 1);
    const std::size_t before = story.snapshot().runs.size();
    CHECK(story.play("click \"experiment/open 1\"") == "");
    CHECK(story.until([&] { return story.snapshot().runs.size() == before + 1; }));
    story.settle();
    CHECK_FALSE(state.open);
    CHECK(story.snapshot().current_run()->name == "seed 2");
    CHECK(story.snapshot().step == experiment_steps);
    CHECK(story.snapshot().history->size() == experiment_steps);
    const auto truth = reference().trace(sentence, reference().trained(2, experiment_steps, experiment_steps));
    CHECK(std::ranges::equal(pattern_row(story.shown_trace(slot), 0, 0, word), pattern_row(*truth, 0, 0, word)));
    CHECK(story.snapshot().current_run()->kept_steps.size() > 5);
}

TEST_CASE("story: a claim is tested on every run, and says where it cannot be read") {
    Story story({.trained = false});
    begin(story);
    ExperimentState& state = story.state().own<ExperimentState>();
    const int slot = story.state().slot, word = story.state().token[static_cast<std::size_t>(slot)];
    const auto& tokens = story.snapshot().sentences[static_cast<std::size_t>(slot)].tokens;
    const std::string name = tokens[static_cast<std::size_t>(word)].text;
    const auto top = [&](std::size_t run) {
        const Trace& trace =
            *story.snapshot().experiment->runs[run].seen->sentences[static_cast<std::size_t>(slot)].trace;
        return tokens[static_cast<std::size_t>(
                          largest(pattern_row(trace, state.matched[run].block, state.matched[run].head, word)))]
            .text;
    };
    state.claim = std::string("{") + slot_letter(slot) + ": top \"" + name + "\"} = " + top(0);
    story.frames(2);
    CHECK(story.value("experiment/claim 0") == 1);
    CHECK(story.text("experiment/claim 0") == top(0));
    CHECK(story.value("experiment/claim 1") == (top(1) == top(0) ? 1 : 0));
    CHECK(story.value("experiment/holds") == 1 + story.value("experiment/claim 1"));
    state.claim = "{A: nothing} = 1";
    story.frames(2);
    CHECK(story.shows("experiment/claim error"));
    CHECK_FALSE(story.shows("experiment/claim 0"));
}

TEST_CASE("story: Stop keeps the results of an experiment so far; an impossible plan is refused with the reason") {
    Story story({.trained = false});
    ExperimentState& state = story.state().own<ExperimentState>();
    state.open = true;
    state.values["seed"] = "1..99";
    CHECK(story.play("frames 2\nclick experiment/start\nframes 2") == "");
    CHECK(contains(story.text("experiment/refusal"), "at most 12 runs"));
    state.values["seed"] = "1..12";
    CHECK(story.play("click experiment/start") == "");
    CHECK(story.until([&] {
        return story.snapshot().experiment && story.snapshot().experiment->runs[0].now.step > 0 &&
               story.shows("experiment/stop");
    }));
    CHECK(story.play("click experiment/stop") == "");
    CHECK(story.until([&] { return !story.snapshot().experiment->under_way(); }));
    story.frames(3);
    CHECK(story.snapshot().experiment->runs[0].now.state == SideRun::State::stopped);
    CHECK(story.shows("experiment/start"));
    const std::int64_t step = story.snapshot().experiment->runs[0].now.step;
    // Neither the title nor what is saved of the page claims that they were trained to the end, or names another step.
    CHECK(story.text("experiment/title").ends_with(" · 12 runs · up to 1200 steps each"));
    const std::string caption = story.app.export_caption(story.host);
    CHECK(caption.starts_with(story.text("experiment/title") + "\n0: seed 1 · 1: seed 2 · "));
    CHECK(contains(caption, story.snapshot().sentences[0].text));
    CHECK(story.play("click \"experiment/open 0\"") == "");
    CHECK(story.until([&] { return story.snapshot().current_run()->name == "seed 1"; }));
    CHECK(story.snapshot().live_step == step);
    CHECK(story.play("key t") == "");  // training continues
    CHECK(story.until([&] { return story.snapshot().live_step > step; }));
}

TEST_CASE("story: a grid of two switches starts with proposed values; typed seeds stay") {
    Story story({.trained = false});
    ExperimentState& state = story.state().own<ExperimentState>();
    state.open = true;
    CHECK(story.play("frames 2\nclick \"experiment/knob data_share\"\nframes 2") == "");
    CHECK(state.chosen == std::vector<std::string>{"seed", "data_share"});
    CHECK(state.values["seed"] == "1..3");
    CHECK(story.play("click experiment/start\nframes 2") == "");
    CHECK_FALSE(story.shows("experiment/refusal"));
    CHECK(story.until([&] { return story.snapshot().experiment != nullptr; }));
    CHECK(story.snapshot().experiment->runs.size() == 12);
    CHECK(story.play("click experiment/stop") == "");
    CHECK(story.until([&] { return !story.snapshot().experiment->under_way(); }));
    CHECK(story.play("frames 2\nclick \"experiment/knob data_share\"\nframes 2") == "");
    CHECK(state.values["seed"] == "1..6");
    state.values["seed"] = "4, 5";
    CHECK(story.play("click \"experiment/knob n_heads\"\nframes 2") == "");
    CHECK(state.values["seed"] == "4, 5");
}

TEST_CASE("story: without threads an experiment runs between frames") {
    const TasksWithoutThreads none;
    Story story({.trained = false});
    ExperimentState& state = story.state().own<ExperimentState>();
    state.open = true;
    state.chosen = {"seed", "steps"};
    state.values = {{"seed", "1, 2"}, {"steps", "10"}};
    CHECK(story.play("frames 2\nclick experiment/start") == "");
    CHECK(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    const auto trained = reference().trained(2, 10, 10);
    CHECK(std::ranges::equal(story.snapshot().experiment->runs[1].now.parameters->all(), trained->all()));
}

TEST_CASE("story: an experiment's cards show each model's prediction and meaning map") {
    Story story({.trained = false});
    begin(story);
    const ExperimentInfo& experiment = *story.snapshot().experiment;
    const int slot = story.state().slot, word = story.state().token[static_cast<std::size_t>(slot)];
    CHECK(story.play("click \"experiment/shows/Prediction\"\nframes 3") == "");
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        const WatchedSentence& sentence = experiment.runs[i].seen->sentences[static_cast<std::size_t>(slot)];
        const std::size_t width = static_cast<std::size_t>(experiment.model->config.d_vocab);
        const std::span<const float> row =
            std::span(sentence.masked_probabilities).subspan(static_cast<std::size_t>(word) * width, width);
        const int best = largest(row);
        CHECK(story.value("experiment/answer " + n + " 0") == static_cast<double>(row[static_cast<std::size_t>(best)]));
        CHECK(story.text("experiment/answer " + n + " 0") == experiment.model->token_text(best));
        CHECK_FALSE(story.shows("experiment/head " + n));
    }
    CHECK(story.play("click \"experiment/shows/Meaning\"\nframes 3") == "");
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        const MeaningMap& map = *experiment.runs[i].seen->meaning;
        CHECK(map.homonym == "bat");
        CHECK(story.value("experiment/" + n + " meaning map") == static_cast<double>(map.sense.size()));
        CHECK(story.shows("experiment/" + n + " meaning A"));
    }
    // Both follow the sentence on screen.
    story.send(command::Watch{slot, "The bank raised the rate on the loan."});
    CHECK(story.until([&] { return story.snapshot().experiment->runs[1].seen->meaning->homonym == "bank"; }));
    // The line above the cards names the word that they map, also when another world is on screen.
    const std::function<void(Command)> unsent = [](const Command&) {};
    const auto line = [&] {
        return about_the_cards({story.host.ui(), story.snapshot(), story.state(), unsent},
                               *story.snapshot().experiment);
    };
    CHECK(contains(line(), "“bank”"));
    story.send(command::OpenWorld{"homonyms_zh", {}, {}, false});
    story.settle();
    REQUIRE(story.snapshot().model->world == "homonyms_zh");
    CHECK(line() == "Neither sentence has a word with two meanings.");
    story.send(command::Watch{slot, "The bank raised the rate on the loan."});
    CHECK(story.until([&] { return contains(line(), "“bank”"); }));
}

TEST_CASE("the suggested claim uses the words of each world, and can be tested on its runs") {
    const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";
    CpuBackend backend(1);
    for (const std::string& world : world_names(worlds)) {
        CAPTURE(world);
        ExperimentPlan plan{proposed_setup(world, {}, worlds), {{"seed", {"1", "2"}}}};
        plan.base.options.schedule.total = 1;
        ExperimentAtWork experiment(backend, plan, worlds, 1, {});
        const auto& samples = experiment.model()->samples;
        REQUIRE(samples.size() > 1);
        experiment.trainings().wait();
        const auto info = experiment.info({samples[0].text, samples[1].text});
        const std::string claim = claim_hint(*info->runs[0].seen);
        CAPTURE(claim);
        const Condition condition = parse_condition(claim, 1);
        const WordPlace word = word_of(condition, *info->runs[0].seen);
        CHECK((word.position >= 0 || claim.starts_with("{metric}")));
        const MatchedInRun head = hardest_head(*info, 0, 0, std::max(0, word.position));
        for (const ClaimInRun& run :
             hold_against(condition, *info, matched_heads(*info, 0, 0, head.block, head.head))) {
            CHECK(run.holds.has_value());
            CHECK(run.said != "");
        }
    }
}

TEST_CASE("story: an experiment's run that starts over with another seed is called by that seed") {
    Story story({.trained = false});
    ExperimentState& page = story.state().own<ExperimentState>();
    page.open = true;
    page.chosen = {"seed", "steps"};
    page.values = {{"seed", "3, 12"}, {"steps", "2, 3"}};
    CHECK(story.play("frames 2\nclick experiment/start") == "");
    REQUIRE(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    story.frames(2);
    CHECK(story.play("click \"experiment/open 0\"") == "");
    REQUIRE(story.until([&] { return story.snapshot().current_run()->name == "seed 3 · steps 2"; }));
    story.send(command::Reset{});
    story.settle();
    CHECK(story.snapshot().current_run()->name == "seed 3 · steps 2");
    story.send(command::SetSeed{31});
    story.send(command::Reset{});
    story.settle();
    CHECK(story.snapshot().current_run()->name == "seed 31 · steps 2");
    // A name that the user chose stays.
    story.send(command::RenameRun{story.snapshot().run, "my seed 31"});
    story.send(command::SetSeed{4});
    story.send(command::Reset{});
    story.settle();
    CHECK(story.snapshot().current_run()->name == "my seed 31");
}

TEST_CASE("story: the share of the data is a knob only in worlds with a fixed set of sentences") {
    Story story({.trained = false});
    ExperimentState& page = story.state().own<ExperimentState>();
    page.open = true;
    page.chosen = {"data_share", "steps"};
    page.values = {{"data_share", "0.1, 1"}, {"steps", "10"}};
    CHECK(story.play("frames 2\nclick experiment/start") == "");
    REQUIRE(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    story.frames(2);
    const auto& runs = story.snapshot().experiment->runs;
    CHECK(runs[0].name == "data share 0.1");
    CHECK(std::ranges::equal(runs[1].now.parameters->all(), reference().trained(1, 10, 10)->all()));
    CHECK_FALSE(std::ranges::equal(runs[0].now.parameters->all(), runs[1].now.parameters->all()));
    CHECK(story.play("click \"experiment/open 0\"") == "");
    REQUIRE(story.until([&] { return story.snapshot().current_run()->name == "data share 0.1"; }));
    CHECK(story.snapshot().current_run()->setup.options.data_share == 0.1f);
    Story induction({.world = "induction"});
    induction.state().own<ExperimentState>().open = true;
    induction.frames(3);
    CHECK(induction.shows("experiment/knob batch"));
    CHECK_FALSE(induction.shows("experiment/knob data_share"));
}

TEST_CASE("story: heads that a run has removed stay removed in its experiments, also in models built differently") {
    Story story({.trained = false});
    const std::vector<RemovedHead> removed{{"blocks.0.attn", 1}};
    story.send(
        command::Branch{.step = 0, .setup = story.snapshot().current_run()->setup, .removed = removed, .name = {}});
    ExperimentState& page = story.state().own<ExperimentState>();
    page.open = true;
    page.chosen = {"n_layers", "steps"};
    page.values = {{"n_layers", "1, 2"}, {"steps", "10"}, {"n_heads", "1, 4"}};
    CHECK(story.play("frames 2\nclick experiment/start") == "");
    REQUIRE(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    story.frames(2);
    const auto& runs = story.snapshot().experiment->runs;
    REQUIRE(runs.size() == 2);
    for (const auto& run : runs) CHECK(run.seen->sentences[0].removed_heads == removed);
    CpuBackend backend;
    TrainOptions options = runs[1].setup.options;
    options.frozen_zero.clear();
    Trainer trainer(backend, runs[1].setup.config, reference().world().masked_words(), options);
    trainer.remove_head("blocks.0.attn", 1);
    while (trainer.steps() < 10) trainer.step();
    CHECK(std::ranges::equal(runs[1].now.parameters->all(), trainer.parameters()));
    CHECK(story.play("click \"experiment/open 0\"") == "");
    REQUIRE(story.until([&] { return story.snapshot().current_run()->name == "layers 1"; }));
    CHECK(story.snapshot().current_run()->origin.change == "head 0.1 removed");
    // A model without that head cannot be one of them.
    page.open = true;
    page.chosen = {"n_heads", "steps"};
    CHECK(story.play("frames 2\nclick experiment/start\nframes 2") == "");
    CHECK(story.text("experiment/refusal") == "heads 1: blocks.0.attn has heads 0 to 0; there is no head 1");
}

TEST_CASE("story: on the stage an experiment has its own name, and choosing a panel leaves it") {
    Story story({.trained = false});
    begin(story);
    CHECK(story.play("key F5\nframes 6") == "");
    CHECK(story.text("panel") == "Experiment");
    CHECK(story.shows("experiment/metric 1"));
    CHECK_FALSE(story.shows("presenter/about"));
    CHECK(story.play("key 2\nframes 4") == "");
    CHECK_FALSE(story.shows("experiment/metric 1"));
    CHECK(story.shows("presenter/about"));
    CHECK(story.text("panel") != "Experiment");
}
