#include "tests/gl/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/execution.h"
#include "core/base/aligned.h"

namespace glassformer::testing {

namespace {

Node apply(Graph& g, const OpPtr& op, const std::vector<Node>& n) {
    switch (n.size()) {
        case 1:
            return g.apply(op, {n[0]});
        case 2:
            return g.apply(op, {n[0], n[1]});
        case 3:
            return g.apply(op, {n[0], n[1], n[2]});
        case 4:
            return g.apply(op, {n[0], n[1], n[2], n[3]});
        default:
            return g.apply(op, {n[0], n[1], n[2], n[3], n[4]});
    }
}

/// The op once or twice, and the sum of what comes out times random weights, which are the upstream gradient.
struct Bench {
    Bench(const OpCase& c, int uses) {
        std::vector<int> reads = c.reads;
        if (reads.empty()) {
            reads.resize(c.tensors.size());
            std::iota(reads.begin(), reads.end(), 0);
        }
        std::vector<Node> nodes;
        for (std::size_t t = 0; t < c.tensors.size(); ++t) {
            const auto input = std::ranges::find(reads, static_cast<int>(t)) - reads.begin();
            const Tensor& tensor = c.tensors[t];
            const std::string name = "t" + std::to_string(t);
            if (c.op->has_gradient(static_cast<int>(input))) {
                nodes.push_back(graph->parameter(name, tensor.shape(), {}));
                parameters.insert(parameters.end(), tensor.values().begin(), tensor.values().end());
            } else {
                nodes.push_back(graph->input(name, tensor.shape()));
                inputs.push_back({nodes.back().id, tensor});
            }
        }
        std::vector<Node> used;
        for (const int t : reads) used.push_back(nodes[static_cast<std::size_t>(t)]);
        for (int use = 0; use < uses; ++use) add_use(c.op, used, use);
    }

    void add_use(const OpPtr& op, const std::vector<Node>& used, int use) {
        const Node y = apply(*graph, op, used);
        const std::int64_t n = y.shape().elements();
        const Node weights = graph->input("w" + std::to_string(use), {n, 1});
        inputs.push_back({weights.id, normal({n, 1}, 77 + static_cast<std::uint64_t>(use))});
        const Node sum = graph->apply(ops::linear(), {graph->apply(ops::reshape({1, n}), {y}), weights});
        loss = use == 0 ? sum.id : graph->apply(ops::add(), {Node{graph.get(), loss}, sum}).id;
        if (use == 0) output = y.id;
    }

    std::unique_ptr<Execution> prepare(Backend& backend) const {
        std::unique_ptr<Execution> run = backend.prepare(graph, {{output}, loss});
        for (const auto& [id, values] : inputs) run->set_input(id, values.values());
        return run;
    }

    std::vector<float> forward(Execution& run) const {
        run.forward(parameters);
        std::vector<float> values(static_cast<std::size_t>((*graph)[output].shape.elements()));
        run.read(output, values);
        return values;
    }

    AlignedFloats backward(Execution& run) const {
        AlignedFloats gradients(parameters.size(), std::numeric_limits<float>::quiet_NaN());
        run.backward(gradients);
        return gradients;
    }

    struct Input {
        int id;
        Tensor values;
    };
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    AlignedFloats parameters;
    std::vector<Input> inputs;
    int output = -1, loss = -1;
};

std::string error_of_uses(const OpCase& c, GlBackend& backend, int uses) {
    const Bench bench(c, uses);
    CpuBackend cpu(1);
    const std::unique_ptr<Execution> expected = bench.prepare(cpu), given = bench.prepare(backend);
    const std::string times = uses == 1 ? "" : " (used twice)";
    for (int run = 0; run < 2; ++run) {  // the second run finds what the first has left
        const std::string forward = difference(bench.forward(*expected), bench.forward(*given));
        if (!forward.empty()) return "forward" + times + ": " + forward;
        if (bench.parameters.empty()) continue;
        const std::string backward = difference(bench.backward(*expected), bench.backward(*given));
        if (!backward.empty()) return "backward" + times + ": " + backward;
    }
    return dynamic_cast<const gl::GlExecution&>(*given).guard_error();
}

}  // namespace

double root_mean_square(std::span<const float> values) {
    double squares = 0.0, finite = 0.0;
    for (const float x : values)
        if (std::isfinite(x)) squares += static_cast<double>(x) * static_cast<double>(x), finite += 1.0;
    return finite > 0.0 ? std::sqrt(squares / finite) : 0.0;
}

std::string difference(std::span<const float> expected, std::span<const float> given, double size) {
    size = std::max(size, root_mean_square(expected));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] == given[i]) continue;
        const double x = expected[i], y = given[i], allowed = gl_tolerance * (std::abs(x) + size) + 1e-30;
        if (!(std::abs(x - y) <= allowed) || std::isinf(x))
            return "cell " + std::to_string(i) + " of " + std::to_string(expected.size()) + " is " + std::to_string(y) +
                   ", not " + std::to_string(x);
    }
    return "";
}

std::string backend_error(const OpCase& c, GlBackend& backend) {
    std::string error = error_of_uses(c, backend, 1);
    if (error.empty()) error = error_of_uses(c, backend, 2);
    if (error.empty()) return "";
    std::string shapes;
    for (const Tensor& t : c.tensors) shapes += " " + t.shape().to_string();
    return std::string(c.op->name()) + " of" + shapes + ": " + error;
}

}  // namespace glassformer::testing
