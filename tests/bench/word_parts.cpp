#include "core/analysis/word_parts.h"

#include <cmath>

#include "core/nn/transformer.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr int words = 20;

bool all_there(const std::vector<double>& parts, int but) {
    for (int i = 0; i < words; ++i)
        if (i != but && std::isnan(parts[static_cast<std::size_t>(i)])) return false;
    return true;
}

/// Times from scratch (planning included): until every word has been left out once, and until all methods are done.
nlohmann::json of_model(CpuBackend& backend, const TransformerConfig& config, int repeats) {
    const TransformerGraph one = build_transformer(config, {1, 1});
    const Parameters parameters = std::make_shared<ParameterValues>(initial_parameters(*one.graph, 1));
    std::vector<int> tokens;
    for (int p = 0; p < words; ++p) tokens.push_back((p * 7919 + 11) % config.d_vocab);
    Times left_out, all;
    int gradients = 0;
    for (int i = 0; i < repeats; ++i) {
        const Clock::time_point start = Clock::now();
        WordPartsRun run(backend, config, parameters, {tokens}, {.position = words - 1, .word = 7}, {});
        while (!all_there(run.found().removed, words - 1)) run.step();
        left_out.ms.push_back(elapsed_ms(start));
        while (!run.complete()) run.step();
        all.ms.push_back(elapsed_ms(start));
        gradients = run.found().steps;
    }
    return {{"parameters", parameters->size()},
            {"words", words},
            {"leave_one_out_ms", left_out.median()},
            {"with_integrated_gradients_ms", all.median()},
            {"gradients", gradients}};
}

}  // namespace

nlohmann::json word_parts(CpuBackend& backend) {
    TransformerConfig homonyms;
    homonyms.d_vocab = 342, homonyms.n_ctx = words;
    return {{"homonyms_shaped", of_model(backend, homonyms, 60)}, {"gpt2_shaped", of_model(backend, gpt2_small(), 3)}};
}

}  // namespace glassformer::app::bench
