// Whole graphs: shared memory, plans, and a two-layer encoder that must pass the checks of its single ops.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/nn/transformer.h"
#include "tests/ops/op_harness.h"
#include "tests/same_bytes.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

struct Encoder {
    explicit Encoder(int batch)
        : model(build_transformer(
              {.d_vocab = 23, .n_ctx = 9, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 40, .init_std = 0.3f},
              {batch, 7})),
          graph(*model.graph) {
        const std::vector<float> fresh = initial_parameters(graph, 1);
        parameters.assign(fresh.begin(), fresh.end());
        Rng rng(5);
        for (float& p : parameters) p += static_cast<float>(0.1 * rng.normal());  // biases too
        const Shape shape{batch, 7};
        tokens = whole(shape, 2, 23);
        targets = whole(shape, 3, 23);
        key_mask = Tensor(shape, std::vector<float>(static_cast<std::size_t>(shape.elements()), 1.0f));
        for (int b = 0; b < batch; ++b)
            for (int p = 7 - 2 * b % 5 - 1; p < 7; ++p) key_mask.values()[b * 7 + p] = 0.0f;
        weights = keep_most(shape, 4);
    }

    std::unique_ptr<Execution> prepare(CpuBackend& backend, const PlanRequest& request) const {
        std::unique_ptr<Execution> run = backend.prepare(model.graph, request);
        run->set_input(model.tokens, tokens.values());
        run->set_input(model.targets, targets.values());
        run->set_input(model.key_mask, key_mask.values());
        run->set_input(model.loss_weights, weights.values());
        return run;
    }

    std::vector<int> all_nodes() const {
        std::vector<int> ids;
        for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) ids.push_back(id);
        return ids;
    }

    Tensor read(const Execution& run, int id) const {
        Tensor t(graph[id].shape);
        run.read(id, t.values());
        return t;
    }

    /// Returns the loss in double from the logits of a run.
    double loss(const Execution& run) const {
        const Tensor logits = read(run, model.logits);
        double sum = 0.0, total = 0.0;
        for (std::int64_t r = 0; r < targets.shape().elements(); ++r) {
            const float* x = logits.data() + r * 23;
            const double top = *std::max_element(x, x + 23);
            double exponentials = 0.0;
            for (int i = 0; i < 23; ++i) exponentials += std::exp(static_cast<double>(x[i]) - top);
            const double weight = weights.data()[r];
            sum +=
                weight * (std::log(exponentials) + top - static_cast<double>(x[static_cast<int>(targets.data()[r])]));
            total += weight;
        }
        return sum / total;
    }

    TransformerGraph model;
    const Graph& graph;
    AlignedFloats parameters;
    Tensor tokens, targets, key_mask, weights;
};

/// Σ row·weights, as a [1, 1].
Node weighted(Graph& g, Node row, const std::string& name) {
    return g.apply(ops::matmul_transposed(), {row, g.input(name, {1, row.shape().back()})});
}

std::vector<float> gradient_of_two_sums(const std::shared_ptr<Graph>& g, Node first, Node second, int parameters) {
    const Node a = weighted(*g, first, "w0"), b = weighted(*g, second, "w1");
    const Node loss = g->apply(ops::add(), {a, b});
    CpuBackend backend(1);
    const auto run = backend.prepare(g, {{}, loss.id});
    run->set_input(g->at("w0"), std::vector<float>{1, 2, 3, 4});
    run->set_input(g->at("w1"), std::vector<float>{10, 20, 30, 40});
    const std::vector<float> values(static_cast<std::size_t>(parameters), 1.0f);
    std::vector<float> gradient(values.size(), NAN);
    run->forward(values);
    run->backward(gradient);
    return gradient;
}

}  // namespace

TEST_CASE("a value that is read both directly and through a view gets both gradients, in either order") {
    for (const bool view_first : {true, false}) {
        const auto g = std::make_shared<Graph>();
        const Node x = g->apply(ops::scale(2.0f), {g->parameter("p", {1, 4}, {})});
        const Node view = g->apply(ops::reshape({1, 4}), {g->apply(ops::reshape({2, 2}), {x})});
        CHECK(gradient_of_two_sums(g, view_first ? view : x, view_first ? x : view, 4) ==
              std::vector<float>{22, 44, 66, 88});
    }
}

