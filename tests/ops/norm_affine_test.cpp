#include <doctest/doctest.h>

#include <vector>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::vector<Shape> shapes{{1, 2}, {3, 3}, {2, 3, 5}, {17}, {5, 17}, {33, 33}, {2, 5, 65}};

}  // namespace

TEST_CASE("norm_affine: forward, backward and explanation agree") {
    for (const Shape& shape : shapes) {
        const Shape width{shape.back()};
        CHECK(any_error({ops::norm_affine(), {normal(shape, 1), normal(width, 2), normal(width, 3)}}) == "");
    }
    CHECK(any_error({ops::norm_affine(), {normal({1000, 65}, 1), normal({65}, 2), normal({65}, 3)}}) == "");
}

TEST_CASE("norm_affine: β may be missing") {
    for (const Shape& shape : shapes)
        CHECK(any_error({ops::norm_affine(), {normal(shape, 1), normal({shape.back()}, 2)}}) == "");
    CHECK(any_error({ops::norm_affine(), {normal({1000, 65}, 1), normal({65}, 2)}}) == "");
    const Tensor y = forward({ops::norm_affine(), {Tensor({2}, {3, -5}), Tensor({2}, {2, 4})}});
    CHECK(y.data()[0] == 6.0f);
    CHECK(y.data()[1] == -20.0f);
}

TEST_CASE("norm_affine: one γ and one β for all features") {
    for (const Shape& shape : shapes) {
        CHECK(any_error({ops::norm_affine(), {normal(shape, 1), normal({1}, 2), normal({1}, 3)}}) == "");
        CHECK(any_error({ops::norm_affine(), {normal(shape, 1), normal({1}, 2)}}) == "");
    }
    CHECK(any_error({ops::norm_affine(), {normal({1000, 65}, 1), normal({1}, 2), normal({1}, 3)}}) == "");
    const OpCase c{ops::norm_affine(), {Tensor({2, 2}, {1, 2, 3, 4}), Tensor({1}, {2}), Tensor({1}, {10})}};
    const std::vector<float> y{12, 14, 16, 18};
    for (std::size_t i = 0; i < 4; ++i) CHECK(forward(c).values()[i] == y[i]);
    // dx̂ = γ·dy, then dγ = Σ dy·x̂ = 1 − 2 + 3 + 8, dβ = Σ dy
    CHECK(backward(c, Tensor({2, 2}, {1, -1, 1, 2})) == std::vector<float>{2, -2, 2, 4, 10, 3});
}

TEST_CASE("norm_affine: wrong shapes are refused") {
    CHECK(refuses(ops::norm_affine(), {{2, 3}, {3}, {2}}));
    CHECK(refuses(ops::norm_affine(), {{2, 3}, {2}, {2}}));
    CHECK(refuses(ops::norm_affine(), {{2, 3}}));
    CHECK(refuses(ops::norm_affine(), {{2, 3}, {2}}));
    CHECK(refuses(ops::norm_affine(), {{2, 3}, {3}, {1}}));
    CHECK(refuses(ops::norm_affine(), {{2, 3}, {1}, {3}}));
    CHECK(refuses(ops::norm_affine(), {{}, {1}}));
}
