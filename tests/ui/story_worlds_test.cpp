#include <algorithm>
#include <cmath>
#include <map>

#include "app/common/explanation.h"
#include "app/panels/panels.h"
#include "core/tasks/tasks.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/random_model.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Checks that a sentence's card shows the values of its trace.
void check_card(const Story& story, int slot) {
    const std::string letter = slot_letter(slot);
    const Trace& trace = story.shown_trace(slot);
    const ViewState& state = const_cast<Story&>(story).state();
    if (!has_attention(state, trace)) {
        CHECK(story.shows(letter + "/state 0"));
        return;
    }
    const int query = state.token[slot];
    const int node = hooked_node(state, trace, "attn.hook_pattern");
    const Shape shape = trace.shape(node);
    Differences differences;
    for (std::int64_t key = 0; key < shape.back(); ++key)
        differences.expect(story, letter + "/weight " + std::to_string(key),
                           static_cast<double>(trace.at({node, offset_of(shape, {state.head, query, key})})));
    CHECK(differences.report() == "");
}

/// Checks the panel that shows the model's prediction at the chosen position.
void check_prediction(const Story& story, int slot) {
    const std::string letter = slot_letter(slot);
    const Trace& trace = story.shown_trace(slot);
    const TransformerConfig& config = story.snapshot().model->config;
    const std::size_t place = const_cast<Story&>(story).state().token[slot];
    if (config.output == OutputKind::values) {
        CHECK(story.value(letter + "/said 0") == static_cast<double>(trace.values(trace.model().logits)[place]));
        return;
    }
    const std::vector<float>& masked = story.snapshot().sentences[slot].masked_probabilities;
    const std::span<const float> all =
        masked.empty() ? trace.values(trace.model().probabilities) : std::span<const float>(masked);
    const std::size_t width = trace.shape(trace.model().probabilities).back();
    const std::span<const float> row = config.output == OutputKind::classes ? all : all.subspan(place * width, width);
    CHECK(story.value(letter + "/guess 0") == static_cast<double>(*std::ranges::max_element(row)));
}

void look_at_all_of_it(Story& story) {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1600, 1000}, PixelSize{900, 600}}) {
        CAPTURE(size.width);
        story.surface->resize(size);
        story.frames(3);
        CHECK_FALSE(story.picture().rgba.empty());
        CHECK(story.play("key Down\nkey Right\nkey Tab\nkey Space\nkey PageUp\nkey b\nkey a\nframes 2") == "");
    }
    story.surface->resize({1600, 1000});
    story.frames(3);
    for (int slot = 0; slot < 2; ++slot) check_card(story, slot);
    if (story.snapshot().model->senses.empty())
        for (int slot = 0; slot < 2; ++slot) check_prediction(story, slot);
}

/// Clicks every part of the map and follows its explanation down.
void follow_every_number(Story& story) {
    std::vector<std::string> parts;
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("map/") && !item.label.starts_with("map/block")) parts.emplace_back(item.label);
    CHECK(parts.size() > 3);
    for (const std::string& part : parts) {
        CAPTURE(part);
        const Item* item = story.find(part);
        if (!item || item->centre().y > 880 || item->centre().y < 60) continue;
        CHECK(story.play("click \"" + part + "\"\nframes 2") == "");
        for (int depth = 0; depth < 6 && story.shows("explain/deeper"); ++depth) {
            const TracedCell at = story.state().trail.back();
            CHECK(agrees(story.shown_trace(at.slot).explain(at.cell)));
            CHECK(story.play("click explain/deeper\nframes 2") == "");
        }
    }
}

