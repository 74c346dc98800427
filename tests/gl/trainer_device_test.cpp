#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "tests/core/error_of.h"
#include "tests/core/same_state.h"
#include "tests/core/training_models.h"
#include "tests/gl/breaking_device.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Returns "" if the parameters agree within 1e-3 of their root mean square. The keys' biases are left out: softmax
/// ignores them, so their gradient is only rounding, which Adam scales up to steps of full length.
std::string parameters_error(const Trainer& expected, const Trainer& given) {
    const std::span<const float> a = expected.parameters(), b = given.parameters();
    const double size = root_mean_square(a);
    for (const int id : expected.graph().parameters()) {
        const NodeInfo& info = expected.graph()[id];
        if (info.name.ends_with(".b_K")) continue;
        for (auto i = static_cast<std::size_t>(info.offset), n = i + static_cast<std::size_t>(info.shape.elements());
             i < n; ++i)
            if (!(std::abs(a[i] - b[i]) <= 1e-3 * (std::abs(a[i]) + size)))
                return info.name + " has " + std::to_string(b[i]) + ", not " + std::to_string(a[i]);
    }
    return "";
}

}  // namespace

TEST_CASE("OpenGL: training moves to the GPU and back with every optimizer, and a removed head stays at zero") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    for (const OptimizerKind kind : all_optimizers) {
        CAPTURE(name_of(kind));
        Trainer expected(cpu, training_config(), small_corpus(), training_options(kind)),
            moving(cpu, training_config(), small_corpus(), training_options(kind));
        for (Trainer* t : {&expected, &moving}) t->remove_head("blocks.1.attn", 1);
        for (int i = 0; i < 20; ++i) expected.step(), moving.step();
        // Moved into another trainer by a state, and then back by use().
        Trainer on_gpu(cpu, training_config(), small_corpus(), training_options(kind));
        on_gpu.remove_head("blocks.1.attn", 1);
        on_gpu.use(std::make_unique<GlTrainingDevice>(gl));
        on_gpu.restore(moving.state());
        for (int i = 20; i < 40; ++i) {
            const StepReport a = expected.step(), b = on_gpu.step();
            REQUIRE(b.step == a.step);
            REQUIRE(b.words == a.words);
            REQUIRE(b.loss == doctest::Approx(a.loss).epsilon(1e-3));
            REQUIRE(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(1e-3));
            REQUIRE(b.clip_factor == doctest::Approx(a.clip_factor).epsilon(1e-3));
        }
        CHECK(parameters_error(expected, on_gpu) == "");
        CHECK(difference(expected.inside().gradients, on_gpu.inside().gradients, 10.0) == "");
        const ParameterRange held = on_gpu.options().frozen_zero.front();
        for (std::int64_t i = 0; i < held.count; ++i) REQUIRE(on_gpu.parameters()[held.offset + i] == 0.0f);
        const TrainingState state = on_gpu.state();
        CHECK(state.step == 40);
        CHECK(state.optimizer.updates == 40);
        CHECK(state.exact());
        on_gpu.use(nullptr);
        CHECK(same_values(on_gpu.state().parameters, state.parameters));
        CHECK(same_values(on_gpu.state().optimizer.m, state.optimizer.m));
        for (int i = 40; i < 45; ++i)
            REQUIRE(expected.step().loss == doctest::Approx(on_gpu.step().loss).epsilon(1e-3));
    }
}

TEST_CASE("OpenGL: the running statistics of batch normalization follow the batch as on the CPU") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    TransformerConfig config = training_config();
    config.norm = NormKind::batch_norm;
    config.dropout = 0.1f;
    Trainer expected(cpu, config, small_corpus(), training_options()),
        given(cpu, config, small_corpus(), training_options());
    given.use(std::make_unique<GlTrainingDevice>(gl));
    for (int i = 0; i < 20; ++i) expected.step(), given.step();
    CHECK(given.device() != nullptr);
    CHECK(parameters_error(expected, given) == "");
}

TEST_CASE("OpenGL: settings that change during training reach the GPU") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    Trainer expected(cpu, training_config(), small_corpus(), training_options()),
        given(cpu, training_config(), small_corpus(), training_options());
    given.use(std::make_unique<GlTrainingDevice>(gl));
    for (Trainer* t : {&expected, &given}) {
        for (int i = 0; i < 5; ++i) t->step();
        t->set_clip(0.05f);
        for (int i = 0; i < 5; ++i) t->step();
        OptimizerOptions changed = t->options().optimizer;
        changed.weight_decay = 1.0f, changed.beta1 = 0.5f;
        t->set_optimizer(changed);
        for (int i = 0; i < 5; ++i) t->step();
        changed.kind = OptimizerKind::momentum;
        t->set_optimizer(changed);
        t->set_batch(5);
        t->remove_head("blocks.0.attn", 0);
        for (int i = 0; i < 5; ++i) t->step();
        t->freeze_at_zero({});
        Schedule faster = t->options().schedule;
        faster.peak = 0.02f;
        t->set_schedule(faster);
        for (int i = 0; i < 5; ++i) t->step();
    }
    CHECK(given.device() != nullptr);
    CHECK(parameters_error(expected, given) == "");
}

