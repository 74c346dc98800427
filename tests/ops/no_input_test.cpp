// Ops without inputs inside a graph: run in every forward, and never differentiated.
#include <doctest/doctest.h>

#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr std::int64_t positions = 5, width = 4;

/// Σ (p + positions · w) ⊙ (sinusoids + p), as a [1, 1]: two ops without inputs among parameters.
struct Sum {
    Sum() {
        Graph& g = *graph;
        const Node p = g.parameter("p", {positions, width}, {}), w = g.parameter("w", {1, width}, {});
        index = g.apply(ops::position_index(positions, false), {});
        sinusoids = g.apply(ops::sinusoidal_positions(positions, width), {});
        const Node a = g.apply(ops::add(), {p, g.apply(ops::linear(), {index, w})});
        const Node b = g.apply(ops::add(), {sinusoids, p});
        const Node row = g.apply(ops::reshape({1, positions * width}), {g.apply(ops::multiply(), {a, b})});
        loss = g.apply(ops::matmul_transposed(), {row, g.input("ones", {1, positions * width})});
    }

    std::unique_ptr<Execution> prepare(CpuBackend& backend, const PlanRequest& request) const {
        std::unique_ptr<Execution> run = backend.prepare(graph, request);
        run->set_input(graph->at("ones"), std::vector<float>(positions * width, 1.0f));
        return run;
    }

    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Node index, sinusoids, loss;
};

}  // namespace

TEST_CASE("a node without inputs runs in every forward pass, even if its memory was reused") {
    const Sum sum;
    const Plan plan(*sum.graph, {{}, sum.loss.id});
    CHECK(!plan.needs_gradient(sum.index.id));
    CHECK(!plan.needs_gradient(sum.sinusoids.id));
    CpuBackend backend(2);
    const auto lean = sum.prepare(backend, {{}, sum.loss.id}),
               full = sum.prepare(backend, {{sum.index.id, sum.sinusoids.id}, sum.loss.id});
    const Tensor parameters = normal({sum.graph->parameter_count()}, 1);
    const Tensor expected = forward({ops::sinusoidal_positions(positions, width), {}});
    std::vector<float> gradient(parameters.values().size()), other(gradient.size()), read(positions * width);
    full->forward(parameters.values());
    const float loss = full->loss();
    for (int repeat = 0; repeat < 3; ++repeat) {
        for (Execution* run : {lean.get(), full.get()}) {
            run->forward(parameters.values());
            CHECK(run->loss() == loss);
        }
        lean->backward(gradient);
        full->backward(other);
        CHECK(gradient == other);
        full->read(sum.sinusoids.id, read);
        CHECK(std::equal(read.begin(), read.end(), expected.values().begin()));
    }
    CHECK(lean->arena_bytes() < full->arena_bytes());
}

TEST_CASE("gradients flow past a node without inputs") {
    const Sum sum;
    CpuBackend backend(1);
    const auto run = sum.prepare(backend, {{}, sum.loss.id});
    const Tensor parameters = normal({sum.graph->parameter_count()}, 1);
    const Tensor sinusoids = forward({ops::sinusoidal_positions(positions, width), {}});
    std::vector<float> gradient(parameters.values().size(), NAN);
    run->forward(parameters.values());
    run->backward(gradient);
    const float *p = parameters.data(), *w = p + positions * width;
    for (std::int64_t j = 0; j < width; ++j) {
        float dw = 0.0f;
        for (std::int64_t i = 0; i < positions; ++i) {
            const std::int64_t cell = i * width + j;
            const float index = static_cast<float>(i), b = sinusoids.data()[cell] + p[cell];
            CHECK(gradient[cell] == doctest::Approx(b + p[cell] + index * w[j]));
            dw += index * b;
        }
        CHECK(gradient[positions * width + j] == doctest::Approx(dw));
    }
}

TEST_CASE("a graph of a single node without inputs runs") {
    const auto graph = std::make_shared<Graph>();
    const Node index = graph->apply(ops::position_index(1, true), {});
    CpuBackend backend(1);
    const auto run = backend.prepare(graph, {{index.id}, index.id});
    run->forward({});
    run->backward({});
    CHECK(run->loss() == 0.0f);
}

TEST_CASE("no gradient flows back through hardmax: a parameter before it gets zero") {
    const auto graph = std::make_shared<Graph>();
    const Node p = graph->parameter("p", {1, 3}, {}), q = graph->parameter("q", {1, 3}, {});
    const Node loss = graph->apply(ops::matmul_transposed(), {graph->apply(ops::hardmax(), {p}), q});
    CpuBackend backend(1);
    const auto run = backend.prepare(graph, {{}, loss.id});
    std::vector<float> gradient(6, NAN);
    const std::vector<float> parameters{1, 3, 2, 5, 6, 7};  // read until backward() has returned
    run->forward(parameters);
    CHECK(run->loss() == 6.0f);
    run->backward(gradient);
    CHECK(gradient == std::vector<float>{0, 0, 0, 0, 1, 0});
}
