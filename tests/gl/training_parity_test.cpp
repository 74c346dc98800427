#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/backend/gl/gl_training.h"
#include "core/backend/gl/parameters.h"
#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "tests/gl/compare.h"
#include "tests/gl/headless_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::string worlds = std::string(GLASSFORMER_SOURCE_DIR) + "/assets/worlds";

/// The Trainer's loop, with everything but the batches on the GPU.
class GlLoop {
public:
    GlLoop(const Task& task, GlBackend& backend)
        : options_(task.options()),
          batches_(task.batches()),
          model_(build_transformer(task.config(), batches_->shape(options_.batch))),
          training_(backend, model_.graph, {{}, model_.loss},
                    {options_.optimizer.beta1, options_.optimizer.beta2, options_.optimizer.epsilon, options_.optimizer.weight_decay,
                     options_.clip}) {
        training_.set_parameters(initial_parameters(*model_.graph, options_.seed));
    }

    GlTraining::Report step(std::int64_t number) {
        batches_->draw(options_.seed, number, options_.batch, batch_);
        set_inputs(training_.execution(), model_, batch_);
        const float state[] = {1.0f, static_cast<float>(number), static_cast<float>(options_.seed)};
        if (model_.state >= 0) training_.execution().set_input(model_.state, state);
        training_.step(options_.schedule.at(number));
        return *training_.wait();
    }

    GlTraining& training() { return training_; }

private:
    TrainOptions options_;
    std::shared_ptr<const BatchSource> batches_;
    TransformerGraph model_;
    GlTraining training_;
    Batch batch_;
};

/// "" when the first losses and gradient norms are the CPU's.
std::string losses_error(const Task& task, GlBackend& gl, int steps) {
    CpuBackend cpu;
    Trainer trainer(cpu, task.config(), task.batches(), task.options());
    GlLoop loop(task, gl);
    const std::size_t programs = gl.programs();
    for (int step = 1; step <= steps; ++step) {
        const StepReport expected = trainer.step();
        const GlTraining::Report given = loop.step(step);
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
        std::string error;
        try {
            error = losses_error(*make_task(world, worlds), gl, 100);
        } catch (const Error& e) {
            if (std::string(e.what()).find("no OpenGL shader") == std::string::npos) throw;
            MESSAGE(world << ": " << std::string(e.what()));
            continue;
        }
        CHECK_MESSAGE(error == "", world);
    }
}

TEST_CASE("OpenGL: parameters and moments go to the GPU and back, and a step that is not finite changes nothing") {
    REQUIRE_GL();
    GlBackend gl;
    const std::unique_ptr<Task> task = make_task("homonyms", worlds);
    GlLoop loop(*task, gl);
    loop.step(1);
    const auto n = static_cast<std::size_t>(loop.training().parameters()->count());
    std::vector<float> w(n), m(n), v(n), again(n), m_again(n), v_again(n);
    loop.training().read_parameters(w);
    loop.training().read_moments(m, v);
    loop.training().set_parameters(w);
    loop.training().set_moments(m, v, 1);
    loop.training().read_parameters(again);
    loop.training().read_moments(m_again, v_again);
    CHECK(w == again);
    CHECK(m == m_again);
    CHECK(v == v_again);

    std::vector<float> broken = w;
    broken[n / 2] = std::numeric_limits<float>::infinity();
    loop.training().set_parameters(broken);
    const GlTraining::Report report = loop.step(2);
    CHECK_FALSE((std::isfinite(report.loss) && std::isfinite(report.gradient_norm)));
    loop.training().read_parameters(again);
    loop.training().read_moments(m_again, v_again);
    CHECK(broken == again);
    CHECK(m == m_again);
    CHECK(v == v_again);
}
