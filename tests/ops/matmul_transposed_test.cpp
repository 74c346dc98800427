#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase product(const Shape& x, std::int64_t words) {
    return {ops::matmul_transposed(), {normal(x, 1), normal({words, x.back()}, 2)}};
}

}  // namespace

TEST_CASE("matmul_transposed: forward, backward and explanation agree") {
    for (const std::int64_t rows : {1, 2, 17, 65})
        for (const std::int64_t width : {1, 3, 33})
            for (const std::int64_t words : {1, 5, 65}) CHECK(any_error(product({rows, width}, words)) == "");
    CHECK(any_error(product({3, 5, 2}, 3)) == "");
}

TEST_CASE("matmul_transposed: a matrix times its own transpose gets both gradients") {
    CHECK(any_error({.op = ops::matmul_transposed(), .tensors = {normal({5, 3}, 1)}, .step = 1e-2, .reads = {0, 0}}) ==
          "");
}

TEST_CASE("matmul_transposed: large inputs give the same bytes on any number of threads") {
    CHECK(any_error(product({3, 97, 33}, 150)) == "");
    CHECK(thread_error(product({832, 64}, 150)) == "");
}

TEST_CASE("matmul_transposed: wrong shapes are refused") {
    CHECK(refuses(ops::matmul_transposed(), {{2, 3}}));
    CHECK(refuses(ops::matmul_transposed(), {{2, 3}, {3, 4}}));
    CHECK(refuses(ops::matmul_transposed(), {{2, 3}, {3}}));
    CHECK(refuses(ops::matmul_transposed(), {{}, {4, 3}}));
}