TEST_CASE("a parameter can be read through a view") {
    for (const bool view_first : {true, false}) {
        const auto g = std::make_shared<Graph>();
        const Node p = g->parameter("p", {1, 4}, {});
        const Node view = g->apply(ops::reshape({1, 4}), {g->apply(ops::reshape({2, 2}), {p})});
        CHECK(gradient_of_two_sums(g, view_first ? view : p, view_first ? p : view, 4) ==
              std::vector<float>{11, 22, 33, 44});
    }
}

TEST_CASE("encoder: every node is explained, and operands lead back to inputs and parameters") {
    const Encoder e(1);
    CpuBackend backend(1);
    const auto run = e.prepare(backend, {e.all_nodes(), e.model.loss});
    run->forward(e.parameters);
    std::vector<Tensor> values;
    for (const int id : e.all_nodes()) values.push_back(e.read(*run, id));
    const auto explain = [&](int id, std::int64_t offset, std::string& error) {
        std::vector<ConstView> inputs;
        for (const int input : e.graph[id].inputs) {
            const Tensor& t = values[input];
            inputs.push_back({t.data(), t.shape()});
        }
        const Op& op = *e.graph[id].op;
        const ConstView output{values[id].data(), e.graph[id].shape};
        OpExplanation explanation = op.explain({inputs, output.shape, offset, output});
        error = compare_explanation(explanation, inputs, output, offset);
        if (!error.empty()) error = e.graph[id].name + " " + error;
        return explanation;
    };

    Rng rng(11);
    std::string error;
    for (const int id : e.all_nodes())
        for (int i = 0; i < 50 && e.graph[id].kind == NodeInfo::Kind::op; ++i) {
            const auto count = static_cast<std::uint64_t>(e.graph[id].shape.elements());
            explain(id, static_cast<std::int64_t>(rng.below(count)), error);
            CHECK(error == "");
        }

    // From the loss back to the parameters, through every operand of every cell on the way.
    std::set<std::pair<int, std::int64_t>> seen{{e.model.loss, 0}};
    std::vector<std::pair<int, std::int64_t>> open(seen.begin(), seen.end());
    std::set<int> parameters;
    while (!open.empty()) {
        const auto [id, offset] = open.back();
        open.pop_back();
        const NodeInfo& node = e.graph[id];
        if (node.kind == NodeInfo::Kind::parameter) parameters.insert(id);
        if (node.kind != NodeInfo::Kind::op) continue;
        const OpExplanation explanation = explain(id, offset, error);
        REQUIRE(error == "");
        for (const Term& term : explanation.terms)
            for (const OperandCell& operand : term.operands) {
                const std::pair next{node.inputs[operand.input], operand.offset};
                REQUIRE(next.first < id);
                if (seen.insert(next).second) open.push_back(next);
            }
    }
    CHECK(parameters == std::set<int>(e.graph.parameters().begin(), e.graph.parameters().end()));
}

TEST_CASE("encoder: what is kept changes where values are stored, never the values") {
    const Encoder e(3);
    CpuBackend backend(2);
    AlignedFloats all_gradient(e.parameters.size()), lean_gradient(e.parameters.size());
    const auto all = e.prepare(backend, {e.all_nodes(), e.model.loss});
    const auto lean = e.prepare(backend, {{}, e.model.loss});
    for (int repeat = 0; repeat < 2; ++repeat) {
        all->forward(e.parameters);
        all->backward(all_gradient);
        lean->forward(e.parameters);
        lean->backward(lean_gradient);
        CHECK(std::bit_cast<std::uint32_t>(all->loss()) == std::bit_cast<std::uint32_t>(lean->loss()));
        CHECK(same_bytes(all_gradient, lean_gradient));
    }
    CHECK(lean->arena_bytes() < all->arena_bytes());
    // Each node kept alone, with and without a backward pass after it.
    for (const int id : e.all_nodes())
        for (const int loss : {-1, e.model.loss}) {
            const auto one = e.prepare(backend, {{id}, loss});
            one->forward(e.parameters);
            if (loss >= 0) {
                one->backward(lean_gradient);
                CHECK(same_bytes(all_gradient, lean_gradient));
            }
            CHECK(same_bytes(e.read(*one, id).values(), e.read(*all, id).values()));
        }
}

