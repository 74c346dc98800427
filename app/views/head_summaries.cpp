#include "app/views/head_summaries.h"

#include <algorithm>
#include <cmath>

#include "app/views/block_pattern.h"
#include "core/analysis/toeplitz.h"

namespace glassformer::app {

namespace {

constexpr std::int64_t cells_a_frame = 300'000;  // about two milliseconds of work
constexpr int most_picture = 64;                 // rows of a picture that is smaller than its pattern

void summarize(HeadSummary& summary, const BlockPattern& p, int head, const Trace& trace, int picture) {
    const std::span<const float> weights = p.head(head);
    summary.picture = pattern_picture(weights, p.queries, p.keys, picture);
    summary.toeplitz = nearest_toeplitz(weights, p.queries, p.keys, p.causal).explained;
    summary.previous = previous_word_score(weights, p.queries);
    summary.induction = std::nullopt;
    if (p.causal && static_cast<int>(trace.tokens().size()) == p.queries)
        summary.induction = induction_score(weights, trace.tokens());
}

void begin(HeadSummaries& s, const Frame& frame, int slot) {
    const TransformerConfig& config = frame.snapshot.model->config;
    s.trace = frame.sentence(slot).trace;
    s.layers = config.n_layers, s.heads = config.n_heads, s.ready = 0;
    s.all.resize(static_cast<std::size_t>(s.layers) * static_cast<std::size_t>(s.heads));
}

}  // namespace

const HeadSummaries& head_summaries(const Frame& frame, int slot) {
    std::shared_ptr<HeadSummaries>& kept = frame.state.head_summaries[static_cast<std::size_t>(slot)];
    if (!kept) kept = std::make_shared<HeadSummaries>();
    HeadSummaries& s = *kept;
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    if (s.trace.lock() != trace) begin(s, frame, slot);
    for (std::int64_t cells = 0; s.ready < s.all.size() && cells < cells_a_frame; ++s.ready) {
        const int layer = static_cast<int>(s.ready) / s.heads, head = static_cast<int>(s.ready) % s.heads;
        HeadSummary& summary = s.all[s.ready];
        const std::optional<BlockPattern> p = block_pattern(*trace, slot, layer);
        if (p)
            summarize(summary, *p, head, *trace, most_picture);
        else
            summary = {};
        cells += p ? std::int64_t{p->queries} * p->keys : 0;
    }
    if (s.ready < s.all.size()) frame.state.more_to_compute = true;
    return s;
}

}  // namespace glassformer::app
