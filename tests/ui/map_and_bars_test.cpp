#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>

#include "app/common/metric_curves.h"
#include "app/panels/messages/error_bar.h"
#include "app/panels/panels.h"
#include "app/panels/runs/run_curves.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/number_text.h"
#include "core/trace/tracer.h"
#include "tests/ui/harness.h"
#include "tests/ui/in_language.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// A small two-layer model on a sentence of five words, without a session; records commands.
struct Stage {
    Snapshot snapshot;
    ViewState state;
    std::vector<Command> sent;
    std::function<void(Command)> send = [this](Command c) { sent.push_back(std::move(c)); };
    CpuBackend backend{1};
    TransformerConfig config;

    Stage() {
        config.d_vocab = 20, config.n_ctx = 12, config.d_model = 16, config.n_heads = 4, config.n_layers = 2,
        config.d_mlp = 48;
        auto info = std::make_shared<ModelInfo>();
        info->config = config;
        info->world_title = "Words with two meanings";
        info->parameter_count = 122752;
        info->backend = "CPU · AVX2 · 2 threads";
        snapshot.model = info;
        snapshot.step = snapshot.live_step = 500;
        snapshot.loss = 0.54f;
        Tracer tracer(backend, config);
        const auto graph = build_transformer(config, {1, 5}).graph;
        const auto weights = std::make_shared<const ParameterValues>(initial_parameters(*graph, 1));
        for (WatchedSentence& s : snapshot.sentences) {
            s.tokens.resize(5);
            s.trace = tracer.trace({1, 2, 3, 4, 5}, weights);
        }
        state.token = {2, 2};
    }

    Frame frame(const Ui& ui) { return {ui, snapshot, state, send}; }
    const Trace& trace() const { return *snapshot.sentences[0].trace; }
};

struct StageScreen {
    Stage world;
    Screen screen;
    explicit StageScreen(void (*draw)(const Frame&, const Box&), Box box = {{0, 0}, {900, 590}}) {
        screen.draw = [this, draw, box](const Ui& ui) { draw(world.frame(ui), box); };
    }
};

