// The architectures of published models: every value of a pass with OpenGL against the CPU's.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/analysis/trace_checks.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/io/checkpoint.h"
#include "core/trace/tracer.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("OpenGL: Hugging Face folders give the CPU's values") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    const std::filesystem::path folders = GLASSFORMER_SOURCE_DIR "/tests/golden/hugging_face";
    for (const auto& entry : std::filesystem::directory_iterator(folders)) {
        INFO(entry.path().filename().string());
        const Checkpoint model = load_checkpoint(entry.path());
        Tracer on_cpu(cpu, model.config), on_gl(gl, model.config);
        const std::vector<int> tokens{3, 1, 4, 1, 5, 9, 2};
        const auto expected = on_cpu.trace(tokens, model.parameters), given = on_gl.trace(tokens, model.parameters);
        const TraceDifference found = difference_of(*expected, *given);
        INFO(found.where);
        CHECK(found.compared > 30);
        CHECK(found.largest <= trace_tolerance);
    }
}
