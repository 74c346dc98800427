#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "core/tasks/tasks.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::string worlds = std::string(GLASSFORMER_SOURCE_DIR) + "/assets/worlds";

// Of a batch: what a software renderer gets through in a moment.
constexpr int most_sentences = 4;

/// "" when the first losses and gradient norms are the CPU's.
std::string losses_error(const Task& task, GlBackend& gl, int steps) {
    CpuBackend cpu;
    TrainOptions options = task.options();
    options.batch = std::min(options.batch, most_sentences);
    Trainer here(cpu, task.config(), task.batches(), options), there(cpu, task.config(), task.batches(), options);
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
    }
    return gl.programs() == programs ? "" : "a shader was compiled while training";
}

}  // namespace

TEST_CASE("OpenGL: the first 100 losses of every world are the CPU's") {
    REQUIRE_GL();
    GlBackend gl;
    for (const std::string& world : world_names(worlds)) {
        const std::string error = losses_error(*make_task(world, worlds), gl, 100);
        CHECK_MESSAGE(error == "", world);
    }
}
