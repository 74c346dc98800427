#include "tests/gl/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/execution.h"
#include "core/base/aligned.h"

namespace glassformer::testing {

namespace {

/// Applies the op once or twice; the loss is the sum of its outputs times random weights, the upstream gradient.
struct Bench {
    Bench(const OpCase& op_case, int uses) : c(op_case), nodes(declare(*graph, c)) {
        parameters.assign(nodes.parameters.begin(), nodes.parameters.end());
        for (int use = 0; use < uses; ++use) add_use(use);
    }

    void add_use(int use) {
        const Node y = graph->apply(c.op, nodes.reads);
        const std::int64_t n = y.shape().elements();
        weights.push_back(graph->input("w" + std::to_string(use), {n, 1}));
        const Node sum = graph->apply(ops::linear(), {graph->apply(ops::reshape({1, n}), {y}), weights.back()});
        loss = use == 0 ? sum.id : graph->apply(ops::add(), {Node{graph.get(), loss}, sum}).id;
        if (use == 0) output = y.id;
    }

    std::unique_ptr<Execution> prepare(Backend& backend) const {
        std::unique_ptr<Execution> run = backend.prepare(graph, {{output}, loss});
        set_inputs(*run, c, nodes);
        for (std::size_t use = 0; use < weights.size(); ++use)
            run->set_input(weights[use].id, normal(weights[use].shape(), 77 + use).values());
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

    const OpCase& c;
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    CaseNodes nodes;
    std::vector<Node> weights;
    AlignedFloats parameters;
    int output = -1, loss = -1;
};

std::string error_of_uses(const OpCase& c, GlBackend& backend, int uses) {
    const Bench bench(c, uses);
    CpuBackend cpu(1);
    const std::unique_ptr<Execution> expected = bench.prepare(cpu), given = bench.prepare(backend);
    const std::string times = uses == 1 ? "" : " (used twice)";
    for (int run = 0; run < 2; ++run) {  // the second run starts from what the first left
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
