#include <algorithm>
#include <array>

#include "core/base/aligned.h"
#include "core/base/rng.h"
#include "core/nn/transformer.h"
#include "core/ops/ops.h"
#include "core/train/optimizer.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr std::array<Size, 4> sizes{{{"B 64, T 13, d 64", 64, 13, 64, 2, 4, 160, 200},
                                     {"B 16, T 64, d 128", 16, 64, 128, 4, 4, 512, 60},
                                     {"B 4, T 128, d 256", 4, 128, 256, 6, 8, 2048, 30},
                                     {"B 2, T 256, d 768", 2, 256, 768, 6, 12, 8192, 6}}};

constexpr Size gpt2_size{"GPT-2's size, B 4, T 64", 4, 64, 768, 12, 12, 50257, 8};

/// Every position is scored, as in the PyTorch twin.
Times time_steps(CpuBackend& backend, const TransformerConfig& config, const Size& s, std::int64_t& parameter_count) {
    const TransformerGraph model = build_transformer(config, {s.batch, s.positions});
    const std::unique_ptr<Execution> run = backend.prepare(model.graph, {{}, model.loss, true});
    const std::vector<float> tokens = random_tokens(s), ones(tokens.size(), 1.0f),
                             fresh = initial_parameters(*model.graph, 1);
    AlignedFloats parameters(fresh.begin(), fresh.end()), gradients(fresh.size());
    const auto optimizer = make_optimizer(*model.graph, {});
    parameter_count = model.graph->parameter_count();
    Times times;
    const int warm_up = std::min(5, s.repeats / 3);
    for (int i = 0; i < s.repeats + warm_up; ++i) {
        const Clock::time_point start = Clock::now();
        run->set_input(model.tokens, tokens);
        run->set_input(model.key_mask, ones);
        run->set_input(model.targets, tokens);
        run->set_input(model.loss_weights, ones);
        run->forward(parameters);
        run->backward(gradients);
        const double norm = gradient_norm(gradients, backend.pool());
        optimizer->step(parameters, gradients, norm > 1.0 ? static_cast<float>(1.0 / norm) : 1.0f, 1e-3f,
                        backend.pool());
        if (i >= warm_up) times.ms.push_back(elapsed_ms(start));
    }
    return times;
}

nlohmann::json measured_step(CpuBackend& backend, const TransformerConfig& config, const Size& s, double peak_gflops) {
    std::int64_t parameters = 0;
    const Times times = time_steps(backend, config, s, parameters);
    const double rate = s.gflop(parameters) / (times.median() / 1e3);
    return {{"size", s.name},
            {"parameters", parameters},
            {"step_ms", times.median()},
            {"step_ms_p10", times.quantile(0.1)},
            {"gflops", rate},
            {"of_peak", rate / peak_gflops}};
}

}  // namespace

std::span<const Size> training_sizes() { return sizes; }

TransformerConfig Size::config() const {
    TransformerConfig c;
    c.d_vocab = d_vocab;
    c.n_ctx = positions;
    c.d_model = d_model;
    c.n_heads = n_heads;
    c.n_layers = n_layers;
    c.d_mlp = 4 * d_model;
    return c;
}

double Size::gflop(std::int64_t parameters) const {
    const double tokens = batch * positions, attention = 12.0 * n_layers * tokens * positions * d_model;
    return (6.0 * static_cast<double>(parameters) * tokens + attention) / 1e9;
}

std::vector<float> random_tokens(const Size& s) {
    Rng rng(1);
    std::vector<float> tokens(static_cast<std::size_t>(s.batch * s.positions));
    for (float& t : tokens) t = static_cast<float>(rng.below(static_cast<std::uint64_t>(s.d_vocab)));
    return tokens;
}

double measured_peak(CpuBackend& backend) {
    // One linear layer with many rows, so that every thread multiplies large matrices.
    Graph graph;
    constexpr std::int64_t rows = 4096, width = 512;
    const Node x = graph.input("x", {rows, width}), w = graph.parameter("w", {width, width}, {0.0f, 0.1f}),
               b = graph.parameter("b", {width}, {});
    const Node y = graph.apply(ops::linear(), {x, w, b});
    const std::shared_ptr<const Graph> shared(&graph, [](const Graph*) {});
    const std::unique_ptr<Execution> run = backend.prepare(shared, {{y.id}, -1});
    const std::vector<float> parameters = initial_parameters(graph, 1),
                             values(static_cast<std::size_t>(rows * width), 0.5f);
    run->set_input(x.id, values);
    double best = 1e9;
    for (int i = 0; i < 30; ++i) {
        const Clock::time_point start = Clock::now();
        run->forward(parameters);
        best = std::min(best, elapsed_ms(start));
    }
    return 2.0 * static_cast<double>(rows * width * width) / best / 1e6;
}

nlohmann::json training_steps(CpuBackend& backend, double peak_gflops) {
    nlohmann::json list = nlohmann::json::array();
    for (const Size& s : sizes) list.push_back(measured_step(backend, s.config(), s, peak_gflops));
    return list;
}

nlohmann::json gpt2_step(CpuBackend& backend) {
    return measured_step(backend, gpt2_small(), gpt2_size, measured_peak(backend));
}

}  // namespace glassformer::app::bench
