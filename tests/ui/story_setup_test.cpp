#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/common/metric_curves.h"
#include "app/common/model_map_elements.h"
#include "app/desktop/settings.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/setup/setup_view.h"
#include "app/session/opened_model.h"
#include "core/io/run_folder.h"
#include "core/io/training_files.h"
#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

namespace fs = std::filesystem;

const StoryOptions untrained{.trained = false}, tall{.size = {1600, 1500}, .trained = false};  // all fields are visible

/// A script that replaces the text of a field.
std::string type_in(const std::string& item, const std::string& text) {
    return "click \"" + item + "\"\nframes 2\nkey Ctrl+a\ntype \"" + text + "\"\nframes 2\nkey Enter\nframes 2\n";
}

/// A script that chooses a command with Ctrl+K, then fills in the field of its page.
std::string choose(const std::string& command, const std::string& typed) {
    return "key Ctrl+k\nframes 2\ntype \"" + command + "\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\ntype \"" +
           typed + "\"\nframes 2\nkey Enter\nframes 3\n";
}

/// Plays a script and waits for what it asks of the worker.
void play_out(Story& story, const std::string& script) {
    REQUIRE(story.play(script) == "");
    story.settle();
}

/// Sets up a small decoder in the induction world without starting it.
void set_up_induction(Story& story) {
    play_out(story,
             "key Ctrl+n\nwait setup == 1 timeout 60\nclick setup/world/induction\n"
             "wait \"setup/title\" ~ Induction timeout 60\n" +
                 type_in("setup/d_model", "32") + type_in("setup/heads", "4") + type_in("setup/batch", "8") +
                 type_in("setup/steps", "300") + "frames 20\nwait setup == 1 timeout 60");
}

std::int64_t count_of(const TransformerConfig& config) {
    return build_transformer(config, {1, 8}).graph->parameter_count();
}

/// Trains the same setup with a separate Trainer.
std::vector<StepReport> trained(const TrainingSetup& setup, int steps) {
    const std::unique_ptr<Task> task = task_of(setup, GLASSFORMER_SOURCE_DIR "/assets/worlds");
    CpuBackend backend{2};
    Trainer trainer(backend, setup.config, task->batches, setup.options);
    std::vector<StepReport> reports;
    for (int i = 0; i < steps; ++i) reports.push_back(trainer.step());
    return reports;
}

}  // namespace

TEST_CASE("story: a causal model is set up with switches; an impossible one is refused with a message") {
    Story story(untrained);
    set_up_induction(story);
    const TrainingSetup& setup = story.state().own<SetupState>().setup;
    CHECK(setup.world == "induction");
    CHECK(setup.config.d_model == 32);
    CHECK(setup.config.n_heads == 4);
    CHECK(setup.config.causal());
    CHECK(setup.options.batch == 8);
    CHECK(setup.options.schedule.total == 300);
    CHECK(story.value("setup/parameters") == static_cast<double>(count_of(setup.config)));
    CHECK(story.value("setup/step time") > 0);
    CHECK(story.value("setup/time") == doctest::Approx(300 * story.value("setup/step time")));

    // The map shows the model that would be created, and follows every switch.
    const auto elements = [&] {
        const TransformerGraph built = build_transformer(setup.config, {1, 8});
        return static_cast<double>(make_model_map(*built.graph).elements.size());
    };
    const double before = story.value("map");
    CHECK(before == elements());
    play_out(story, "click \"setup/layers plus\"\nframes 20\nwait setup == 1 timeout 60");
    CHECK(story.value("map") == elements());
    CHECK(story.value("map") > before);
    play_out(story,
             "click \"setup/activation\"\nframes 2\nclick \"setup/activation/none\"\nframes 20\nwait setup == "
             "1 timeout 60");
    CHECK(setup.config.activation == Activation::none);
    CHECK(story.value("map") == elements());
    CHECK_FALSE(story.shows("setup/d_mlp"));

    play_out(story, type_in("setup/heads", "3") +
                        "frames 20\nwait setup/refusal ~ \"is not divisible by n_heads\" "
                        "timeout 60\nclick setup/start\nframes 5");
    CHECK(story.state().own<SetupState>().open);
    CHECK(story.snapshot().runs.size() == 1);
    CHECK_FALSE(std::isfinite(story.value("setup/parameters")));
    CHECK(story.play("click setup/family\nframes 2\nclick setup/family/encoder\nframes 20\nwait setup/refusal ~ "
                     "\"see and copy\" timeout 60\nkey Escape\nframes 2\nexpect_no_item setup") == "");
    CHECK(story.snapshot().model->world == "homonyms");
}