/// Explains one value of every node: its name, where it comes from, and that it recomputes to the same value.
void ask_every_node(Story& story) {
    const Trace& trace = story.shown_trace(0);
    for (int node = 0; node < static_cast<int>(trace.graph().nodes().size()); ++node) {
        const std::string& name = trace.graph()[node].name;
        CAPTURE(name);
        const Cell cell{node, trace.shape(node).elements() / 2};
        explain(story.state(), {0, cell});
        story.frames(1);
        CHECK(story.shows("explain/value"));
        CHECK(story.text("explain/cell") != "");
        const Explanation e = trace.explain(cell);
        if (e.op.empty()) continue;
        CHECK(agrees(e));
        Cell deeper;
        if (!deepest_operand(trace, e, deeper))  // the op has no operands there
            CHECK(std::ranges::all_of(e.terms, [](const auto& term) { return term.operands.empty(); }));
        const bool of_sum =
            e.op == "recurrent_tanh" || e.op == "gru_gates" || e.op == "rms_norm_scale" || e.op == "layer_norm_scale";
        CHECK(sum_inside(e).empty() == !of_sum);
    }
}

}  // namespace

TEST_CASE("story: a fresh model of every world is drawn, trained a little, and shows its trace") {
    for (const std::string& world : world_names(GLASSFORMER_SOURCE_DIR "/assets/worlds")) {
        CAPTURE(world);
        Story story({.world = world});
        CHECK(story.snapshot().error == "");
        REQUIRE(story.snapshot().sentences[0].trace);
        REQUIRE(story.snapshot().sentences[1].trace);
        look_at_all_of_it(story);
        CHECK(story.play("click train\nwait step >= 2 timeout 60\nclick train\nwait train == 0 timeout 60") == "");
        story.settle();
        CHECK(story.snapshot().model->samples.size() >= 2);
        const bool senses = !story.snapshot().model->senses.empty();
        const double measured = story.snapshot().measured->found.value;
        CHECK(std::isfinite(measured));
        CHECK(story.value("timeline accuracy") == measured);
        if (!senses) CHECK(story.value("metric") == measured);
        for (int slot = 0; slot < 2; ++slot) check_card(story, slot);
    }
}

TEST_CASE("story: a world opens on its telling token, and on the head that attends most where it should") {
    const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";
    for (const std::string& world : world_names(worlds)) {
        CAPTURE(world);
        const std::vector<Sample> samples = make_task(world, worlds)->samples;
        if (samples[0].looks_at < 0 || samples[1].looks_at < 0) continue;
        Story story;  // from the model homonyms
        CHECK(story.play("click world\nframes 2\nclick \"world/" + world + ", trained\"\nframes 2") == "");
        story.settle();
        const Snapshot& s = story.snapshot();
        REQUIRE(s.model->world == world);
        const TransformerConfig& config = s.model->config;
        ViewState tried = story.state();
        const auto weight = [&](int layer, int head) {
            double both = 1.0;
            for (std::size_t slot = 0; slot < 2; ++slot) {
                const Sample& sample = s.model->samples[slot];
                CHECK(story.state().token[slot] == sample.token);
                tried.layer = layer, tried.head = head;
                const Trace& trace = *s.sentences[slot].trace;
                both *= static_cast<double>(trace.at(pattern_cell(tried, trace, sample.token, sample.looks_at)));
            }
            return both;
        };
        const double chosen = weight(story.state().layer, story.state().head);
        for (int layer = 0; layer < config.n_layers; ++layer)
            for (int head = 0; head < config.n_heads; ++head) CHECK(chosen >= doctest::Approx(weight(layer, head)));
        CHECK(chosen > 0.05);
    }
}

TEST_CASE("story: another model is chosen in the top bar") {
    Story story;
    for (const std::string choice : {"induction, from scratch", "translation, from scratch", "order, from scratch",
                                     "regression, from scratch", "homonyms, trained"}) {
        CAPTURE(choice);
        CHECK(story.play("click world\nframes 2\nclick \"world/" + choice + "\"\nframes 2") == "");
        story.settle();
        CHECK(story.snapshot().error == "");
        for (int slot = 0; slot < 2; ++slot) check_card(story, slot);
    }
    CHECK(story.shows("meaning map"));
    CHECK(story.snapshot().step > 0);
}

