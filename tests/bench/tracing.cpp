#include "core/trace/tracer.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

nlohmann::json tracing(CpuBackend& backend) {
    TransformerConfig config;
    config.d_vocab = 341;
    config.n_ctx = 13;
    constexpr int positions = 10, repeats = 300;
    const TransformerGraph model = build_transformer(config, {1, positions});
    const Parameters parameters = std::make_shared<ParameterValues>(initial_parameters(*model.graph, 1));
    const std::vector<float> ids(positions, 5.0f), ones(positions, 1.0f);
    const std::unique_ptr<Execution> plain = backend.prepare(model.graph, {{model.probabilities}, -1});
    Tracer tracer(backend, config);
    Times forward, trace;
    for (int i = 0; i < repeats; ++i) {
        Clock::time_point start = Clock::now();
        plain->set_input(model.tokens, ids);
        plain->set_input(model.key_mask, ones);
        plain->forward(*parameters);
        forward.ms.push_back(elapsed_ms(start));
        start = Clock::now();
        const auto kept = tracer.trace(std::vector<int>(positions, 5), parameters);
        trace.ms.push_back(elapsed_ms(start));
    }
    return {{"tokens", positions}, {"forward_ms", forward.median()}, {"forward_and_trace_ms", trace.median()}};
}

}  // namespace glassformer::app::bench
