#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase cache_row(std::int64_t length, std::int64_t heads, std::int64_t width, float position) {
    return {ops::cache_row(),
            {normal({1, length, heads, width}, 1), normal({1, 1, heads, width}, 2), Tensor({1}, {position})}};
}

}  // namespace

TEST_CASE("cache_row: forward and explanation agree") {
    CHECK(any_error(cache_row(1, 1, 1, 0)) == "");
    for (const float position : {0.0f, 1.0f, 16.0f})
        for (const std::int64_t width : {1, 2, 3, 17, 63, 65})
            CHECK(any_error(cache_row(17, 3, width, position)) == "");
}

TEST_CASE("cache_row: the row is written at its position, and everything else is kept") {
    const OpCase c{ops::cache_row(),
                   {Tensor({1, 3, 2, 1}, {1, 2, 3, 4, 5, 6}), Tensor({1, 1, 2, 1}, {7, 8}), Tensor({1}, {1})}};
    const Tensor y = forward(c);
    CHECK(std::vector<float>(y.values().begin(), y.values().end()) == std::vector<float>{1, 2, 7, 8, 5, 6});
}

TEST_CASE("cache_row: a position outside the cache writes nothing") {
    for (const float position : {-1.0f, 3.0f, 1e6f}) {
        const OpCase c = cache_row(3, 2, 5, position);
        const Tensor y = forward(c);
        CHECK(std::equal(y.values().begin(), y.values().end(), c.tensors[0].values().begin()));
        CHECK(explanation_error(c) == "");
    }
}

TEST_CASE("cache_row: writes into the cache in place, unless another op reads the cache, too") {
    for (const bool read_twice : {false, true}) {
        const auto graph = std::make_shared<Graph>();
        const Node cache = graph->input("cache", {1, 3, 1, 2}), row = graph->input("row", {1, 1, 1, 2}),
                   position = graph->input("position", {1});
        const Node filled = graph->apply(ops::cache_row(), {cache, row, position});
        PlanRequest request{{filled.id}, -1};
        if (read_twice) request.keep.push_back(graph->apply(ops::scale(2.0f), {cache}).id);
        CHECK((Plan(*graph, request).value_offset(filled.id) == Plan(*graph, request).value_offset(cache.id)) ==
              !read_twice);
        CpuBackend backend(1);
        const std::unique_ptr<Execution> run = backend.prepare(graph, request);
        const auto step = [&](float at, float value) {
            run->set_input(row.id, std::vector<float>{value, value});
            run->set_input(position.id, std::vector<float>{at});
            run->forward(std::vector<float>{});
            const std::span<const float> out = run->view(filled.id);
            return std::vector<float>(out.begin(), out.end());
        };
        run->set_input(cache.id, std::vector<float>{1, 2, 3, 4, 5, 6});
        CHECK(step(1, 7) == std::vector<float>{1, 2, 7, 7, 5, 6});
        const std::vector<float> second{8, 8, read_twice ? 3.0f : 7.0f, read_twice ? 4.0f : 7.0f, 5, 6};
        CHECK(step(0, 8) == second);
    }
}

TEST_CASE("cache_row: no gradient flows through it") {
    for (const int input : {0, 1, 2}) CHECK(!ops::cache_row()->has_gradient(input));
}

TEST_CASE("cache_row: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(cache_row(1021, 4, 33, 500)) == "");
}

TEST_CASE("cache_row: wrong shapes are refused") {
    const OpPtr op = ops::cache_row();
    CHECK(refuses(op, {{1, 3, 2, 5}, {1, 1, 2, 5}}));
    CHECK(refuses(op, {{2, 3, 2, 5}, {1, 1, 2, 5}, {1}}));
    CHECK(refuses(op, {{1, 3, 2, 5}, {1, 2, 2, 5}, {1}}));
    CHECK(refuses(op, {{1, 3, 2, 5}, {1, 1, 2, 4}, {1}}));
    CHECK(refuses(op, {{1, 3, 2, 5}, {1, 1, 2, 5}, {}}));
}
