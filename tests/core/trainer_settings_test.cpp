#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "tests/core/error_of.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

Trainer trained(CpuBackend& backend, int steps, const TrainOptions& options = training_options()) {
    Trainer trainer(backend, training_config(), small_corpus(), options);
    for (int i = 0; i < steps; ++i) trainer.step();
    return trainer;
}

}  // namespace

TEST_CASE("a new schedule, clip or weight decay takes effect in the next step") {
    CpuBackend backend(1);
    Trainer trainer = trained(backend, 3);
    trainer.set_schedule({0.02f, 0, 0, 0.0f, ScheduleKind::constant});
    CHECK(trainer.step().learning_rate == 0.02f);
    trainer.set_clip(1e-3f);
    const StepReport clipped = trainer.step();
    CHECK(static_cast<double>(clipped.clip_factor) == doctest::Approx(1e-3 / clipped.gradient_norm).epsilon(1e-3));
    OptimizerOptions options = trainer.options().optimizer;
    options.weight_decay = 0.5f;
    const std::int64_t updates = trainer.optimizer().updates();
    trainer.set_optimizer(options);
    CHECK(trainer.optimizer().updates() == updates);  // the same method keeps its moments
    const int matrix = trainer.graph().at("blocks.0.mlp.W_in"), bias = trainer.graph().at("blocks.0.mlp.b_in");
    CHECK(trainer.optimizer().weight_decay_of(trainer.graph()[matrix]) == 0.5f);
    CHECK(trainer.optimizer().weight_decay_of(trainer.graph()[bias]) == 0.0f);
    // With next to no gradient, decay alone moves a matrix's cell, beside Adam's own step: w ← w − lr·λ·w.
    Trainer twin = trained(backend, 3);
    twin.set_schedule(trainer.options().schedule);
    twin.step();
    twin.set_clip(1e-3f);
    twin.step();
    const std::vector<float> before = copy_of(trainer.parameters());
    REQUIRE(same_bytes(before, twin.parameters()));
    trainer.step();
    twin.step();
    const auto cell = static_cast<std::size_t>(trainer.graph()[matrix].offset) + 17;
    const double extra = static_cast<double>(trainer.parameters()[cell]) - static_cast<double>(twin.parameters()[cell]);
    CHECK(extra == doctest::Approx(-0.02 * (0.5 - 0.01) * static_cast<double>(before[cell])).epsilon(1e-3));
}

TEST_CASE("switching to another optimizer starts with new moments") {
    CpuBackend backend(1);
    Trainer trainer = trained(backend, 3);
    OptimizerOptions momentum = trainer.options().optimizer;
    momentum.kind = OptimizerKind::momentum;
    trainer.set_optimizer(momentum);
    CHECK(trainer.optimizer().name() == "Momentum");
    CHECK(trainer.optimizer().updates() == 0);
    CHECK(trainer.optimizer().v().empty());
    CHECK(std::ranges::all_of(trainer.optimizer().m(), [](float m) { return m == 0.0f; }));
    CHECK(trainer.step().step == 4);
}

TEST_CASE("changing dropout or batch size keeps the parameters") {
    CpuBackend backend(1);
    Trainer trainer = trained(backend, 3);
    const std::vector<float> before = copy_of(trainer.parameters());
    trainer.set_dropout(0.3f);
    CHECK(trainer.config().dropout == 0.3f);
    CHECK(same_bytes(before, trainer.parameters()));
    Trainer without = trained(backend, 3);
    trainer.step();
    without.step();
    CHECK_FALSE(same_bytes(trainer.parameters(), without.parameters()));
    trainer.set_batch(3);
    CHECK(trainer.step().step == 5);
    CHECK(contains(error_of([&] { trainer.set_dropout(1.0f); }), "dropout"));
    CHECK(trainer.config().dropout == 0.3f);
    CHECK(trainer.step().step == 6);
}

TEST_CASE("a removed head writes and learns nothing, with every optimizer; the others keep learning") {
    for (const OptimizerKind kind : all_optimizers) {
        INFO(name_of(kind));
        CpuBackend backend(2);
        Trainer trainer = trained(backend, 4, training_options(kind));
        trainer.remove_head("blocks.1.attn", 1);
        const ParameterRange head = trainer.options().frozen_zero.at(0);
        const NodeInfo& w_o = trainer.graph()[trainer.graph().at("blocks.1.attn.W_O")];
        CHECK(head.offset == w_o.offset + 8 * 16);  // rows d_head … 2·d_head − 1 of [16, 16]
        CHECK(head.count == 8 * 16);
        const auto rows = [&](std::int64_t offset) { return trainer.parameters().subspan(offset, head.count); };
        const auto zero = [](float w) { return w == 0.0f; };
        const std::vector<float> other = copy_of(rows(w_o.offset));
        for (int i = 0; i < 5; ++i) {
            CHECK(std::ranges::all_of(rows(head.offset), zero));
            trainer.step();
        }
        CHECK(std::ranges::all_of(rows(head.offset), zero));
        CHECK_FALSE(same_bytes(other, rows(w_o.offset)));
        // The parameters alone show that the head is gone; a single nonzero weight shows that it is not.
        const auto removed = [&](std::vector<float> parameters) {
            return removed_heads(trainer.graph(), trainer.config(), ParameterValues(std::move(parameters)));
        };
        std::vector<float> parameters = copy_of(trainer.parameters());
        CHECK(removed(parameters) == std::vector<RemovedHead>{{"blocks.1.attn", 1}});
        parameters[head.offset + head.count - 1] = 1e-30f;
        CHECK(removed(parameters).empty());
        // After a reset the settings still hold the head at zero.
        trainer.reset(5);
        CHECK(std::ranges::all_of(rows(head.offset), zero));
        // Once it is released, it learns again.
        trainer.freeze_at_zero({});
        trainer.step();
        CHECK_FALSE(std::ranges::all_of(rows(head.offset), zero));
    }
}

TEST_CASE("settings out of range are refused, the error names them, and nothing changes") {
    CpuBackend backend(1);
    Trainer trainer = trained(backend, 1);
    const auto refused = [&](const auto& call, const std::string& word) {
        INFO(word);
        CHECK(contains(error_of(call), word));
    };
    refused([&] { trainer.set_clip(0.0f); }, "norm");
    refused([&] { trainer.set_schedule({.floor = -1.0f}); }, "floor");
    refused([&] { trainer.set_optimizer({.beta2 = 1.0f}); }, "beta2");
    refused([&] { trainer.set_optimizer({.kind = OptimizerKind::sgd, .weight_decay = -1.0f}); }, "weight decay");
    refused([&] { trainer.remove_head("blocks.1.attn", 2); }, "heads 0 to 1");
    refused([&] { trainer.remove_head("blocks.7.attn", 0); }, "blocks.7.attn.W_O");
    refused([&] { trainer.freeze_at_zero({{-1, 3}}); }, "held at zero");
    refused([&] { trainer.freeze_at_zero({{0, 1'000'000}}); }, "held at zero");
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    refused(
        [&] {
            trainer.freeze_at_zero({{most, most}});
        },
        "9223372036854775807 cells from 9223372036854775807 on cannot be held at zero");
    refused([&] { trainer.set_batch(most_in_batch + 1); }, "1 to 4096 sentences, not 4097");
    CHECK(trainer.options().clip == 1.0f);
    CHECK(trainer.options().frozen_zero.empty());
    CHECK(trainer.optimizer().name() == "AdamW");
    for (const OptimizerKind kind : all_optimizers) CHECK(optimizer_kind(name_of(kind)) == kind);
    refused([] { optimizer_kind("lion"); }, "\"lion\"");
}