TEST_CASE("story: grouped keys, a window, q/k norm, parallel blocks and partial rotary are set up") {
    Story story(tall);
    set_up_induction(story);
    const TransformerConfig& c = story.state().own<SetupState>().setup.config;
    REQUIRE(c.positions == Positions::rotary);
    CHECK_FALSE(story.shows("setup/parallel"));  // the world's model has no MLP
    CHECK(story.play("click \"setup/activation\"\nframes 2\nclick \"setup/activation/GELU\"\nframes 5\n") == "");
    play_out(story, type_in("setup/key heads", "2") + type_in("setup/window", "8") +
                        type_in("setup/rotary share", "0.5") +
                        "click \"setup/normalize q and k\"\nframes 2\nclick setup/parallel\nframes 20\n"
                        "wait setup == 1 timeout 60");
    CHECK(c.attention.n_key_value_heads == 2);
    CHECK(c.attention.window == 8);
    CHECK(c.attention.qk_norm);
    CHECK(c.parallel);
    CHECK(c.rotary_pct == 0.5f);
    CHECK(story.value("setup/parameters") == static_cast<double>(count_of(c)));
    // Settings that the choices rule out are reset with them.
    CHECK(story.play("click setup/projections\nframes 2\nclick \"setup/projections/one for all\"\nframes 5\n"
                     "click \"setup/activation\"\nframes 2\nclick \"setup/activation/none\"\nframes 20\n"
                     "wait setup == 1 timeout 60") == "");
    CHECK(c.attention.n_key_value_heads == 0);
    CHECK_FALSE(c.attention.qk_norm);
    CHECK_FALSE(c.parallel);
    CHECK_FALSE(story.shows("setup/key heads"));
    story.settle();
    CHECK(story.value("setup/parameters") == static_cast<double>(count_of(c)));
}

TEST_CASE("story: the readout, the residual at the MLP and the longest sentence are set up") {
    Story story(tall);
    const std::string settled = "frames 20\nwait setup == 1 timeout 60\n";
    play_out(story,
             "key Ctrl+n\nwait setup == 1 timeout 60\nexpect_no_item setup/read-out\n"
             "click setup/world/order\nwait \"setup/title\" ~ order timeout 60\n" +
                 settled);
    const TrainingSetup& setup = story.state().own<SetupState>().setup;
    play_out(story,
             "click setup/read-out\nframes 2\nclick \"setup/read-out/last word\"\nframes 5\n"
             "click \"setup/residual at MLP\"\nframes 2\n" +
                 type_in("setup/longest", "10") + settled);
    CHECK(setup.config.readout == Readout::last);
    CHECK_FALSE(setup.config.mlp_residual);
    CHECK(setup.options.longest == 10);
    CHECK(story.value("setup/parameters") == static_cast<double>(count_of(setup.config)));
    play_out(story, "click \"setup/look first\"\nframes 2");
    CHECK(story.snapshot().model->config.readout == Readout::last);
    // The readout takes the state of the last word.
    const Trace& trace = story.shown_trace(0);
    const int d = setup.config.d_model, last = trace.positions() - 1;
    const std::span<const float> read = trace.values("hook_last_word"), all = trace.values("ln_final.hook_out");
    for (int i = 0; i < d; ++i) CHECK(read[i] == all[last * d + i]);
    // MLP(Y(X) + X): the MLP's result is the stream.
    CHECK(trace.graph().find("blocks.0.hook_resid_post") == trace.graph().find("blocks.0.hook_mlp_out"));
    // Without an MLP there is nothing to choose.
    CHECK(story.play("key Ctrl+n\nwait setup == 1 timeout 60\nclick \"setup/activation\"\nframes 2\n"
                     "click \"setup/activation/none\"\n" +
                     settled + "expect_no_item \"setup/residual at MLP\"") == "");
    CHECK(setup.config.mlp_residual);
    // No sentence is that short.
    CHECK(story.play(type_in("setup/longest", "2") + "wait setup/refusal ~ \"of length 2 or less\" timeout 60") == "");
}