bool overlap(const Item& a, const Item& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("the parts of the top bar never overlap, at any width and text size") {
    for (const float scale : {0.75f, 1.0f, 1.5f, 2.0f}) {
        Stage world;
        world.snapshot.live = false;
        world.snapshot.state = RunState::training;
        Screen screen({scale, ThemeKind::light});
        float width = 600;
        screen.draw = [&](const Ui& ui) { draw_top_bar(world.frame(ui), {{0, 0}, {width, ui.px(52)}}); };
        for (width = 600; width <= 2600; width += 130) {
            screen.frame();
            const std::vector<Item>& items = screen.host.items().all();
            CHECK(screen.host.items().find("train"));
            CHECK(screen.host.items().find("step"));
            for (const Item& a : items) {
                CHECK_MESSAGE(a.min.x >= 0, a.label);
                CHECK_MESSAGE(a.max.x <= width, a.label);
                for (const Item& b : items)
                    CHECK_MESSAGE((a.label == b.label || !overlap(a, b)), a.label, " ", b.label, " ", width, " ",
                                  scale);
            }
        }
        if (scale <= 1) CHECK(screen.host.items().find("world"));
    }
}

TEST_CASE("Train and Reset keep their place in every state") {
    for (const float scale : {0.75f, 1.0f, 1.5f, 2.0f}) {
        Stage world;
        Screen screen({scale, ThemeKind::light});
        float width = 600;
        screen.draw = [&](const Ui& ui) { draw_top_bar(world.frame(ui), {{0, 0}, {width, ui.px(52)}}); };
        for (width = 600; width <= 2600; width += 130) {
            std::optional<Item> train, reset;
            for (int state = 0; state < 16; ++state) {
                world.snapshot.state = state & 1 ? RunState::training : RunState::paused;
                world.snapshot.steps_per_second = state & 1 ? 412.0f : 0.0f;
                world.snapshot.live = !(state & 2);
                world.snapshot.live_step = state & 4 ? 98765 : 0;
                world.snapshot.step = world.snapshot.live ? world.snapshot.live_step : 0;
                world.state.theme = state & 8 ? ThemeKind::dark : ThemeKind::light;
                screen.frame();
                const Item* t = screen.host.items().find("train");
                const Item* r = screen.host.items().find("reset");
                REQUIRE(t);
                if (!train) {
                    train = *t;
                    if (r) reset = *r;
                }
                CHECK_MESSAGE((t->min.x == train->min.x && t->max.x == train->max.x), width, " ", scale, " ", state);
                REQUIRE((r != nullptr) == reset.has_value());
                if (r) CHECK_MESSAGE((r->min.x == reset->min.x && r->max.x == reset->max.x), width, " ", scale);
            }
            if (scale <= 1) CHECK(reset);
        }
    }
}

#ifdef GLASSFORMER_LOCALE

TEST_CASE("with large text and long words the top bar keeps the lessons and the comparison") {
    const InLanguage german("de");
    for (const float width : {1280.0f, 1366.0f}) {
        Stage world;
        world.state.window.lessons.titles = {"1"};
        Screen screen({2, ThemeKind::light});
        screen.draw = [&](const Ui& ui) { draw_top_bar(world.frame(ui), {{0, 0}, {width, ui.px(52)}}); };
        screen.frame();
        for (const char* part : {"train", "reset", "step", "lessons", "compare", "larger", "help"})
            CHECK_MESSAGE(screen.host.items().find(part), part, " ", width);
    }
}

#endif

TEST_CASE("the top bar names a model that has no world") {
    StageScreen s(draw_top_bar, {{0, 0}, {1500, 52}});
    auto info = std::make_shared<ModelInfo>(*s.world.snapshot.model);
    info->world_title.clear();
    info->folder = "/models/tiny-bert/";
    s.world.snapshot.model = info;
    CHECK(s.screen.play("expect_text world tiny-bert") == "");
    info->folder.clear();
    CHECK(s.screen.play("expect_text world \"No world\"") == "");
}

TEST_CASE("the loss has no value before the first measurement") {
    StageScreen s(draw_top_bar, {{0, 0}, {950, 52}});
    CHECK(s.screen.play("expect_text loss \"loss –\"") == "");
    CHECK_FALSE(s.screen.host.items().find("loss")->value);
    s.world.snapshot.history = std::make_shared<const std::vector<MetricPoint>>(1, MetricPoint{1, 0.6f, -1.0f});
    CHECK(s.screen.play("expect_text loss \"loss 0.54\"\nexpect loss == 0.54 tolerance 0.001") == "");
    s.world.snapshot.step = 0;
    s.world.snapshot.live = false;
    CHECK(s.screen.play("expect_text loss \"loss –\"") == "");
}

TEST_CASE("the question before a reset fits at 200 %") {
    StageScreen s(draw_top_bar, {{0, 0}, {950, 104}});
    s.screen.host.set_scale(2);
    CHECK(s.screen.play("click reset\nframes 3\nexpect_item reset/cancel") == "");
    for (const char* label : {"reset/confirm", "reset/cancel"}) {
        const Item* item = s.screen.host.items().find(label);
        REQUIRE(item);
        CHECK(item->max.x <= 960);
        CHECK(item->max.y <= 600);
    }
}

TEST_CASE("the accuracy's dot lies on its line, and is missing where there is no line") {
    const std::vector<MetricPoint> history = {{1, 2, -1}, {100, 2, 0.5f}, {150, 2, -1}, {200, 2, 0.7f}, {250, 2, -1}};
    CHECK_FALSE(accuracy_line_at(history, 50));
    CHECK(*accuracy_line_at(history, 100) == 0.5f);
    CHECK(*accuracy_line_at(history, 150) == doctest::Approx(0.6));
    CHECK(*accuracy_line_at(history, 200) == 0.7f);
    CHECK_FALSE(accuracy_line_at(history, 220));
    CHECK(accuracy_at(history, 220)->step == 200);
    CHECK(accuracy_at(history, 50) == nullptr);
}

TEST_CASE("the loss axis reaches a diverged current run and keeps another one from flattening it") {
    const auto run = [](int id, bool current, float last) {
        ShownRun shown;
        shown.id = id, shown.current = current;
        shown.history = std::make_shared<const std::vector<MetricPoint>>(
            std::vector<MetricPoint>{{.step = 1, .loss = 6}, {.step = 2, .loss = last}});
        return shown;
    };
    const auto top = [](const std::vector<ShownRun>& runs) { return RunCurves().extent_of({}, runs).top_loss; };
    const float calm = smooth_loss_at(*run(0, true, 900).history, 2);
    CHECK(top({run(0, true, 2)}) == 6);
    CHECK(top({run(0, true, 900)}) > calm);
    CHECK(top({run(0, false, 900), run(1, true, 2)}) == 12);
}

TEST_CASE("the timeline's tooltip names the step of each number") {
    StageScreen s(draw_timeline, {{0, 0}, {950, 130}});
    s.world.snapshot.planned_steps = 500;
    s.world.snapshot.kept_steps = {0, 64, 128, 256, 500};
    std::vector<MetricPoint> history;
    for (int i = 1; i <= 500; ++i) history.push_back({i, i % 2 ? 1.0f : 1.1f, i % 100 ? -1.0f : 0.89f});
    s.world.snapshot.history = std::make_shared<const std::vector<MetricPoint>>(history);
    CHECK(s.screen.play("hover timeline\nframes 2\nexpect \"timeline hover\" ~ \"· loss 1.05 (running mean)\"\n"
                        "expect \"timeline hover\" ~ \"accuracy 89 %, measured at step 200\"\n"
                        "expect \"timeline hover\" ~ \"nearest kept step: 256\"") == "");
    // Newer versions of Dear ImGui round the mouse position to whole pixels, which is a step or two here.
    int step = 0;
    const Item* hover = s.screen.host.items().find("timeline hover");
    REQUIRE(hover);
    REQUIRE(std::sscanf(std::string(hover->text).c_str(), "step %d", &step) == 1);
    CHECK(std::abs(step - 250) <= 3);
}

TEST_CASE("a learning rate and a batch size that are not presets are listed among them") {
    StageScreen s(draw_timeline, {{0, 0}, {950, 130}});
    s.world.snapshot.learning_rate = 0.003f;
    s.world.snapshot.batch = 48;
    CHECK(
        s.screen.play("expect_text \"learning rate\" 0.003\nclick \"learning rate\"\nexpect \"learning rate/0.003\" == "
                      "1\nexpect_item \"learning rate/0.0005\"\nclick \"learning rate/0.005\"\nframes 2\nclick "
                      "batch\nexpect batch/48 == 1\nclick batch/64") == "");
    REQUIRE(s.world.sent.size() == 2);
    CHECK(std::get<command::SetLearningRate>(s.world.sent[0]).peak == 0.005f);
    CHECK(std::get<command::SetBatch>(s.world.sent[1]).batch == 64);
}

TEST_CASE("large numbers have thousands separators") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(9999) == "9999");
    CHECK(grouped(-9999) == "-9999");
    CHECK(grouped(10000) == "10,000");
    CHECK(grouped(122752) == "122,752");
    CHECK(grouped(-122752) == "-122,752");
    CHECK(grouped(1234567) == "1,234,567");
}

