#include <array>
#include <cmath>

#include "app/bench/bench.h"
#include "core/nn/feed_forward.h"
#include "core/ops/ops.h"

namespace glassformer::app::bench {

namespace {

constexpr std::array<int, 5> lengths{128, 256, 512, 1024, 2048};
constexpr int n_heads = 4, d_head = 16;

double best_ms(Execution& run, const std::vector<float>& parameters) {
    double best = 1e9;
    for (int i = 0; i < 7; ++i) {
        const Clock::time_point start = Clock::now();
        run.forward(parameters);
        best = std::min(best, elapsed_ms(start));
    }
    return best;
}

/// softmax(q·kᵀ/√d)·v, all heads of one layer: O(T²·d).
double attention_ms(CpuBackend& backend, int positions) {
    const auto graph = std::make_shared<Graph>();
    const Shape shape{1, positions, n_heads, d_head};
    const Node q = graph->input("q", shape), k = graph->input("k", shape), v = graph->input("v", shape);
    const Node scores = graph->apply(ops::scale(0.25f), {graph->apply(ops::attention_scores(), {q, k})});
    const Node z = graph->apply(ops::attention_mix(), {graph->apply(ops::softmax(), {scores}), v});
    const std::unique_ptr<Execution> run = backend.prepare(graph, {{z.id}, -1});
    std::vector<float> values(static_cast<std::size_t>(shape.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    for (const Node node : {q, k, v}) run->set_input(node.id, values);
    return best_ms(*run, {});
}

/// The MLP of the same layer: O(T·d²).
double mlp_ms(CpuBackend& backend, int positions) {
    const auto graph = std::make_shared<Graph>();
    TransformerConfig config;
    config.d_model = n_heads * d_head, config.d_mlp = 4 * config.d_model;
    nn::Assembly assembly{*graph, config};
    const Node x = graph->input("x", {1, positions, config.d_model});
    const Node y = nn::feed_forward(assembly, "mlp", x);
    const std::unique_ptr<Execution> run = backend.prepare(graph, {{y.id}, -1});
    run->set_input(x.id, std::vector<float>(static_cast<std::size_t>(x.shape().elements()), 0.5f));
    return best_ms(*run, initial_parameters(*graph, 1));
}

/// How the time grows over the last fourfold of the length: time ~ length^slope.
double slope(const std::vector<double>& ms) {
    const std::size_t n = ms.size();
    return std::log(ms[n - 1] / ms[n - 3]) / std::log(static_cast<double>(lengths[n - 1]) / lengths[n - 3]);
}

}  // namespace

nlohmann::json scaling(CpuBackend& backend) {
    std::vector<double> attention, mlp;
    for (const int positions : lengths) {
        attention.push_back(attention_ms(backend, positions));
        mlp.push_back(mlp_ms(backend, positions));
    }
    return {{"tokens", lengths},
            {"attention_ms", attention},
            {"mlp_ms", mlp},
            {"attention_slope", slope(attention)},
            {"mlp_slope", slope(mlp)}};
}

}  // namespace glassformer::app::bench
