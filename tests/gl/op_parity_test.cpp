#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "core/backend/gl/gl_ops.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

bool is_product(const std::string& name) {
    for (const char* product : {"linear", "matmul_transposed", "attention_scores", "attention_values", "head_result"})
        if (name == product) return true;
    return false;
}

std::int64_t cells(const OpCase& c) {
    std::int64_t sum = 0;
    for (const Tensor& tensor : c.tensors) sum += std::ssize(tensor.values());
    return sum;
}

/// Checks every op that has a shader, at all its sizes; shows at most three messages per op.
void check_all(const GlOptions& options) {
    const bool all = std::getenv("GLASSFORMER_LONG") != nullptr;
    GlBackend backend(options);
    std::map<std::string, int> failures;
    std::set<std::string> missing;
    int products = 0;
    for (const NamedCase& each : op_cases()) {
        // Invocations that wait for one another are slow on a CPU: only some of the product sizes, evenly chosen, and
        // nothing large. 2,000 cells fill several groups. scripts/soak.sh takes more.
        if (options.product_tile > 0 && is_product(each.name) && products++ % (all ? 5 : 16) != 0) continue;
        if (options.lanes > 1 && cells(each.c) > (all ? 8000 : 2000)) continue;
        if (!gl::find_gl_op(each.name)) {
            missing.insert(each.name);
            continue;
        }
        std::string error;
        try {
            error = backend_error(each.c, backend);
        } catch (const std::exception& e) {
            error = each.name + ": " + e.what();
        }
        if (!error.empty() && ++failures[each.name] <= 3) CHECK(error == "");
    }
    for (const std::string& name : missing) MESSAGE("no shader yet: " << name);
    CHECK(failures.empty());
}

}  // namespace

TEST_CASE("OpenGL: every op matches the CPU, with one invocation per row") {
    REQUIRE_GL();
    check_all({.lanes = 1, .product_tile = 0, .guard = true});
}

TEST_CASE("OpenGL: every op matches the CPU, with eight invocations per row") {
    REQUIRE_GL();
    check_all({.lanes = 8, .product_tile = 64, .guard = true});
}

TEST_CASE("OpenGL: large tiles give the same products") {
    REQUIRE_GL();
    GlBackend backend({.lanes = 1, .product_tile = 128, .guard = true});
    struct Size {
        Shape x;
        std::int64_t columns;
    };
    // Part of a tile; rows and columns one beyond a tile; sums as long as several load steps.
    for (const auto& [x, columns] : {Size{{3, 5}, 1}, Size{{129, 17}, 131}, Size{{40, 64}, 64}}) {
        const OpCase product{ops::linear(), {normal(x, 1), normal({x.back(), columns}, 2), normal({columns}, 3)}};
        CHECK(backend_error(product, backend) == "");
    }
}
