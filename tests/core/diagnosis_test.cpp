#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/core/error_of.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

struct Edit {
    std::string parameter;
    std::int64_t cell;
    float value;
};

/// A trainer at step 3 whose fourth step fails because some weights were overwritten.
struct Broken {
    Broken(const TransformerConfig& config, const std::vector<Edit>& edits)
        : trainer(backend, config, small_corpus(), training_options()) {
        for (int i = 0; i < 3; ++i) trainer.step();
        TrainingState state = trainer.state();
        auto values = std::make_shared<ParameterValues>(*state.parameters);
        for (const Edit& e : edits) {
            const NodeInfo& info = trainer.graph()[trainer.graph().at(e.parameter)];
            (*values)[info.offset + e.cell] = e.value;
        }
        state.parameters = values;
        trainer.restore(state);
        before = copy_of(trainer.parameters());
        message = error_of([&] { trainer.step(); });
        INFO(message);
        CHECK(contains(message, "is NaN or infinite at step 4"));
        CHECK(contains(message, "those of step 3"));
        CHECK(trainer.steps() == 3);
        CHECK(same_bytes(before, trainer.parameters()));
        REQUIRE(trainer.trouble().has_value());
        CHECK(trainer.trouble()->step == 4);
    }

    CpuBackend backend{1};
    Trainer trainer;
    std::vector<float> before;
    std::string message;
};

/// A trainer at step 1 of a model with an untied unembedding; its parameters can be changed by name before the second
/// step.
struct Changed {
    Changed() : trainer(backend, untied(), small_corpus(), training_options()) {
        trainer.step();
        state = trainer.state();
        values = std::make_shared<ParameterValues>(*state.parameters);
    }
    template <class Change>
    void change(const std::string& parameter, const Change& change) {
        const NodeInfo& info = trainer.graph()[trainer.graph().at(parameter)];
        for (std::int64_t i = 0; i < info.shape.elements(); ++i) {
            float& value = (*values)[info.offset + i];
            value = change(value);
        }
    }
    /// Runs the second step and returns its error message.
    std::string error() {
        state.parameters = values;
        trainer.restore(state);
        return error_of([&] { trainer.step(); });
    }
    static TransformerConfig untied() {
        TransformerConfig config = training_config();
        config.tied = false;
        return config;
    }

    CpuBackend backend{1};
    Trainer trainer;
    TrainingState state;
    std::shared_ptr<ParameterValues> values;
};

}  // namespace

TEST_CASE("an overflow is traced to the op where it first appears, and to the nearest parameter before it") {
    for (const bool causal : {false, true}) {
        TransformerConfig config = training_config();
        if (causal) config.family = Family::decoder;
        // Block 0 writes a finite value; block 1's norm squares it, which overflows, and block 1 adds as much again.
        constexpr float most = std::numeric_limits<float>::max();
        const Broken broken(config, {{"blocks.0.mlp.b_out", 3, most}, {"blocks.1.mlp.b_out", 3, most}});
        const Diagnosis& d = *broken.trainer.trouble();
        INFO(broken.message);
        CHECK(d.where == Diagnosis::Where::forward);
        CHECK(d.node_name.starts_with("blocks.1.ln1."));
        CHECK(d.parameter == "blocks.0.mlp.W_out");
        CHECK_FALSE(std::isfinite(d.value));
        CHECK(contains(broken.message, d.node_name));
        CHECK(contains(broken.message, d.op));
    }
}

TEST_CASE("the −∞ of a mask is not reported, but dot products that overflow are") {
    for (const bool causal : {false, true}) {
        TransformerConfig config = training_config();
        if (causal) config.family = Family::decoder;
        // Gives inf − inf in the dot product of a query and a key.
        const Broken broken(config, {{"blocks.0.attn.b_Q", 3, 1e30f},
                                     {"blocks.0.attn.b_K", 3, 1e30f},
                                     {"blocks.0.attn.b_Q", 4, 1e30f},
                                     {"blocks.0.attn.b_K", 4, -1e30f}});
        const Diagnosis& d = *broken.trainer.trouble();
        INFO(broken.message);
        CHECK(d.where == Diagnosis::Where::forward);
        CHECK(d.op == "attention_scores");
        CHECK(d.node_name == "blocks.0.attn.hook_attn_scores_raw");
        CHECK(d.parameter.starts_with("blocks.0.attn."));
        CHECK(d.cell >= 0);
        CHECK(contains(broken.message, d.node_name + " " + d.cell_text));
    }
}

TEST_CASE("a NaN weight is reported before any op") {
    const Broken broken(training_config(), {{"blocks.1.attn.W_V", 5, std::numeric_limits<float>::quiet_NaN()}});
    const Diagnosis& d = *broken.trainer.trouble();
    CHECK(d.where == Diagnosis::Where::parameter);
    CHECK(d.parameter == "blocks.1.attn.W_V");
    CHECK(d.cell == 5);
    CHECK(d.cell_text == "[0, 5]");
    CHECK(contains(broken.message, "the weight blocks.1.attn.W_V [0, 5] is NaN"));
}

TEST_CASE("if only the gradient overflows, its parameter is named") {
    // A tiny γ before a huge unembedding: the logits stay the same, but the gradient of γ is huge.
    Changed model;
    model.change("ln_final.w", [](float w) { return 1e-30f * w; });
    model.change("ln_final.b", [](float) { return 0.0f; });
    model.change("unembed.W_U", [](float w) { return 1e30f * w; });
    const std::string message = model.error();
    INFO(message);
    CHECK(contains(message, "the gradient is NaN or infinite at step 2"));
    REQUIRE(model.trainer.trouble().has_value());
    const Diagnosis& d = *model.trainer.trouble();
    CHECK((d.where == Diagnosis::Where::norm || d.where == Diagnosis::Where::backward));
    CHECK(d.parameter.starts_with("ln_final."));
    CHECK(contains(message, d.parameter));
}

TEST_CASE("if a gradient is not finite, its parameter and the op that reads it are named") {
    // As above, but so extreme that the gradient of γ overflows a float.
    Changed model;
    model.change("ln_final.w", [](float) { return 1e-37f; });
    model.change("ln_final.b", [](float) { return 0.0f; });
    model.change("unembed.W_U", [](float w) { return std::copysign(3e38f, w); });
    const std::string message = model.error();
    INFO(message);
    REQUIRE(model.trainer.trouble().has_value());
    const Diagnosis& d = *model.trainer.trouble();
    CHECK(d.where == Diagnosis::Where::backward);
    CHECK(d.parameter.starts_with("ln_final."));
    CHECK(d.node_name.starts_with("ln_final."));
    CHECK_FALSE(std::isfinite(d.value));
    CHECK(contains(message, "of " + d.parameter + " " + d.cell_text + " (read by " + d.op + " for " + d.node_name));
}

TEST_CASE("a good step reports no trouble, and after a bad one training continues from an earlier state") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    while (trainer.steps() < 3) trainer.step();
    const TrainingState good = trainer.state();
    trainer.set_schedule({1e30f, 0, 0, 0.0f, ScheduleKind::constant});
    trainer.step();
    CHECK_FALSE(error_of([&] { trainer.step(); }).empty());
    CHECK(trainer.trouble().has_value());
    trainer.set_schedule(training_options().schedule);
    trainer.restore(good);
    CHECK_FALSE(trainer.trouble().has_value());
    CHECK(trainer.step().step == 4);
    CHECK_FALSE(trainer.trouble().has_value());
}