TEST_CASE("encoder: the gradient of every parameter agrees with finite differences") {
    const Encoder e(3);
    CpuBackend backend(1);
    const auto run = e.prepare(backend, {{e.model.logits}, e.model.loss});
    run->forward(e.parameters);
    AlignedFloats gradient(e.parameters.size());
    run->backward(gradient);
    CHECK(static_cast<double>(run->loss()) == doctest::Approx(e.loss(*run)).epsilon(1e-6));
    Rng rng(13);
    for (const int id : e.graph.parameters()) {
        const NodeInfo& info = e.graph[id];
        const auto begin = static_cast<std::size_t>(info.offset),
                   count = static_cast<std::size_t>(info.shape.elements());
        double size = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            size += static_cast<double>(gradient[begin + i]) * static_cast<double>(gradient[begin + i]);
        const double rms = std::sqrt(size / static_cast<double>(count));
        for (int trial = 0; trial < 8; ++trial) {
            // Five single cells, then three directions through the whole tensor.
            const bool cell = trial < 5;
            const double step = cell ? 1e-2 : 1e-2 / std::sqrt(static_cast<double>(count));
            AlignedFloats plus = e.parameters, minus = e.parameters;
            double expected = 0.0;
            const auto move = [&](std::size_t i, double direction) {
                plus[i] = static_cast<float>(static_cast<double>(plus[i]) + step * direction);
                minus[i] = static_cast<float>(static_cast<double>(minus[i]) - step * direction);
                expected +=
                    static_cast<double>(gradient[i]) * (static_cast<double>(plus[i]) - static_cast<double>(minus[i]));
            };
            if (cell)
                move(begin + rng.below(count), 1.0);
            else
                for (std::size_t i = 0; i < count; ++i) move(begin + i, rng.normal());
            run->forward(plus);
            const double high = e.loss(*run);
            run->forward(minus);
            const double difference = high - e.loss(*run);
            INFO(info.name, " trial ", trial, ": ", difference, " expected ", expected);
            CHECK(std::abs(difference - expected) <=
                  5e-3 * 2 * step * std::max(rms * (cell ? 1.0 : std::sqrt(static_cast<double>(count))), 1e-3) + 4e-7);
        }
    }
}

TEST_CASE("encoder: threads do not change a byte, and parameters may be at any address") {
    const Encoder e(3);
    CpuBackend one(1);
    const auto run = e.prepare(one, {{}, e.model.loss});
    AlignedFloats gradient(e.parameters.size());
    run->forward(e.parameters);
    const float loss = run->loss();
    run->backward(gradient);
    for (const int threads : {2, 3}) {
        CpuBackend backend(threads);
        const auto other = e.prepare(backend, {{}, e.model.loss});
        AlignedFloats found(gradient.size());
        other->forward(e.parameters);
        CHECK(other->loss() == loss);
        other->backward(found);
        CHECK(same_bytes(gradient, found));
    }
    for (std::size_t shift = 1; shift < 16; ++shift) {
        AlignedFloats parameters(e.parameters.size() + shift), found(e.parameters.size() + shift);
        std::ranges::copy(e.parameters, parameters.begin() + static_cast<std::ptrdiff_t>(shift));
        run->forward(std::span<const float>(parameters).subspan(shift));
        CHECK(run->loss() == loss);
        run->backward(std::span<float>(found).subspan(shift));
        CHECK(same_bytes(gradient, std::span<const float>(found).subspan(shift)));
    }
}
