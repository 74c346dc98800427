#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase linear(const Shape& x, std::int64_t d_out) {
    return {ops::linear(), {normal(x, 1), normal({x.back(), d_out}, 2), normal({d_out}, 3)}};
}

}  // namespace

TEST_CASE("linear: forward, backward and explanation agree") {
    for (const std::int64_t rows : {1, 2, 17, 65})
        for (const std::int64_t d_in : {1, 3, 33})
            for (const std::int64_t d_out : {1, 5, 65}) CHECK(any_error(linear({rows, d_in}, d_out)) == "");
    CHECK(any_error(linear({3, 5, 2}, 3)) == "");
    CHECK(any_error(linear({5}, 3)) == "");
}

TEST_CASE("linear: several pieces of work give the same bytes on any number of threads") {
    CHECK(any_error(linear({3, 97, 129}, 70)) == "");
    CHECK(thread_error(linear({1000, 64}, 256)) == "");
}

TEST_CASE("linear: wrong shapes are refused by name") {
    CHECK(refuses(ops::linear(), {{2, 3}, {3, 4}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {4, 3}, {3}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {3, 4}, {3}}));
    CHECK(refuses(ops::linear(), {{}, {3, 4}, {4}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {1, 3, 4}, {4}}));
}