TEST_CASE("OpenGL: asynchronous steps report later, all of them and in order") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    Trainer expected(cpu, training_config(), small_corpus(), training_options()),
        ahead(cpu, training_config(), small_corpus(), training_options());
    ahead.use(std::make_unique<GlTrainingDevice>(gl));
    std::vector<StepReport> reports;
    for (int i = 0; i < 30; ++i)
        if (const auto r = ahead.step_async()) reports.push_back(*r);
    CHECK(ahead.steps() == 30);
    while (const auto r = ahead.next_report()) reports.push_back(*r);
    REQUIRE(reports.size() == 30);
    for (std::size_t i = 0; i < 30; ++i) {
        const StepReport e = expected.step();
        REQUIRE(reports[i].step == e.step);
        REQUIRE(reports[i].learning_rate == e.learning_rate);
        REQUIRE(reports[i].loss == doctest::Approx(e.loss).epsilon(1e-3));
    }
    CHECK(parameters_error(expected, ahead) == "");
}

TEST_CASE("OpenGL: a report has the clip factor of its own step, not of a clip that was set later") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    Trainer expected(cpu, training_config(), small_corpus(), training_options()),
        ahead(cpu, training_config(), small_corpus(), training_options());
    ahead.use(std::make_unique<GlTrainingDevice>(gl));
    std::vector<StepReport> reports;
    constexpr int steps = 6;  // fewer than may be pending, so that no report is taken before the change
    static_assert(steps <= TrainingDevice::most_pending);
    for (Trainer* t : {&expected, &ahead}) t->set_clip(0.01f);
    for (int i = 0; i < steps; ++i)
        if (const auto r = ahead.step_async()) reports.push_back(*r);
    ahead.set_clip(1e6f);
    while (const auto r = ahead.next_report()) reports.push_back(*r);
    REQUIRE(reports.size() == steps);
    for (const StepReport& report : reports) {
        const StepReport e = expected.step();
        REQUIRE(e.clip_factor < 0.5f);
        CHECK(report.clip_factor == doctest::Approx(e.clip_factor).epsilon(1e-3));
    }
}

TEST_CASE("OpenGL: a step that is not finite changes nothing, and neither do the steps queued after it") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    Trainer trainer(cpu, training_config(), small_corpus(), training_options());
    trainer.use(std::make_unique<GlTrainingDevice>(gl));
    for (int i = 0; i < 3; ++i) trainer.step();
    const TrainingState good = trainer.state();
    std::vector<float> broken = *good.parameters;
    broken[broken.size() / 2] = std::numeric_limits<float>::infinity();
    trainer.restore(broken, 3);
    const std::string message = error_of([&] {
        for (int i = 0; i < 4; ++i) trainer.step_async();
        while (trainer.next_report()) {
        }
    });
    CHECK(contains(message, "at step 4"));
    CHECK(trainer.trouble());
    CHECK(trainer.steps() == 3);
    CHECK(same_bytes(trainer.parameters(), broken));
    trainer.restore(good);
    const StepReport again = trainer.step();
    CHECK(again.step == 4);
    CHECK(std::isfinite(again.loss));
    CHECK(trainer.device() != nullptr);
}

TEST_CASE("OpenGL: if the device is lost, training continues on the CPU from the same step") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    Trainer expected(cpu, training_config(), small_corpus(), training_options()),
        given(cpu, training_config(), small_corpus(), training_options());
    given.use(std::make_unique<BreakingDevice>(gl, 12));
    for (int i = 1; i <= 20; ++i) {
        const StepReport a = expected.step(), b = given.step();
        REQUIRE(b.step == i);
        REQUIRE(b.loss == doctest::Approx(a.loss).epsilon(1e-3));
        CHECK((given.device() != nullptr) == (i <= 12));
    }
    CHECK(contains(given.take_device_trouble(), "context was lost"));
    CHECK(given.take_device_trouble() == "");
    CHECK(parameters_error(expected, given) == "");
    // With reports pending: all of them are delivered.
    given.reset(5), expected.reset(5);
    given.use(std::make_unique<BreakingDevice>(gl, 6));
    std::vector<StepReport> reports;
    for (int i = 0; i < 10; ++i)
        if (const auto r = given.step_async()) reports.push_back(*r);
    while (const auto r = given.next_report()) reports.push_back(*r);
    CHECK(given.steps() == 10);
    CHECK(given.device() == nullptr);
    REQUIRE(reports.size() == 10);
    // With none pending: none is delivered twice.
    Trainer waiting(cpu, training_config(), small_corpus(), training_options());
    waiting.use(std::make_unique<BreakingDevice>(gl, 6));
    std::vector<std::int64_t> told;
    for (int i = 0; i < 10; ++i) {
        if (const auto r = waiting.step_async()) told.push_back(r->step);
        while (const auto r = waiting.next_report()) told.push_back(r->step);
    }
    CHECK(waiting.device() == nullptr);
    CHECK(told == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    for (std::size_t i = 0; i < 10; ++i) {
        const StepReport e = expected.step();
        REQUIRE(reports[i].step == e.step);
        REQUIRE(reports[i].loss == doctest::Approx(e.loss).epsilon(1e-3));
    }
    CHECK(parameters_error(expected, given) == "");
}