TEST_CASE("story: a translation shows its cross-attention, and its self-attention on request") {
    Story story({.world = "translation"});
    CHECK(story.state().cross_attention);
    CHECK(story.value("A/source 0") == story.value("A/weight 0"));
    CHECK(story.text("A/word 0") == story.snapshot().sentences[0].source[0].text);
    CHECK(story.play("click \"A/attention/to itself\"\nframes 2") == "");
    CHECK_FALSE(story.state().cross_attention);
    check_card(story, 0);
    CHECK(story.text("A/word 1") == story.snapshot().sentences[0].tokens[1].text);
    CHECK(story.play("click \"map/cross head 0 2\"\nframes 2") == "");
    CHECK(story.state().cross_attention);
    CHECK(story.state().head == 2);
    CHECK(story.play("click \"map/source head 0 1\"\nframes 2\nexpect explain/cell ~ source") == "");
    follow_every_number(story);
}

TEST_CASE("story: models of every architecture are drawn and explained") {
    const std::map<std::string, void (*)(TransformerConfig&)> ways = {
        {"one layer, one head", [](TransformerConfig& c) { c.n_layers = 1, c.n_heads = 1; }},
        {"RMSNorm", [](TransformerConfig& c) { c.norm = NormKind::rms_norm; }},
        {"batch norm", [](TransformerConfig& c) { c.norm = NormKind::batch_norm; }},
        {"post norm", [](TransformerConfig& c) { c.norm_placement = NormPlacement::post; }},
        {"no norm", [](TransformerConfig& c) { c.norm_placement = NormPlacement::none; }},
        {"no MLP", [](TransformerConfig& c) { c.activation = Activation::none; }},
        {"SwiGLU", [](TransformerConfig& c) { c.activation = Activation::swiglu; }},
        {"no residual", [](TransformerConfig& c) { c.residual = false; }},
        {"ALiBi, causal", [](TransformerConfig& c) { c.positions = Positions::alibi, c.family = Family::decoder; }},
        {"rotary", [](TransformerConfig& c) { c.positions = Positions::rotary; }},
        {"sines", [](TransformerConfig& c) { c.positions = Positions::sinusoidal; }},
        {"index", [](TransformerConfig& c) { c.positions = Positions::index; }},
        {"hard attention", [](TransformerConfig& c) { c.attention.hard = true; }},
        {"no scale, no mask", [](TransformerConfig& c) { c.attention.scale = c.attention.padding_mask = false; }},
        {"no projections", [](TransformerConfig& c) { c.attention.projections = Projections::none; }},
        {"shared projections", [](TransformerConfig& c) { c.attention.projections = Projections::shared; }},
        {"values of another width", [](TransformerConfig& c) { c.attention.d_head = 4, c.attention.d_value = 6; }},
        {"RNN", [](TransformerConfig& c) { c.family = Family::rnn, c.activation = Activation::none; }},
        {"GRU", [](TransformerConfig& c) { c.family = Family::gru, c.activation = Activation::none; }},
        {"classes", [](TransformerConfig& c) { c.output = OutputKind::classes, c.d_output = 3; }},
        {"translation", [](TransformerConfig& c) { c.family = Family::encoder_decoder, c.d_source_vocab = 9; }},
    };
    const TemporaryFolder folder;
    Story story;
    for (const auto& [name, build] : ways) {
        CAPTURE(name);
        TransformerConfig config{.d_vocab = 12, .n_ctx = 8, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 24};
        build(config);
        open_random(story, folder / "model", config);
        REQUIRE_MESSAGE(story.snapshot().sentences[0].trace, story.snapshot().sentences[0].error);
        CHECK(story.shows("not trained"));
        look_at_all_of_it(story);
        follow_every_number(story);
        ask_every_node(story);
    }
}

