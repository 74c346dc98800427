#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase embed(std::int64_t batch, std::int64_t positions, std::int64_t words, std::int64_t width) {
    return {ops::embed(), {whole({batch, positions}, 1, static_cast<std::uint64_t>(words)), normal({words, width}, 2)}};
}

}  // namespace

TEST_CASE("embed: forward, backward and explanation agree") {
    CHECK(any_error(embed(1, 1, 1, 1)) == "");
    CHECK(any_error(embed(2, 3, 5, 2)) == "");
    CHECK(any_error(embed(3, 17, 5, 33)) == "");
    CHECK(any_error(embed(7, 65, 23, 65)) == "");
}

TEST_CASE("embed: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(embed(16, 65, 40, 129)) == "");
}

TEST_CASE("embed: a word that occurs twice gets both gradients, and one that does not occur gets zero") {
    const OpCase c{ops::embed(), {Tensor({1, 3}, {2, 0, 2}), normal({3, 1}, 3)}};
    CHECK(backward(c, Tensor({1, 3, 1}, {1, 10, 100})) == std::vector<float>{10, 0, 101});
}

TEST_CASE("embed: wrong shapes are refused") {
    CHECK(refuses(ops::embed(), {{2, 3}}));
    CHECK(refuses(ops::embed(), {{6}, {5, 2}}));
    CHECK(refuses(ops::embed(), {{2, 3}, {5}}));
}
