#include "app/common/head_summaries.h"

#include <algorithm>

#include "app/common/block_pattern.h"
#include "core/analysis/head_scores.h"

namespace glassformer::app {

namespace {

constexpr std::int64_t cells_a_frame = 300'000;  // about two milliseconds of work
constexpr int most_picture = 64;                 // most rows of a picture; larger patterns are scaled down

}  // namespace

HeadSummary summarize_head(const Trace& trace, int layer, int head, bool cross) {
    const std::optional<BlockPattern> p = block_pattern(trace, 0, layer, cross, Slices{head, 0});
    if (!p) return {};
    const SliceView part = trace.part_uncached(p->node, {head, 1});
    const std::span<const float> weights = part.values();
    HeadSummary summary;
    summary.picture = pattern_picture(weights, p->queries, p->keys, most_picture);
    summary.toeplitz = nearest_toeplitz(weights, p->queries, p->keys, p->causal).explained;
    if (cross) return summary;
    summary.previous = previous_word_score(weights, p->queries);
    if (p->causal && static_cast<int>(trace.tokens().size()) == p->queries)
        summary.induction = induction_score(weights, trace.tokens());
    return summary;
}

HeadSummaries::HeadSummaries(std::shared_ptr<const Trace> trace, int layers, int heads, bool cross)
    : trace_(trace), layers_(layers), heads_(heads), kinds_(cross ? 2 : 1), all_(index(layers, 0, false)) {
    const std::optional<BlockPattern> first = block_pattern(*trace, 0, 0, false, Slices{0, 0});
    if (!first || trace->kept(first->node)) return;
    // A failure there (a changed weights file, too little memory) leaves empty pictures; the window says why.
    thread_ = Background(
        "heads",
        [this, held = std::move(trace)](const std::stop_token& stop) {
            if (ready_ == all_.size() || stop.stop_requested()) return Turn::done;
            make_next(*held);
            return Turn::more;
        },
        [this](const std::string&) { failed_ = true; });
}

void HeadSummaries::make_next(const Trace& trace) {
    const std::size_t next = ready_;
    const int row = static_cast<int>(next) / heads_, head = static_cast<int>(next) % heads_;
    all_[next] = summarize_head(trace, row / kinds_, head, row % kinds_ > 0);
    ready_.store(next + 1, std::memory_order_release);
}

bool HeadSummaries::has_induction() const {
    const auto end = all_.begin() + static_cast<std::ptrdiff_t>(ready_.load(std::memory_order_acquire));
    return std::any_of(all_.begin(), end, [](const HeadSummary& h) { return h.induction.has_value(); });
}

bool HeadSummaries::go_on(const Trace& trace) {
    const std::int64_t cells = std::int64_t{trace.positions()} * trace.positions();
    if (thread_.joinable()) return ready_ < all_.size() && !failed_;
    for (std::int64_t done = 0; ready_ < all_.size() && done < cells_a_frame; done += cells) make_next(trace);
    return ready_ < all_.size();
}

const HeadSummaries& head_summaries(const Frame& frame, int slot) {
    std::shared_ptr<HeadSummaries>& kept = frame.state.own<HeadSummariesState>().of_cards[slot];
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    const TransformerConfig& config = frame.model().config;
    if (!kept || !kept->of(trace))
        kept = std::make_shared<HeadSummaries>(trace, config.n_layers, config.n_heads, frame.model().translates());
    if (kept->go_on(*trace)) frame.state.more_to_compute = true;
    return *kept;
}

}  // namespace glassformer::app
