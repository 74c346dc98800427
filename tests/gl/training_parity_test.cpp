#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/backend/gl/gl_objects.h"
#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "tests/core/training_models.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::string worlds = std::string(GLASSFORMER_SOURCE_DIR) + "/assets/worlds";

// Sentences per batch: as many as a software renderer can do in a moment.
constexpr int most_sentences = 4;

/// Returns "" if the first losses and gradient norms are the CPU's, and no shader is compiled after the first step.
std::string losses_error(const Task& task, GlBackend& gl, int steps) {
    CpuBackend cpu;
    TrainOptions options = task.options;
    options.batch = std::min(options.batch, most_sentences);
    Trainer here(cpu, task.config, task.batches, options), there(cpu, task.config, task.batches, options);
    there.use(std::make_unique<GlTrainingDevice>(gl));
    std::size_t programs = 0;
    for (int step = 1; step <= steps; ++step) {
        const StepReport expected = here.step(), given = there.step();
        if (step == 1) programs = gl.programs();
        if (!there.device()) return there.take_device_trouble();
        if (given.step != step) return "step " + std::to_string(step) + " reports itself as another";
        if (!(std::abs(given.loss - expected.loss) <= 1e-3f * expected.loss))
            return "the loss of step " + std::to_string(step) + " is " + std::to_string(given.loss) + ", not " +
                   std::to_string(expected.loss);
        if (!(std::abs(given.gradient_norm - expected.gradient_norm) <= 1e-2f * expected.gradient_norm))
            return "the gradient norm of step " + std::to_string(step) + " is " + std::to_string(given.gradient_norm) +
                   ", not " + std::to_string(expected.gradient_norm);
    }
    return gl.programs() == programs ? "" : "a shader was compiled while training";
}

}  // namespace

TEST_CASE("OpenGL: the first losses of every world match the CPU's") {
    REQUIRE_GL();
    GlBackend gl;
    // A step takes a software renderer ten times as long as the CPU; scripts/soak.sh goes on to 100.
    const int steps = std::getenv("GLASSFORMER_LONG") ? 100 : 12;
    for (const std::string& world : world_names(worlds)) {
        const std::string error = losses_error(*make_task(world, worlds), gl, steps);
        CHECK_MESSAGE(error == "", world);
    }
}

TEST_CASE("OpenGL: a training step creates no buffer, compiles no shader and reads back only its report") {
    REQUIRE_GL();
    CpuBackend cpu(1);
    for (const int fuse_from : {256, 1}) {
        GlBackend backend({.fuse_from = fuse_from});
        Trainer trainer(cpu, training_config(), small_corpus(), training_options());
        trainer.use(std::make_unique<GlTrainingDevice>(backend));
        trainer.step();
        const std::int64_t buffers = gl::Buffer::made(), reads = gl::Buffer::reads();
        const std::size_t programs = backend.programs();
        int reports = 0;
        for (int i = 0; i < 40; ++i) reports += trainer.step_async().has_value();
        while (trainer.next_report()) ++reports;
        CHECK(trainer.device() != nullptr);
        CHECK(reports == 40);
        CHECK(gl::Buffer::made() == buffers);
        CHECK(gl::Buffer::reads() == reads + reports);
        CHECK(backend.programs() == programs);
    }
}