TEST_CASE("story: a share of the data can be typed past invalid values, and shows its number of sentences") {
    Story story(tall);
    REQUIRE(story.play("key Ctrl+n\nwait setup == 1 timeout 60") == "");
    const TrainingSetup& setup = story.state().own<SetupState>().setup;
    const auto all = task_of(setup, GLASSFORMER_SOURCE_DIR "/assets/worlds")->batches;
    const auto says = [&](double share) {
        return std::to_string(all->part(share)->size()) + " of " + std::to_string(all->size());
    };
    // "0." is not a valid share yet; the field stays while the user types.
    play_out(story, "click \"setup/data share\"\nframes 2\nkey Ctrl+a\ntype \"0.\"\nframes 20");
    CHECK(story.shows("setup/data share"));
    play_out(story, "type \"3\"\nframes 2\nkey Enter\nframes 20\nwait setup == 1 timeout 60");
    CHECK(setup.options.data_share == 0.3f);
    CHECK(story.text("setup/trained on").find(says(static_cast<double>(0.3f))) == 0);
    // Refused: the field stays, and no number of sentences is shown.
    CHECK(story.play(type_in("setup/data share", "2") +
                     "wait setup/refusal ~ \"share of the training sentences\" timeout 60") == "");
    CHECK(story.shows("setup/data share"));
    CHECK(story.text("setup/trained on") == " ");
    play_out(story, type_in("setup/data share", "0.5") + "frames 20\nwait setup == 1 timeout 60");
    CHECK(story.text("setup/trained on").find(says(0.5)) == 0);
}

TEST_CASE("story: presets are applied, and the world's own proposal again") {
    Story story(untrained);
    REQUIRE(story.play("key Ctrl+n\nwait setup == 1 timeout 60") == "");
    const auto choose_preset = [&](std::string_view name) {
        play_out(story, "click setup/presets\nframes 2\nclick \"setup/presets/" + std::string(name) +
                            "\"\nframes 20\nwait setup == 1 timeout 60");
        return story.state().own<SetupState>().setup;
    };
    const TrainingSetup proposed = *story.state().own<SetupState>().proposal;
    for (const SetupPreset& preset : setup_presets()) {
        CAPTURE(preset.name);
        TrainingSetup expected = proposed;
        preset.change(expected);
        const TrainingSetup chosen = choose_preset(preset.name);
        CHECK(same_setup(chosen, expected));
        if (story.shows("setup/refusal")) continue;
        CHECK(story.value("setup/parameters") == static_cast<double>(count_of(chosen.config)));
    }
    CHECK(same_setup(choose_preset("default"), proposed));
}

