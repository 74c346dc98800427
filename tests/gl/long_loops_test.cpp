// Loops as long as those of published models. llvmpipe silently leaves every shader loop after 65,535 iterations, so
// work that is too long for one invocation is spread over several, or done in parts.
#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

Tensor positive(const Shape& shape, std::uint64_t seed) {
    Tensor t = normal(shape, seed);
    for (float& v : t.values()) v = 0.5f + std::abs(v);
    return t;
}

}  // namespace

TEST_CASE("OpenGL: rows as long as the vocabularies of published models") {
    REQUIRE_GL();
    GlBackend backend({.guard = true});
    for (const std::int64_t width : {30522, 50257, 128256}) {  // BERT, GPT-2, Llama 3
        CAPTURE(width);
        const Tensor rows = normal({3, width}, 1, 3.0);
        CHECK(backend_error({ops::softmax(), {rows}}, backend) == "");
        CHECK(backend_error({ops::hardmax(), {rows}}, backend) == "");
        CHECK(backend_error({ops::cross_entropy(),
                             {rows, whole({3}, 2, static_cast<std::uint64_t>(width)), Tensor({3}, {1, 0, 2})}},
                            backend) == "");
        CHECK(backend_error({ops::squared_error(), {rows, normal({3, width}, 2), Tensor({3}, {1, 0, 2})}}, backend) ==
              "");
        CHECK(backend_error({ops::layer_norm_mean(), {rows}}, backend) == "");
        CHECK(backend_error({ops::layer_norm_scale(1e-5f), {rows, normal({3}, 2)}}, backend) == "");
        CHECK(backend_error({ops::layer_norm_normalize(), {rows, normal({3}, 2), positive({3}, 3)}}, backend) == "");
        CHECK(backend_error({ops::rms_norm_scale(1e-5f), {rows}}, backend) == "");
        CHECK(backend_error({ops::rms_norm_normalize(), {rows, positive({3}, 2)}}, backend) == "");
    }
}

TEST_CASE("OpenGL: products that are deeper than the largest vocabulary") {
    REQUIRE_GL();
    GlBackend backend({.guard = true});
    constexpr std::int64_t depth = 300'000;
    CHECK(backend_error({ops::linear(), {normal({3, depth}, 1), normal({depth, 5}, 2), normal({5}, 3)}}, backend) ==
          "");
    CHECK(backend_error({ops::matmul_transposed(), {normal({3, depth}, 1), normal({5, depth}, 2)}}, backend) == "");
}

TEST_CASE("OpenGL: sums over more rows than one loop can run") {
    REQUIRE_GL();
    GlBackend backend({.guard = true});
    constexpr std::int64_t rows = 70'000;
    CHECK(backend_error({ops::linear(), {normal({rows, 3}, 1), normal({3, 2}, 2), normal({2}, 3)}}, backend) == "");
    CHECK(backend_error({ops::norm_affine(), {normal({rows, 2}, 1), normal({2}, 2), normal({2}, 3)}}, backend) == "");
    CHECK(backend_error({ops::embed(), {whole({2, rows / 2}, 1, 5), normal({5, 2}, 2)}}, backend) == "");
}

TEST_CASE("OpenGL: a loop too long for the driver is refused before anything runs") {
    REQUIRE_GL();
    GlBackend backend({.most_iterations = 256});
    const OpCase pool{ops::mean_pool(), {normal({1, 300, 2}, 1), keep_most({1, 300}, 2)}};
    CHECK_THROWS_WITH_AS(backend_error(pool, backend),
                         "the shader mean_pool would need 601 iterations of its loops, more than this driver runs; use "
                         "--backend cpu",
                         Error);
}
