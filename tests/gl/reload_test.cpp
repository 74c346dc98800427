// Shaders changed on disk while the program runs (GLASSFORMER_SHADERS).
#include <doctest/doctest.h>

#include <numeric>

#include "core/backend/gl/gl_backend.h"
#include "core/ops/ops.h"
#include "tests/gl/changed_shaders.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("OpenGL: a shader that is changed on disk is used in the next run, unless it does not compile") {
    REQUIRE_GL();
    const ChangedShaders shaders;
    GlBackend gl;
    auto graph = std::make_shared<Graph>();
    const Node x = graph->input("x", {1, 70}), y = graph->apply(ops::relu(), {x});
    const std::unique_ptr<Execution> run = gl.prepare(graph, {{y.id}, -1});
    std::vector<float> values(70), given(70);
    std::iota(values.begin(), values.end(), 1.0f);
    run->set_input(x.id, values);
    const auto factor = [&] {
        run->forward({});
        run->read(y.id, given);
        for (std::size_t i = 0; i < given.size(); ++i) REQUIRE(given[i] == given[0] * values[i]);
        return given[0];
    };
    const std::string file = "compute/relu.comp", text = "x <= 0.0 ? 0.0 : x", included = "include/activation.glsl";
    CHECK(factor() == 1.0f);
    const std::size_t programs = gl.programs();
    shaders.change(file, text, "3.0 * x");
    CHECK(factor() == 3.0f);
    CHECK(factor() == 3.0f);
    shaders.change(file, text, "nonsense");
    CHECK(factor() == 3.0f);
    shaders.change(file, text, "5.0 * x");
    shaders.change(included, "uint x_first", "uint another, x_first");
    CHECK(factor() == 3.0f);
    shaders.change(included, "uint x_first", "uint x_first");
    CHECK(factor() == 5.0f);
    CHECK(gl.programs() == programs);
}