TEST_CASE("story: one step, several, and until a loss: the numbers match a separate trainer's") {
    Story story(untrained);
    set_up_induction(story);
    const TrainingSetup setup = story.state().own<SetupState>().setup;
    play_out(story, "click \"setup/look first\"\nframes 2");
    CHECK_FALSE(story.state().own<SetupState>().open);
    REQUIRE(story.snapshot().error == "");
    CHECK(story.snapshot().runs.size() == 2);
    CHECK(story.snapshot().model->config == setup.config);
    CHECK(story.value("step") == 0);
    CHECK(story.value("model") == static_cast<double>(count_of(setup.config)));

    const std::vector<StepReport> truth = trained(setup, 7);
    play_out(story, "click \"one step\"\nwait step == 1 timeout 60\nwait train == 0 timeout 60");
    CHECK(story.value("gradient norm") == static_cast<double>(static_cast<float>(truth[0].gradient_norm)));
    CHECK(story.value("rate at step") == static_cast<double>(setup.options.schedule.at(1)));
    play_out(story,
             "click steps\nframes 2\nclick \"steps/5 steps\"\nwait step == 6 timeout 60\nwait train == 0 "
             "timeout 60\nkey s\nwait step == 7 timeout 60\nwait train == 0 timeout 60");
    REQUIRE(story.snapshot().history->size() == 7);
    for (std::size_t i = 0; i < 7; ++i) {
        CHECK((*story.snapshot().history)[i].loss == truth[i].loss);
        CHECK((*story.snapshot().history)[i].gradient_norm == static_cast<float>(truth[i].gradient_norm));
        CHECK((*story.snapshot().history)[i].learning_rate == truth[i].learning_rate);
    }
    CHECK(story.value("gradient norm") == static_cast<double>(static_cast<float>(truth[6].gradient_norm)));
    CHECK(story.value("held-out loss") == static_cast<double>(story.snapshot().running.held_out_loss));

    // The step on screen, not the newest one.
    story.send(command::LookAt{3});
    const std::size_t step = story.snapshot().step;  // the kept one nearest to it
    REQUIRE((step > 0 && step < 7));
    CHECK(story.value("gradient norm") == static_cast<double>(static_cast<float>(truth[step - 1].gradient_norm)));
    CHECK(story.value("rate at step") == static_cast<double>(truth[step - 1].learning_rate));
    CHECK(story.text("time left") == "–");
    story.send(command::LookAt{0});
    CHECK(story.text("gradient norm") == "–");
    CHECK(story.text("tokens per second") == "–");
    story.send(command::FollowLive{});
    CHECK(story.value("gradient norm") == static_cast<double>(static_cast<float>(truth[6].gradient_norm)));

    const double target = 0.98 * static_cast<double>(story.snapshot().loss);
    play_out(story, "click until\nframes 3\n" + ("click until/loss\nframes 2\ntype \"" + std::to_string(target)) +
                        "\"\nframes 2\nclick until/train\nwait step >= 8 timeout 60\nwait train == 0 timeout 60");
    CHECK(story.snapshot().step > 7);
    CHECK(story.snapshot().loss <= static_cast<float>(target));
    CHECK(smooth_loss_at(*story.snapshot().history, story.snapshot().step - 1) > static_cast<float>(target));
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: speed and settings can be changed during training") {
    Story story(untrained);
    play_out(story,
             "click speed\nframes 2\nclick speed/10/s\nframes 2\nclick train\nwait step >= 2 timeout 60\n"
             "click settings\nframes 3\n" +
                 type_in("settings/weight decay", "0.25") + "scroll \"settings/weight decay\" -30\nframes 3\n" +
                 type_in("settings/clip", "0.5") +
                 "expect settings/change ~ \"weight decay 0.25\"\nclick settings/apply\nframes 3\nexpect_no_item "
                 "settings/apply\nexpect train == 1\nclick train\nwait train == 0 timeout 60");
    CHECK(story.snapshot().running.steps_per_second_most == 10.0);
    const TrainingSetup& now = story.snapshot().current_run()->setup;
    CHECK(now.options.optimizer.weight_decay == 0.25f);
    CHECK(now.options.clip == 0.5f);
    CHECK(story.play("click settings\nframes 3\n" + type_in("settings/clip", "0") +
                     "expect settings/change ~ \"largest norm\"\nclick settings/apply\nframes 3\nexpect_item "
                     "settings/apply\nclick settings/cancel\nframes 3\nexpect_no_item settings/apply") == "");
    CHECK(story.snapshot().current_run()->setup.options.clip == 0.5f);
    CHECK(story.snapshot().error == "");
}

TEST_CASE("story: a run is kept in a folder and reopened; its curves are saved as CSV") {
    const TemporaryFolder parent;
    const fs::path folder = parent / "my run", table = parent / "curves.csv";
    Parameters parameters;
    std::vector<MetricPoint> history;
    {
        Story story(untrained);
        set_up_induction(story);
        play_out(story,
                 "click \"setup/look first\"\nframes 2\nclick steps\nframes 2\nclick \"steps/5 steps\"\nwait "
                 "step == 5 timeout 60\nwait train == 0 timeout 60");
        CHECK(story.snapshot().current_run()->unsaved);
        play_out(story, choose("keep this run", folder.string()));
        CHECK(story.state().window.notice.good);
        CHECK(is_run_folder(folder));
        CHECK_FALSE(story.snapshot().current_run()->unsaved);
        CHECK(story.snapshot().current_run()->folder == folder.string());
        play_out(story, "key s\nwait step == 6 timeout 60\nwait train == 0 timeout 60\n" +
                            choose("save metrics", table.string()));
        history = *story.snapshot().history;
        CHECK(read_file(table, 1 << 20) == log_as_csv(history));
        parameters = story.shown_trace(0).parameters();
    }
    Story again(untrained);
    again.app.open_dropped(folder);
    again.frames(2);
    again.settle();
    CHECK(again.snapshot().error == "");
    CHECK(again.state().window.notice.good);
    CHECK(again.value("step") == 6);
    CHECK(again.snapshot().model->world == "induction");
    CHECK(*again.snapshot().history == history);
    CHECK(*again.shown_trace(0).parameters() == *parameters);
    CHECK(again.play(choose("open a run", (parent / "none").string())) == "");
    again.settle();
    CHECK(contains(again.snapshot().error, "none"));
}