TEST_CASE("the top bar sends commands; resetting a trained model asks first") {
    StageScreen s(draw_top_bar, {{0, 0}, {950, 52}});
    CHECK(s.screen.play(
              "click train\nexpect step == 500\nexpect_text step \"step 500\"\nclick reset\nexpect_item reset/confirm\n"
              "click reset/cancel\nframes 2\nexpect_no_item reset/confirm") == "");
    REQUIRE(s.world.sent.size() == 1);
    CHECK(std::holds_alternative<command::Train>(s.world.sent[0]));
    CHECK(s.screen.play("click reset\nclick reset/confirm\nframes 2\nexpect_no_item reset/confirm") == "");
    REQUIRE(s.world.sent.size() == 2);
    CHECK(std::holds_alternative<command::Reset>(s.world.sent[1]));
    s.world.snapshot.live_step = s.world.snapshot.step = 0;
    CHECK(s.screen.play("click reset\nframes 2\nexpect_no_item reset/confirm") == "");
    CHECK(s.world.sent.size() == 3);
    s.world.snapshot.live = false;
    s.world.snapshot.state = RunState::training;
    CHECK(s.screen.play(
              "expect_text train Pause\nclick train\nclick \"follow live\"\n"
              "click compare\nframes 2\nclick compare/off\nframes 2\nexpect compare == 0\nclick larger\nclick help") ==
          "");
    CHECK(std::holds_alternative<command::Pause>(s.world.sent[3]));
    CHECK(std::holds_alternative<command::FollowLive>(s.world.sent[4]));
    CHECK(s.world.state.scale == 1.25f);
    CHECK(s.world.state.window.help);
}

