#include <doctest/doctest.h>

#include <cmath>

#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "core/train/update_explanation.h"
#include "tests/core/error_of.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Compares the equations in double with what the update left, for some cells of every parameter.
void check_lives(const Trainer& trainer, const std::string& what) {
    int checked = 0;
    for (const int id : trainer.graph().parameters()) {
        const NodeInfo& info = trainer.graph()[id];
        for (std::int64_t i = 0; i < info.shape.elements(); i += 1 + info.shape.elements() / 5) {
            const UpdateExplanation life = explain_update(trainer, info.offset + i);
            INFO(what, ", ", info.name, " ", i);
            CHECK(life.parameter == info.name);
            CHECK(life.in_parameter == i);
            CHECK(life.step == trainer.steps());
            CHECK(life.after == doctest::Approx(life.after_recomputed).epsilon(2e-6).scale(1.0));
            CHECK(life.m == doctest::Approx(life.m_recomputed).epsilon(1e-5).scale(1e-3));
            CHECK(life.v == doctest::Approx(life.v_recomputed).epsilon(1e-5).scale(1e-6));
            CHECK_FALSE(life.formula.empty());
            CHECK_FALSE(life.numbers.empty());
            ++checked;
        }
    }
    CHECK(checked > 50);
}

}  // namespace

TEST_CASE("one weight's life: the equations in double match the update, with every optimizer") {
    for (const OptimizerKind kind : all_optimizers) {
        CpuBackend backend(2);
        TrainOptions options = training_options(kind);
        options.clip = 0.2f;  // so that clipping is at work
        Trainer trainer(backend, training_config(), small_corpus(), options);
        trainer.watch(true);
        for (int i = 0; i < 6; ++i) {
            trainer.step();
            CHECK(trainer.inside().report.clip_factor < 1.0f);
            check_lives(trainer, std::string(name_of(kind)));
        }
    }
}

TEST_CASE("running statistics and removed heads have their own equations") {
    CpuBackend backend(1);
    TransformerConfig config = training_config();
    config.norm = NormKind::batch_norm;
    Trainer trainer(backend, config, small_corpus(), training_options());
    trainer.watch(true);
    trainer.remove_head("blocks.0.attn", 1);
    for (int i = 0; i < 3; ++i) trainer.step();
    check_lives(trainer, "batch norm");
    const NodeInfo& mean = trainer.graph()[trainer.graph().at("blocks.0.ln1.running_var")];
    const UpdateExplanation running = explain_update(trainer, mean.offset + 3);
    CHECK(contains(running.formula, "r of the batch"));
    CHECK(running.change != 0.0);
    const UpdateExplanation held = explain_update(trainer, trainer.options().frozen_zero.at(0).offset + 2);
    CHECK(held.formula == "w = 0");
    CHECK(held.after == 0.0);
}

TEST_CASE("watching a training does not change it") {
    CpuBackend backend(2);
    Trainer plain(backend, training_config(), small_corpus(), training_options()),
        watched(backend, training_config(), small_corpus(), training_options());
    watched.watch(true);
    for (int i = 0; i < 8; ++i) {
        plain.step();
        watched.step();
        watched.loss_of_tokens();
        watched.last_update();
        explain_update(watched, 5);
    }
    CHECK(same_bytes(plain.parameters(), watched.parameters()));
    CHECK(same_bytes(plain.inside().gradients, watched.inside().gradients));
    CHECK(same_bytes(plain.inside().m, watched.inside().m));
}

TEST_CASE("the last update is the change of each parameter") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    trainer.watch(true);
    trainer.step();
    const std::vector<float> before = copy_of(trainer.parameters());
    const StepReport report = trainer.step();
    CHECK(same_bytes(before, trainer.inside().parameters_before));
    const std::span<const float> update = trainer.last_update();
    REQUIRE(update.size() == before.size());
    bool moved = false;
    for (std::size_t i = 0; i < before.size(); ++i) {
        CHECK(update[i] == trainer.parameters()[i] - before[i]);
        moved = moved || update[i] != 0.0f;
    }
    CHECK(moved);
    std::int64_t words = 0;
    for (const float m : trainer.inside().batch->key_mask) words += m != 0.0f;
    CHECK(report.words == words);
    CHECK(words > 0);
}

TEST_CASE("the loss of every word: the weighted mean is the loss of the step, in every world") {
    const std::filesystem::path folder = GLASSFORMER_SOURCE_DIR "/assets/worlds";
    for (const std::string& world : world_names(folder)) {
        INFO(world);
        const std::unique_ptr<Task> task = make_task(world, folder);
        CpuBackend backend(2);
        TrainOptions options = task->options;
        options.batch = 4;
        TransformerConfig config = task->config;
        config.dropout = 0.1f;
        Trainer trainer(backend, config, task->batches, options);
        trainer.watch(true);
        trainer.step();
        const StepReport report = trainer.step();
        const std::span<const float> losses = trainer.loss_of_tokens();
        const Batch& batch = *trainer.inside().batch;
        REQUIRE(losses.size() == batch.loss_weights.size());
        double sum = 0.0, weights = 0.0;
        for (std::size_t i = 0; i < losses.size(); ++i) {
            CHECK(std::isnan(losses[i]) == (batch.loss_weights[i] == 0.0f));
            if (std::isnan(losses[i])) continue;
            sum += static_cast<double>(batch.loss_weights[i]) * static_cast<double>(losses[i]);
            weights += static_cast<double>(batch.loss_weights[i]);
        }
        CHECK(sum / weights == doctest::Approx(static_cast<double>(report.loss)).epsilon(1e-5));
        CHECK(report.words > 0);
    }
}

TEST_CASE("reading what was not watched, or is out of date, is refused with the reason") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    CHECK(contains(error_of([&] { trainer.inside(); }), "run a"));
    trainer.step();
    CHECK(trainer.inside().parameters_before.empty());
    for (const auto& message : {error_of([&] { trainer.last_update(); }), error_of([&] { trainer.loss_of_tokens(); }),
                                error_of([&] { explain_update(trainer, 0); })})
        CHECK(contains(message, "not watched"));
    trainer.watch(true);
    trainer.step();
    CHECK(trainer.last_update().size() == trainer.parameters().size());
    CHECK(contains(error_of([&] { explain_update(trainer, -1); }), "there is no -1"));
    trainer.set_batch(3);
    CHECK(contains(error_of([&] { trainer.last_update(); }), "not watched"));
    trainer.step();
    CHECK(trainer.loss_of_tokens().size() == 27);
}

TEST_CASE("a negative gradient is in parentheses where it is squared") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options(OptimizerKind::adam));
    trainer.watch(true);
    trainer.step();
    int negative = 0;
    for (std::int64_t cell = 0; cell < trainer.graph().parameter_count() && negative < 5; ++cell)
        for (const std::string& line : explain_update(trainer, cell).numbers) {
            const std::size_t square = line.find("²");
            if (square == std::string::npos || !contains(line, " · (-")) {
                CHECK((square == std::string::npos || line.rfind(" · -", square) == std::string::npos));
                continue;
            }
            CHECK(line[square - 1] == ')');
            ++negative;
        }
    CHECK(negative == 5);
}
