// A number that breaks inside the model, where the loss may not show it.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/devices/gl_training_device.h"
#include "core/tasks/world_data.h"
#include "tests/core/error_of.h"
#include "tests/core/training_models.h"
#include "tests/gl/shared_context.h"
#include "tests/ops/variants.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float bad[] = {inf, -inf, std::numeric_limits<float>::quiet_NaN()};

struct Edit {
    std::string parameter;
    std::int64_t cell;
    float value;
};

/// Trains three steps on the CPU, then overwrites these weights.
TrainingState broken_state(CpuBackend& cpu, const TransformerConfig& config, const std::vector<Edit>& edits) {
    Trainer trainer(cpu, config, small_corpus(), training_options());
    for (int i = 0; i < 3; ++i) trainer.step();
    TrainingState state = trainer.state();
    auto values = std::make_shared<ParameterValues>(*state.parameters);
    for (const Edit& e : edits) {
        const NodeInfo& info = trainer.graph()[trainer.graph().at(e.parameter)];
        (*values)[info.offset + e.cell] = e.value;
    }
    state.parameters = values;
    return state;
}

/// Checks that the fourth step fails on both with the same diagnosis; on the device it is one of several queued steps.
void check_same_trouble(const TransformerConfig& config, const std::vector<Edit>& edits, GlBackend& gl) {
    CpuBackend cpu(1);
    const TrainingState state = broken_state(cpu, config, edits);
    Trainer here(cpu, config, small_corpus(), training_options()),
        there(cpu, config, small_corpus(), training_options());
    there.use(std::make_unique<GlTrainingDevice>(gl));
    here.restore(state), there.restore(state);
    const std::string expected = error_of([&] { here.step(); }), given = error_of([&] {
                                                                     for (int i = 0; i < 4; ++i) there.step_async();
                                                                     while (there.next_report()) {
                                                                     }
                                                                 });
    CHECK(expected != "");
    REQUIRE(here.trouble().has_value());
    REQUIRE(there.trouble().has_value());
    CHECK(there.trouble()->text() == here.trouble()->text());
    CHECK(contains(given, here.trouble()->text()));
    CHECK(contains(given, "at step 4"));
    CHECK(there.trouble()->step == 4);
    CHECK(there.trouble()->op == here.trouble()->op);
    CHECK(there.trouble()->node_name == here.trouble()->node_name);
    CHECK(there.trouble()->parameter == here.trouble()->parameter);
    CHECK(there.steps() == 3);
    CHECK(there.device() != nullptr);
    CHECK(same_bytes(there.parameters(), *state.parameters));
}

std::vector<int> run_for_loss(const VariantModel& m) {
    const Plan plan(m.graph, {{}, m.model.loss});
    return plan.forward();
}

/// Whether the pass reports such a number in this cell.
bool tells(Execution& run, const VariantModel& m, int node, std::int64_t cell, float value) {
    run.intervene({Intervention{node, {{cell, 1}}, {value}}});
    run.forward(m.parameters);
    return !run.finite();
}

}  // namespace

TEST_CASE("OpenGL: a number that breaks where the loss does not show it stops the step, and is named as on the CPU") {
    REQUIRE_GL();
    constexpr float most = std::numeric_limits<float>::max();
    for (const int fuse_from : {256, 1}) {
        GlBackend gl({.fuse_from = fuse_from});
        for (const bool causal : {false, true}) {
            CAPTURE(causal);
            CAPTURE(fuse_from);
            TransformerConfig config = training_config();
            if (causal) config.family = Family::decoder;
            // Block 1's norm squares it, which overflows, and then makes zeros of all values.
            check_same_trouble(config, {{"blocks.0.mlp.b_out", 3, most}, {"blocks.1.mlp.b_out", 3, most}}, gl);
            // inf − inf in the dot product of a query and a key, which softmax could hide.
            check_same_trouble(config,
                               {{"blocks.0.attn.b_Q", 3, 1e30f},
                                {"blocks.0.attn.b_K", 3, 1e30f},
                                {"blocks.0.attn.b_Q", 4, 1e30f},
                                {"blocks.0.attn.b_K", 4, -1e30f}},
                               gl);
            check_same_trouble(config, {{"blocks.1.attn.W_V", 5, bad[2]}}, gl);
        }
    }
}

