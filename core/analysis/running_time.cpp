#include "core/analysis/running_time.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "core/nn/layers.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

/// A part as a separate graph, with its inputs.
struct Prepared {
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    std::vector<Node> inputs;
    Node result;
};

Prepared attention_of(const LayerSizes& sizes, int queries, int keys) {
    Prepared p;
    Graph& g = *p.graph;
    const Node q = g.input("q", {1, queries, sizes.n_heads, sizes.d_head}),
               k = g.input("k", {1, keys, sizes.n_heads, sizes.d_head}),
               v = g.input("v", {1, keys, sizes.n_heads, sizes.d_head});
    const float factor = 1.0f / std::sqrt(static_cast<float>(sizes.d_head));
    const Node scores = g.apply(ops::scale(factor), {g.apply(ops::attention_scores(), {q, k})});
    p.inputs = {q, k, v};
    p.result = g.apply(ops::attention_values(), {g.apply(ops::softmax(), {scores}), v});
    return p;
}

Prepared per_word(const LayerSizes& sizes, int words, bool is_recurrent) {
    Prepared p;
    TransformerConfig config;
    config.d_model = sizes.d_model, config.n_heads = sizes.n_heads, config.d_mlp = sizes.d_mlp();
    if (is_recurrent) config.family = Family::rnn;
    nn::BuildContext assembly{*p.graph, config};
    const Node x = p.graph->input("x", {1, words, sizes.d_model});
    p.inputs = {x};
    p.result = is_recurrent ? nn::recurrent(assembly, "rnn", x) : nn::feed_forward(assembly, "mlp", x);
    return p;
}

Prepared prepared(LayerPart part, const LayerSizes& sizes, int words, bool written) {
    if (part == LayerPart::attention) return attention_of(sizes, written ? 1 : words, words);
    return per_word(sizes, written ? 1 : words, part == LayerPart::recurrent);
}

}  // namespace

double best_milliseconds(Backend& backend, LayerPart part, const LayerSizes& sizes, int words, int runs, bool written) {
    const Prepared p = prepared(part, sizes, words, written);
    const std::unique_ptr<Execution> run = backend.prepare(p.graph, {{p.result.id}, -1});
    for (const Node& input : p.inputs) {
        std::vector<float> values(static_cast<std::size_t>(input.shape().elements()));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
        run->set_input(input.id, values);
    }
    const std::vector<float> parameters = initial_parameters(*p.graph, 1);
    run->forward(parameters);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const Clock::time_point start = Clock::now();
        run->forward(parameters);
        best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return best;
}

}  // namespace glassformer
