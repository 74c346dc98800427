#include <algorithm>

#include "app/bench/bench.h"
#include "core/backend/gl/gl_training.h"
#include "core/backend/gl/timing.h"
#include "core/nn/transformer.h"

namespace glassformer::app::bench {

namespace {

constexpr int largest_in_software = 256;  // d_model of a training step: one of the next takes minutes there

/// GFLOP/s by the side of the matrices. A software renderer gets the smaller ones alone.
nlohmann::json products(GlBackend& gl) {
    nlohmann::json list = nlohmann::json::array();
    const std::int64_t largest = gl.software() ? 512 : 4096;
    for (std::int64_t side = 256; side <= largest; side *= 2) {
        const double n = static_cast<double>(side), seconds = gl_seconds_of_product(gl, side);
        list.push_back({{"side", side}, {"ms", 1e3 * seconds}, {"gflops", 2.0 * n * n * n / seconds / 1e9}});
    }
    return list;
}

struct StepCost {
    double ms = 0.0;
    std::int64_t bytes = 0;  // of values and gradients
};

/// A step without waiting between steps, with these nodes kept.
StepCost step_cost(GlBackend& gl, const Size& s, const TransformerGraph& model, const std::vector<int>& keep = {}) {
    GlTraining training(gl, model.graph, {keep, model.loss, true}, {});
    training.set_parameters(initial_parameters(*model.graph, 1));
    const std::vector<float> tokens = random_tokens(s), ones(tokens.size(), 1.0f);
    int pending = 0;
    const auto step = [&] {
        Execution& run = training.execution();
        run.set_input(model.tokens, tokens);
        run.set_input(model.key_mask, ones);
        run.set_input(model.targets, tokens);
        run.set_input(model.loss_weights, ones);
        if (pending == GlTraining::most_pending && training.wait()) --pending;
        training.step(1e-3f);
        ++pending;
    };
    const auto settle = [&] {
        while (training.wait()) --pending;
    };
    const int repeats = gl.software() ? std::max(3, s.repeats / 10) : s.repeats;
    for (int i = 0; i < 3; ++i) step();
    settle();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < repeats; ++i) step();
    settle();
    return {elapsed_ms(start) / repeats, training.execution().arena_bytes()};
}

/// A step over long sentences: with attention in one op, and with every pattern kept, which takes it in single steps.
nlohmann::json long_attention(GlBackend& gl) {
    nlohmann::json list = nlohmann::json::array();
    for (const int positions : {256, 512, 1024}) {
        const Size s{"long", 1, positions, 128, 2, 4, 160, 10};
        const TransformerGraph model = build_transformer(s.config(), {s.batch, s.positions});
        std::vector<int> patterns;
        for (int layer = 0; layer < s.n_layers; ++layer)
            patterns.push_back(model.graph->at("blocks." + std::to_string(layer) + ".attn.hook_pattern"));
        const StepCost one = step_cost(gl, s, model), single = step_cost(gl, s, model, patterns);
        list.push_back({{"positions", positions},
                        {"step_ms", one.ms},
                        {"bytes", one.bytes},
                        {"step_ms_in_single_steps", single.ms},
                        {"bytes_in_single_steps", single.bytes}});
    }
    return list;
}

}  // namespace

nlohmann::json open_gl(GlBackend& gl) {
    nlohmann::json result{{"dispatch_us", 1e6 * gl_seconds_of_dispatch(gl)}, {"products", products(gl)}};
    for (const Size& s : training_sizes()) {
        if (gl.software() && s.d_model > largest_in_software) continue;
        const TransformerGraph model = build_transformer(s.config(), {s.batch, s.positions});
        const double ms = step_cost(gl, s, model).ms;
        result["training_steps"].push_back({{"size", s.name},
                                            {"parameters", model.graph->parameter_count()},
                                            {"step_ms", ms},
                                            {"gflops", s.gflop(model.graph->parameter_count()) / (ms / 1e3)}});
    }
    result["long_attention"] = long_attention(gl);
    return result;
}

}  // namespace glassformer::app::bench