TEST_CASE("story: unsaved training is dropped only after a question") {
    const TemporaryFolder parent;
    const fs::path folder = parent / "kept";
    Story story(untrained);
    const std::string leave = "click world\nframes 2\nclick \"world/sorting, from scratch\"\nframes 3\n";
    CHECK(story.play(
              "key s\nwait step == 1 timeout 60\nwait train == 0 timeout 60\n" + leave +
              "expect leaving ~ \"since step 0 has not been saved\"\nkey Escape\nframes 3\nexpect_no_item leaving\n" +
              leave + "click leaving/cancel\nframes 3\nexpect_no_item leaving") == "");
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK_FALSE(story.app.may_close());
    CHECK(story.app.closing());
    CHECK(story.play("frames 2\nclick leaving/cancel\nframes 2") == "");
    CHECK_FALSE(story.app.closing());

    play_out(story, leave + "click leaving/save\nframes 3\nkey Escape\nframes 3\nexpect_no_item palette");
    CHECK(story.snapshot().model->world == "homonyms");
    play_out(story, leave + "click leaving/save\nframes 3\nkey Ctrl+a\ntype \"" + folder.string() +
                        "\"\nframes 2\nkey Enter\nframes 3");
    CHECK(is_run_folder(folder));
    CHECK(read_run(folder).state.step == 1);
    CHECK(story.snapshot().model->world == "sorting");
    CHECK(story.app.may_close());

    play_out(story,
             "key s\nwait step == 1 timeout 60\nwait train == 0 timeout 60\nclick world\nframes 2\nclick "
             "\"world/copying, from scratch\"\nframes 3\nclick leaving/drop\nframes 3");
    CHECK(story.snapshot().model->world == "copying");
}

TEST_CASE("the last setup is remembered, and reset if its file is broken") {
    const TemporaryFolder folder;
    const fs::path file = folder / "settings.json";
    const std::unique_ptr<Task> task = make_task("induction", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    Settings settings;
    settings.last_setup = TrainingSetup{"induction", std::nullopt, task->config, task->options};
    settings.last_setup->options.optimizer.kind = OptimizerKind::momentum;
    settings.last_setup->config.d_model = 48;
    save_settings(file, settings);
    const Settings back = load_settings(file);
    REQUIRE(back.last_setup);
    CHECK(same_setup(*back.last_setup, *settings.last_setup));
    write_file_atomically(folder / "last-run.json", "{");
    CHECK_FALSE(load_settings(file).last_setup);
    CHECK(load_settings(file).width == settings.width);
}

TEST_CASE("story: the setup page shows its fields before the worker has answered") {
    Story story;
    const std::function<void(Command)> nobody = [](const Command&) {};
    const Frame frame{story.host.ui(), story.snapshot(), story.state(), nobody};
    open_setup(frame);  // the request is never answered
    story.frames(3);
    CHECK_FALSE(story.state().own<SetupState>().proposal);
    CHECK(story.value("setup") == 0);
    CHECK(story.value("setup/layers") == reference().shipped().config.n_layers);
    CHECK(story.value("setup/d_model") == reference().shipped().config.d_model);
    CHECK(story.shows("setup/peak"));
    const TrainingSetup before = story.state().own<SetupState>().setup;
    CHECK(story.play("click \"setup/residual\"") == "");  // nothing can be chosen yet
    CHECK(same_setup(before, story.state().own<SetupState>().setup));
    CHECK_FALSE(story.state().own<SetupState>().proposal);
    // After a real request, the world's own proposal takes its place.
    CHECK(story.play("key Escape\nkey Ctrl+n") == "");
    story.settle(2);
    CHECK(story.state().own<SetupState>().proposal);
    CHECK(story.value("setup/d_model") == story.state().own<SetupState>().proposal->config.d_model);
}
