#include "core/generate/generator.h"
#include "core/trace/tracer.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr int prompt_length = 128, repeats = 9, new_words = 24;

std::vector<int> some_tokens() {
    std::vector<int> tokens;
    for (int p = 0; p < prompt_length; ++p) tokens.push_back((p * 7919 + 11) % 50257);
    return tokens;
}

/// The plain pass and the pass that keeps every value take turns, so that drifting machine speed affects both alike.
void time_passes(CpuBackend& backend, const TransformerConfig& config, const Parameters& parameters, Times& forward,
                 Times& trace) {
    const TransformerGraph model = build_transformer(config, {1, prompt_length});
    const std::unique_ptr<Execution> plain = backend.prepare(model.graph, {{model.probabilities}, -1});
    const std::vector<int> tokens = some_tokens();
    const std::vector<float> ids(tokens.begin(), tokens.end()), ones(tokens.size(), 1.0f);
    Tracer tracer(backend, config);
    for (int i = 0; i < repeats + 2; ++i) {
        Clock::time_point start = Clock::now();
        plain->set_input(model.tokens, ids);
        plain->set_input(model.key_mask, ones);
        plain->forward(*parameters);
        if (i >= 2) forward.ms.push_back(elapsed_ms(start));
        start = Clock::now();
        const auto kept = tracer.trace(tokens, parameters);
        if (i >= 2) trace.ms.push_back(elapsed_ms(start));
    }
}

Times time_next_words(CpuBackend& backend, const TransformerConfig& config, const Parameters& parameters) {
    Generator generator(backend, config, parameters);
    Rng rng(1);
    int next = sample(generator.read(some_tokens()), 0.0f, 0, rng);
    Times times;
    for (int i = 0; i < new_words + 2; ++i) {
        const Clock::time_point start = Clock::now();
        next = sample(generator.read(std::vector<int>{next}), 0.0f, 0, rng);
        if (i >= 2) times.ms.push_back(elapsed_ms(start));
    }
    return times;
}

}  // namespace

TransformerConfig gpt2_small() {
    TransformerConfig c;
    c.family = Family::decoder;
    c.activation = Activation::gelu_tanh;
    c.d_vocab = 50257, c.n_ctx = 1024, c.d_model = 768, c.n_heads = 12, c.n_layers = 12, c.d_mlp = 3072;
    c.init_std = 0.02f;
    return c;
}

nlohmann::json gpt2_shaped(CpuBackend& backend) {
    const TransformerConfig config = gpt2_small();
    const TransformerGraph one = build_transformer(config, {1, 1});
    const Parameters parameters = std::make_shared<ParameterValues>(initial_parameters(*one.graph, 1));
    Times forward, trace;
    time_passes(backend, config, parameters, forward, trace);
    const Times next = time_next_words(backend, config, parameters);
    return {{"parameters", parameters->size()},
            {"tokens", prompt_length},
            {"forward_ms", forward.median()},
            {"forward_and_trace_ms", trace.median()},
            {"trace_share", trace.median() / forward.median() - 1.0},
            {"next_word_ms", next.median()}};
}

}  // namespace glassformer::app::bench
