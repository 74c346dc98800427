#include <array>

#include "app/common/head_summaries.h"
#include "core/analysis/contributions.h"
#include "core/platform/process.h"
#include "core/trace/tracer.h"
#include "tests/bench/window_parts.h"

namespace glassformer::app::bench {

namespace {

constexpr std::array traced_lengths{512, 1024};
constexpr int heads_looked_at = 24, word_changes = 6, pictures = 144;

std::vector<int> some_tokens(int count) {
    std::vector<int> tokens;
    for (int p = 0; p < count; ++p) tokens.push_back((p * 7919 + 11) % 50257);
    return tokens;
}

template <class Body>
void timed(Times& times, const Body& body) {
    const Clock::time_point start = Clock::now();
    body();
    times.ms.push_back(elapsed_ms(start));
}

/// Reads what choosing another head needs: its scores, its pattern, and the value vectors of all positions. Each time
/// another head, so that none is cached.
Times time_head_changes(const Trace& trace) {
    Times times;
    for (int i = 0; i < heads_looked_at; ++i)
        timed(times, [&] {
            const std::string attention = "blocks." + std::to_string(i % 12) + ".attn.";
            const Slices head{(i * 7 + i / 12) % 12, 1};
            for (const char* name : {"hook_attn_scores", "hook_pattern"})
                trace.part(trace.graph().at(attention + name), head);
            trace.part(trace.graph().at(attention + "hook_v"), {0, trace.positions()});
        });
    return times;
}

/// Reads what choosing another word needs in addition: the next-token probabilities, and each part's contribution to
/// one token's logit.
Times time_word_changes(const Trace& trace) {
    Times times;
    for (int i = 0; i < word_changes; ++i)
        timed(times, [&] {
            const int position = trace.positions() - 1 - 31 * i;
            trace.part(trace.model().probabilities, {position, 1});
            logit_contributions(trace, position, 5);
        });
    return times;
}

nlohmann::json one_length(CpuBackend& backend, const TransformerConfig& config, const Parameters& parameters,
                          int positions) {
    Tracer tracer(backend, config);
    Times tracing, summaries;
    std::shared_ptr<const Trace> trace;
    for (int i = 0; i < 2; ++i) timed(tracing, [&] { trace = tracer.trace(some_tokens(positions), parameters); });
    const Times heads = time_head_changes(*trace), words = time_word_changes(*trace);
    timed(summaries, [&] {
        for (int head = 0; head < pictures; ++head) summarize_head(*trace, head / 12, head % 12);
    });
    return {{"tokens", positions},
            {"trace_ms", tracing.ms.back()},
            {"head_change_ms", heads.median()},
            {"head_change_slowest_ms", heads.quantile(1.0)},
            {"word_change_ms", words.median()},
            {"summaries_ms", summaries.ms.back()},
            {"parts_mb", static_cast<double>(trace->part_bytes()) / 1e6},
            {"peak_memory_mb", platform::peak_memory_mb()}};
}

}  // namespace

nlohmann::json large(CpuBackend& backend) {
    const TransformerConfig config = gpt2_small();
    const TransformerGraph one = build_transformer(config, {1, 1});
    const Parameters parameters = std::make_shared<ParameterValues>(initial_parameters(*one.graph, 1));
    nlohmann::json result = nlohmann::json::array();
    for (const int positions : traced_lengths) result.push_back(one_length(backend, config, parameters, positions));
    return result;
}

}  // namespace glassformer::app::bench
