#include "core/devices/choose.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "core/train/trainer.h"
#include "tests/contains.h"
#include "tests/core/training_models.h"
#include "tests/gl/changed_shaders.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {}  // namespace

TEST_CASE("backend: names") {
    CHECK(backend_preference("auto") == BackendPreference::automatic);
    CHECK(backend_preference("gl") == BackendPreference::gl);
    CHECK_THROWS_AS(backend_preference("cuda"), Error);
}

TEST_CASE("backend: without an OpenGL context the CPU is used, which is reported only if OpenGL was requested") {
    CpuBackend cpu(1);
    const BackendChoice automatic = choose_backend(BackendPreference::automatic, "no driver", cpu),
                        asked = choose_backend(BackendPreference::gl, "no driver", cpu),
                        processor = choose_backend(BackendPreference::cpu, "", cpu);
    for (const BackendChoice* c : {&automatic, &asked, &processor}) CHECK(c->gl == nullptr);
    CHECK(automatic.trouble == "");
    CHECK(contains(automatic.description, "no OpenGL 4.3 here"));
    CHECK(contains(asked.trouble, "no driver"));
    CHECK(processor.description == cpu.description());
}

TEST_CASE("OpenGL: used if it is requested, and automatically unless the renderer is software") {
    REQUIRE_GL();
    CpuBackend cpu(1);
    const BackendChoice asked = choose_backend(BackendPreference::gl, "", cpu);
    REQUIRE(asked.gl);
    CHECK(asked.trouble == "");
    CHECK(asked.description == asked.gl->description());
    const BackendChoice automatic = choose_backend(BackendPreference::automatic, "", cpu);
    CHECK((automatic.gl != nullptr) != asked.gl->software());
    if (asked.gl->software()) CHECK(contains(automatic.description, "the OpenGL renderer is software"));
    const Trial trial{training_config(), small_corpus(), training_options()};
    CHECK(seconds_of_step(cpu, trial, nullptr) > 0.0);
    CHECK(seconds_of_step(cpu, trial, std::make_unique<GlTrainingDevice>(*asked.gl)) > 0.0);
}

TEST_CASE("OpenGL: a shader that does not compile, or gives different gradients, is reported and not used") {
    REQUIRE_GL();
    CpuBackend cpu(1);
    {
        const ChangedShaders broken("compute/softmax.comp", "void main() {", "void main() { nonsense;");
        const BackendChoice choice = choose_backend(BackendPreference::gl, "", cpu);
        CHECK(choice.gl == nullptr);
        CHECK(contains(choice.trouble, "compute/softmax.comp"));
        CHECK(contains(choice.trouble, "continuing on the "));
        CHECK(!contains((choice.description + choice.trouble), "\n"));
        CHECK(choice.description.ends_with("does not compile here"));
    }
    {
        const ChangedShaders wrong("compute/softmax_backward.comp", "- inner)", "+ inner)");
        const BackendChoice choice = choose_backend(BackendPreference::gl, "", cpu);
        CHECK(choice.gl == nullptr);
        CHECK(contains(choice.trouble, "different gradients"));
    }
    {
        const ChangedShaders wrong("compute/attention_backward.comp", "(value_products[r] - ", "(value_products[r] + ");
        const BackendChoice choice = choose_backend(BackendPreference::gl, "", cpu);
        CHECK(choice.gl == nullptr);
        CHECK(contains(choice.trouble, "different gradients"));
    }
}

TEST_CASE("OpenGL: limits that are too small are reported, and training continues on the CPU") {
    REQUIRE_GL();
    CpuBackend cpu(1);
    const BackendChoice choice = choose_backend(BackendPreference::gl, "", cpu, {.largest_block = 64});
    CHECK(choice.gl == nullptr);
    CHECK(contains(choice.trouble, "larger than this driver's shaders can read"));
    GlBackend small({.largest_block = 64});
    Trainer trainer(cpu, training_config(), small_corpus(), training_options());
    trainer.step();
    CHECK_THROWS_AS(trainer.use(std::make_unique<GlTrainingDevice>(small)), Error);
    CHECK(trainer.device() == nullptr);
    CHECK(trainer.step().step == 2);
}