TEST_CASE("the model map chooses heads and explains the chosen word's strongest number") {
    StageScreen s(draw_model_map, {{0, 0}, {236, 590}});
    CHECK(s.screen.play(
              "click \"map/head 1 2\"\nframes 1\nexpect \"map/head 1 2\" == 1\nexpect \"map/head 0 0\" == 0") == "");
    CHECK(s.world.state.layer == 1);
    CHECK(s.world.state.head == 2);
    const auto explained = [&](const char* label) {
        CHECK(s.screen.play("click \"map/" + std::string(label) + "\"\nframes 1\nexpect \"map/" + label + "\" == 1") ==
              "");
        REQUIRE(s.world.state.trail.size() == 1);
        const Cell cell = s.world.state.trail[0].cell;
        const auto row = static_cast<std::int64_t>(s.world.trace().values(cell.node).size()) / 5;
        CHECK(cell.offset / row == 2);
        for (std::int64_t i = 2 * row; i < 3 * row; ++i)
            CHECK(std::abs(s.world.trace().at(cell)) >= std::abs(s.world.trace().at({cell.node, i})));
        return s.world.trace().graph()[cell.node].name;
    };
    CHECK(explained("embed") == "blocks.0.hook_resid_pre");
    CHECK(explained("0/ln1") == "blocks.0.ln1.hook_out");
    CHECK(explained("0/add 0") == "blocks.0.hook_resid_mid");
    CHECK(explained("1/ln2") == "blocks.1.ln2.hook_out");
    CHECK(explained("1/mlp") == "blocks.1.hook_mlp_out");
    CHECK(explained("1/add 1") == "blocks.1.hook_resid_post");
    CHECK(explained("ln_final") == "ln_final.hook_out");
    CHECK(explained("unembed") == "logits");
    CHECK(explained("softmax") == "probabilities");
}

TEST_CASE("the map shows the other sentence's model, and nothing if there is none") {
    StageScreen s(draw_model_map, {{0, 0}, {236, 590}});
    s.world.snapshot.sentences[0].trace = nullptr;
    s.screen.frame();
    CHECK(s.screen.host.items().find("map")->value == 16);
    s.world.snapshot.sentences[1].trace = nullptr;
    s.screen.frame();
    CHECK(s.screen.host.items().find("map") == nullptr);
    CHECK(s.screen.host.items().find("map/embed") == nullptr);
}

TEST_CASE("a low map scrolls to the chosen layer") {
    StageScreen s(draw_model_map, {{0, 0}, {236, 300}});
    s.world.state.layer = 1;
    CHECK(s.screen.play("frames 3\nclick \"map/head 1 3\"\nframes 2") == "");
    CHECK(s.world.state.head == 3);
}

TEST_CASE("an error stays until it is dismissed; the next one is shown again") {
    StageScreen s([](const Frame& frame, const Box& box) {
        Box left = box;
        draw_messages(frame, left);
    });
    s.screen.frame();
    CHECK(s.screen.host.items().find("error") == nullptr);
    s.world.snapshot.error = "The folder could not be written.";
    s.world.snapshot.error_number = 1;
    CHECK(s.screen.play("expect_text error \"The folder could not be written.\"\nclick error/dismiss\nframes "
                        "2\nexpect_no_item error") == "");
    s.world.snapshot.error_number = 2;
    s.world.snapshot.error = std::string(3000, 'x') + "\n\nwith\nmany\nlines";
    CHECK(s.screen.play("expect_item error\nclick error/dismiss\nframes 2\nexpect_no_item error") == "");
}

TEST_CASE("the help closes by its button and by a click outside it") {
    StageScreen s(draw_help);
    s.world.state.window.help = true;
    CHECK(
        s.screen.play(
            "click help/card\nframes 2\nexpect_item help/card\nclick help/close\nframes 2\nexpect_no_item help/card") ==
        "");
    s.world.state.window.help = true;
    s.screen.frame();
    const float left = s.screen.host.items().find("help/card")->min.x;
    CHECK(left > 12);
    s.screen.draw = [&](const Ui& ui) {
        draw_help(s.world.frame(ui), {{0, 0}, {900, 590}});
        ui.items->add("beside", {{2, 2}, {12, 12}});
    };
    CHECK(s.screen.play("click beside\nframes 2\nexpect_no_item help/card") == "");
}