TEST_CASE("OpenGL: in fused attention over a long sentence, the single step that broke is named as on the CPU") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    for (const Family family : {Family::encoder, Family::decoder}) {
        TransformerConfig config = training_config();
        config.family = family, config.n_ctx = 260;
        std::vector<std::vector<int>> sentence(1);
        for (int p = 0; p < 259; ++p) sentence[0].push_back(3 + p * p % (config.d_vocab - 3));
        const auto corpus = std::make_shared<MaskedWords>(sentence, config.n_ctx);
        TrainOptions options = training_options();
        options.batch = 1;
        Trainer before(cpu, config, corpus, options), here(cpu, config, corpus, options),
            there(cpu, config, corpus, options);
        there.use(std::make_unique<GlTrainingDevice>(gl));
        before.step();
        // −∞ in every score of the head, then +∞ in every score, then inf − inf within one.
        for (const auto& [first, second] : {std::pair{-1e30f, 0.0f}, {1e30f, 0.0f}, {1e30f, -1e30f}}) {
            TrainingState state = before.state();
            auto values = std::make_shared<ParameterValues>(*state.parameters);
            const auto set = [&](const char* name, std::int64_t cell, float value) {
                const Graph& graph = before.graph();
                (*values)[graph[graph.at(name)].offset + cell] = value;
            };
            set("blocks.0.attn.b_Q", 3, 1e30f), set("blocks.0.attn.b_K", 3, first);
            set("blocks.0.attn.b_Q", 2, 1e30f), set("blocks.0.attn.b_K", 2, second);
            state.parameters = values;
            here.restore(state), there.restore(state);
            const std::string expected = error_of([&] { here.step(); }), given = error_of([&] { there.step(); });
            CAPTURE(expected);
            REQUIRE(there.device() != nullptr);
            REQUIRE(here.trouble().has_value());
            REQUIRE(there.trouble().has_value());
            CHECK(there.trouble()->op == "attention_scores");
            CHECK(there.trouble()->parameter == here.trouble()->parameter);
            CHECK(there.trouble()->text() == here.trouble()->text());
            CHECK(contains(given, here.trouble()->text()));
            CHECK(same_bytes(there.parameters(), *state.parameters));
        }
    }
}

TEST_CASE("OpenGL: a step whose loss and gradients are finite still reports a number inside that is not") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    TransformerConfig config = training_config();
    const TransformerGraph model = build_transformer(config, {8, 9});
    const TrainingState state = broken_state(cpu, config, {{"blocks.0.attn.b_O", 3, 1e30f}});
    Batch batch;
    small_corpus()->draw(1, 1, 8, batch);
    for (const bool watch : {true, false}) {
        GlTraining training(gl, model.graph, {{}, model.loss, watch}, {});
        training.set_parameters(*state.parameters);
        set_training_inputs(training.execution(), model, batch, 1, 1);
        training.step(1e-3f);
        const GlTraining::Report report = training.wait().value();
        CHECK(std::isfinite(report.loss));
        CHECK(report.finite == !watch);
        std::vector<float> after(state.parameters->size());
        training.read_parameters(after);
        if (watch) CHECK(same_bytes(after, *state.parameters));
    }
}

TEST_CASE("OpenGL: whichever op of a model makes a number that is not finite, the forward pass detects it") {
    REQUIRE_GL();
    GlBackend gl;
    int tried = 0;
    for (const Variant& v : variants()) {
        const VariantModel m(v, 2);
        const auto run = m.prepare(gl, {{}, m.model.loss, true});
        run->forward(m.parameters);
        INFO(v.name);
        REQUIRE(run->finite());
        Rng rng(3);
        for (const int id : run_for_loss(m)) {
            const NodeInfo& info = m.graph[id];
            // A mask's own output is −∞ or a score that was already checked: what is watched is the mask's input.
            if (info.op->traits().is_mask) continue;
            const float b = bad[tried++ % 3];
            const auto cell = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(info.shape.elements())));
            INFO(info.name, " (", std::string(info.op->name()), ") cell ", cell, " is ", b);
            CHECK(tells(*run, m, id, cell, b));
        }
        run->intervene({});
        run->forward(m.parameters);
        CHECK(run->finite());
    }
    CHECK(tried > 1500);
}

TEST_CASE("OpenGL: fused attention passes on queries, keys and values that are not finite") {
    REQUIRE_GL();
    GlBackend gl({.fuse_from = 1});
    for (const Variant& v : variants()) {
        const VariantModel m(v, 2);
        if (!m.graph.find("blocks.0.attn.hook_q")) continue;
        const auto run = m.prepare(gl, {{}, m.model.loss, true});
        INFO(v.name);
        for (const char* name : {"hook_q", "hook_k", "hook_v", "hook_z"})
            for (const float b : bad) {
                const int id = m.graph.at("blocks.0.attn." + std::string(name));
                INFO(name, " is ", b);
                CHECK(tells(*run, m, id, m.graph[id].shape.elements() / 3, b));
            }
        run->intervene({});
        run->forward(m.parameters);
        CHECK(run->finite());
    }
}