TEST_CASE("a number set by an intervention says so, and has no formula") {
    TransformerConfig config{.d_vocab = 9, .n_ctx = 6, .d_model = 8, .n_heads = 2, .n_layers = 1, .d_mlp = 12};
    CpuBackend backend(1);
    Tracer tracer(backend, config);
    const auto graph = build_transformer(config, {1, 3}).graph;
    const auto parameters = std::make_shared<ParameterValues>(initial_parameters(*graph, 1));
    const int node = graph->at("blocks.0.attn.hook_pattern");
    Snapshot snapshot;
    auto info = std::make_shared<ModelInfo>();
    info->config = config;
    snapshot.model = info;
    snapshot.sentences[0].tokens = {{3, "a"}, {4, "b"}, {5, "c"}};
    snapshot.sentences[0].trace = tracer.trace({3, 4, 5}, parameters, {{node, {{0, 3}}, {0.0f, 0.0f, 1.0f}}});
    ViewState state;
    settle(state, snapshot);
    explain(state, {0, {node, 2}});
    const std::function<void(Command)> send = [](const Command&) {};
    Screen screen;
    screen.draw = [&](const Ui& ui) { draw_explanation({ui, snapshot, state, send}, {{0, 0}, {400, 500}}); };
    CHECK(screen.play("frames 2\nexpect explain/given == 1\nexpect_no_item explain/deeper") == "");
    const std::function<std::string(const Ui&)> text = [&](const Ui& ui) {
        const Frame frame{ui, snapshot, state, send};
        return plain_text(frame, *frame.trace(0), explained(*frame.trace(0), {0, {node, 2}}));
    };
    CHECK(contains(text(screen.host.ui()), "set by an intervention"));
}

TEST_CASE("story: titles and tabs match the model that is shown") {
    const TemporaryFolder folder;
    Story story;
    const auto open = [&](void (*build)(TransformerConfig&)) {
        TransformerConfig config{.d_vocab = 40, .n_ctx = 8, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 24};
        build(config);
        open_random(story, folder / "model", config);
    };
    CHECK(story.text("A/score title") == "q·k/√d");
    CHECK(story.text("view/Attention") == "Attention");
    CHECK(contains(story.text("stage/headline"), "head "));

    open([](TransformerConfig& c) { c.attention.scale = false; });
    CHECK(story.text("A/score title") == "q·k");
    explain(story.state(), {0, {story.shown_trace(0).model().tokens, 1}});
    story.frames(2);
    const int id = story.shown_trace(0).tokens()[1];
    CHECK(story.text("explain/value") == "Where does " + std::to_string(id) + " come from?");

    open([](TransformerConfig& c) { c.family = Family::gru, c.activation = Activation::none; });
    CHECK_FALSE(story.shows("A/score title"));
    CHECK(story.text("stage/headline") == "Block " + std::to_string(story.state().layer));
    CHECK(story.shows("view/States"));
    CHECK_FALSE(story.shows("view/Attention"));
}

TEST_CASE("story: no detail of the metric is cut, and an example has as many numbers as the model reads") {
    Story story({.model = "regression"});
    REQUIRE(story.shows("metric detail 4"));
    CHECK_FALSE(story.shows("metric cut"));
    story.send(command::Watch{0, ""});
    CHECK(story.text("A/nothing").ends_with(": 0.5 1 0.5; 1 0.5 1"));
}

TEST_CASE("story: unknown words of a source sentence are named, and replaced by a click") {
    Story story({.model = "translation"});
    const std::string known = story.snapshot().sentences[0].source.front().text;
    story.send(command::Watch{0, "flumph " + known});
    REQUIRE(story.play("frames 2\nexpect \"A/source unknown 0\" ~ “flumph”") == "");
    const std::string offer = story.snapshot().model->source_words()->nearest("flumph", 1).at(0);
    CHECK(story.play("click \"A/source offer 0 " + offer + "\"\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].source[0].text == offer);
    CHECK_FALSE(story.shows("A/source unknown 0"));
}
