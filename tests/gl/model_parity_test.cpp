#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/train/optimizer.h"
#include "tests/contains.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"
#include "tests/ops/variants.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Compares all node values and all gradients of a variant, CPU against OpenGL.
std::string variant_error(const Variant& variant, GlBackend& gl) {
    const VariantModel model(variant, 3);
    CpuBackend cpu(1);
    const PlanRequest everything{model.all_nodes(), model.model.loss};
    std::unique_ptr<Execution> expected = model.prepare(cpu, everything), given = model.prepare(gl, everything);
    expected->forward(model.parameters);
    given->forward(model.parameters);
    for (const int id : model.all_nodes()) {
        const std::string error = difference(model.read(*expected, id), model.read(*given, id));
        if (!error.empty()) return model.graph[id].name + ": " + error;
    }
    AlignedFloats a(model.parameters.size()), b(model.parameters.size());
    // If only what is needed is kept, memory is reused again and again.
    expected = model.prepare(cpu, {{}, model.model.loss}), given = model.prepare(gl, {{}, model.model.loss});
    expected->forward(model.parameters), given->forward(model.parameters);
    expected->backward(a), given->backward(b);
    for (const int id : model.graph.parameters()) {
        const NodeInfo& info = model.graph[id];
        const auto at = static_cast<std::size_t>(info.offset), n = static_cast<std::size_t>(info.shape.elements());
        const std::string error = difference({a.data() + at, n}, {b.data() + at, n}, root_mean_square(a));
        if (!error.empty()) return "gradient of " + info.name + ": " + error;
    }
    return "";
}

void check_variants(const GlOptions& options) {
    GlBackend gl(options);
    for (const Variant& variant : variants()) {
        std::string error;
        try {
            error = variant_error(variant, gl);
        } catch (const Error& e) {
            if (!contains(e.what(), "no OpenGL shader")) throw;
            MESSAGE(variant.name << ": " << std::string(e.what()));
            continue;
        }
        CHECK_MESSAGE(error == "", variant.name);
    }
}

}  // namespace

TEST_CASE("OpenGL: every architecture gives the CPU's values and gradients") {
    REQUIRE_GL();
    check_variants({});
}

TEST_CASE("OpenGL: every architecture gives the CPU's values and gradients with fused attention") {
    REQUIRE_GL();
    check_variants({.fuse_from = 1});
}

TEST_CASE("OpenGL: overwritten cells affect later ops as on the CPU") {
    REQUIRE_GL();
    GlBackend gl;
    CpuBackend cpu(1);
    const VariantModel model(variants().front(), 3);
    const int node = model.graph.at("blocks.0.attn.hook_pattern");
    const PlanRequest request{{node, model.model.logits}, -1};
    const auto expected = model.prepare(cpu, request), given = model.prepare(gl, request);
    const Intervention change{node, {{3, 2}, {40, 1}}, {0.25f, 0.5f, 0.75f}};
    for (const auto& run : {expected.get(), given.get()}) {
        run->forward(model.parameters);
        run->intervene({change});
        run->forward(model.parameters);
    }
    CHECK(difference(model.read(*expected, node), model.read(*given, node)) == "");
    CHECK(difference(model.read(*expected, model.model.logits), model.read(*given, model.model.logits)) == "");
    expected->intervene({}), given->intervene({});
    expected->forward(model.parameters), given->forward(model.parameters);
    CHECK(difference(model.read(*expected, model.model.logits), model.read(*given, model.model.logits)) == "");
    CHECK_THROWS_AS(given->intervene({{node, {{0, 1}}, {}}}), Error);
}
