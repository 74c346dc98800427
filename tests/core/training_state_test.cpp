#include <doctest/doctest.h>

#include "tests/core/error_of.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Trains 40 steps, keeps the state at step 13 and continues from it: in the same trainer, in a new one with another
/// number of threads, and in one that has trained elsewhere before.
void check_replay(const TransformerConfig& config, const TrainOptions& options) {
    CpuBackend backend(2), other(3);
    Trainer trainer(backend, config, small_corpus(), options);
    while (trainer.steps() < 13) trainer.step();
    const TrainingState kept = trainer.state();
    CHECK(kept.exact());
    CHECK(kept.step == 13);
    while (trainer.steps() < 40) trainer.step();
    const TrainingState end = trainer.state();
    REQUIRE_FALSE(same_bytes(*end.parameters, *kept.parameters));

    TrainOptions another_seed = options;
    another_seed.seed = 77;
    Trainer fresh(other, config, small_corpus(), another_seed);
    for (int i = 0; i < 3; ++i) fresh.step();
    Trainer begun_there(other, config, small_corpus(), another_seed, kept);
    trainer.restore(kept), fresh.restore(kept);
    for (Trainer* t : {&trainer, &fresh, &begun_there}) {
        CHECK(t->steps() == 13);
        CHECK(same_bytes(t->parameters(), *kept.parameters));
        while (t->steps() < 40) t->step();
        const TrainingState again = t->state();
        CHECK(same_bytes(*again.parameters, *end.parameters));
        CHECK(again.seed == end.seed);
        CHECK(again.optimizer.updates == end.optimizer.updates);
        REQUIRE(static_cast<bool>(again.optimizer.m) == static_cast<bool>(end.optimizer.m));
        REQUIRE(static_cast<bool>(again.optimizer.v) == static_cast<bool>(end.optimizer.v));
        if (end.optimizer.m) CHECK(same_bytes(*again.optimizer.m, *end.optimizer.m));
        if (end.optimizer.v) CHECK(same_bytes(*again.optimizer.v, *end.optimizer.v));
    }
}

}  // namespace

TEST_CASE("resuming from a kept state gives the same bytes as the first time, with every optimizer") {
    for (const OptimizerKind kind : all_optimizers) {
        INFO(name_of(kind));
        check_replay(training_config(), training_options(kind));
    }
}

TEST_CASE("batch normalization and dropout resume byte for byte, too") {
    TransformerConfig batch_norm = training_config();
    batch_norm.norm = NormKind::batch_norm;
    check_replay(batch_norm, training_options());
    TransformerConfig dropout = training_config();
    dropout.dropout = 0.2f;
    check_replay(dropout, training_options());
    dropout.norm = NormKind::batch_norm;
    check_replay(dropout, training_options(OptimizerKind::momentum));
}

TEST_CASE("a state without moments is not exact: training resumes on a different path") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    while (trainer.steps() < 13) trainer.step();
    TrainingState kept = trainer.state();
    while (trainer.steps() < 16) trainer.step();
    const std::vector<float> first = copy_of(trainer.parameters());
    kept.optimizer = {};
    CHECK_FALSE(kept.exact());
    trainer.restore(kept);
    while (trainer.steps() < 16) trainer.step();
    CHECK_FALSE(same_bytes(first, trainer.parameters()));
}

TEST_CASE("another seed from the same state trains differently; a state of another model is refused") {
    CpuBackend backend(1);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    while (trainer.steps() < 5) trainer.step();
    TrainingState kept = trainer.state();
    trainer.step();
    const std::vector<float> first = copy_of(trainer.parameters());
    kept.seed = 6;
    trainer.restore(kept);
    CHECK(trainer.options().seed == 6);
    trainer.step();
    CHECK_FALSE(same_bytes(first, trainer.parameters()));

    const std::vector<float> before = copy_of(trainer.parameters());
    TrainingState foreign = kept;
    foreign.parameters = std::make_shared<const ParameterValues>(7);
    CHECK(contains(error_of([&] { trainer.restore(foreign); }), "7 values"));
    foreign = kept;
    foreign.optimizer.v = std::make_shared<const ParameterValues>(7);
    CHECK(contains(error_of([&] { trainer.restore(foreign); }), "not of this model"));
    CHECK(same_bytes(before, trainer.parameters()));
}

TEST_CASE("every optimizer gives the same bytes on 1, 2 and 3 threads, and learns") {
    for (const OptimizerKind kind : all_optimizers) {
        INFO(name_of(kind));
        TrainOptions options = training_options(kind);
        if (kind == OptimizerKind::sgd || kind == OptimizerKind::momentum) options.schedule.peak = 0.1f;
        options.schedule.kind = ScheduleKind::constant;
        std::vector<float> one;
        for (const int threads : {1, 2, 3}) {
            CpuBackend backend(threads);
            Trainer trainer(backend, training_config(), small_corpus(), options);
            float first = 0.0f, last = 0.0f;
            for (int i = 0; i < 60; ++i) (i < 10 ? first : last) += trainer.step().loss / (i < 10 ? 10.0f : 50.0f);
            CHECK(last < first);
            if (threads == 1) one = copy_of(trainer.parameters());
            CHECK(same_bytes(one, trainer.parameters()));
        }
    }
}
