#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("add: equal shapes, and a b that is broadcast") {
    CHECK(any_error({ops::add(), {normal({1}, 1), normal({1}, 2)}}) == "");
    CHECK(any_error({ops::add(), {normal({3, 5, 17}, 1), normal({3, 5, 17}, 2)}}) == "");
    CHECK(any_error({ops::add(), {normal({3, 5, 17}, 1), normal({5, 17}, 2)}}) == "");
    CHECK(any_error({ops::add(), {normal({2, 3, 65}, 1), normal({65}, 2)}}) == "");
    CHECK(any_error({ops::add(), {normal({2, 3}, 1), normal({}, 2)}}) == "");
    CHECK(any_error({ops::add(), {normal({33, 2, 1}, 1), normal({2, 1}, 2)}}) == "");
}

TEST_CASE("add: a node added to itself gets both gradients") {
    CHECK(any_error({.op = ops::add(), .tensors = {normal({5, 3}, 1)}, .reads = {0, 0}}) == "");
}

TEST_CASE("add: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error({ops::add(), {normal({65, 1021}, 1), normal({65, 1021}, 2)}}) == "");
    CHECK(thread_error({ops::add(), {normal({65, 1021}, 1), normal({1021}, 2)}}) == "");
    CHECK(thread_error({ops::add(), {normal({3, 40001}, 1), normal({40001}, 2)}}) == "");
}

TEST_CASE("add: wrong shapes are refused") {
    CHECK(refuses(ops::add(), {{2, 3}}));
    CHECK(refuses(ops::add(), {{2, 3}, {2}}));
    CHECK(refuses(ops::add(), {{3}, {2, 3}}));
    CHECK(refuses(ops::add(), {{2, 3}, {1, 3}}));
}
