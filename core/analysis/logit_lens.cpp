#include "core/analysis/logit_lens.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "core/analysis/tuned_lens.h"
#include "core/base/error.h"

namespace glassformer {

LogitLens::LogitLens(std::shared_ptr<const Trace> trace, ThreadPool& pool, std::shared_ptr<const TunedLens> tuned)
    : trace_(std::move(trace)), head_(trace_->model()), pool_(pool), tuned_(std::move(tuned)) {}

LensLayer LogitLens::rows(int layer, Slices positions) const {
    if (layer < 0 || layer >= layers())
        throw Error("there is no layer {1} in the logit lens; they go from 0 to {2}", layer, layers() - 1);
    if (positions.first < 0 || positions.count < 1 || positions.first + positions.count > trace_->positions())
        throw Error("the logit lens has positions 0 to {1} here", trace_->positions() - 1);
    const Slices read = head_.row_by_row() ? positions : Slices{0, trace_->positions()};
    const SliceView stream = trace_->part(head_.streams[layer], read);
    AlignedFloats mapped(tuned_ ? stream.values().size() : 0);
    if (tuned_) tuned_->apply(layer, stream.values(), mapped, pool_);
    std::deque<SliceView> held;
    const auto outside = [&](int node) {
        held.push_back(trace_->part(node, trace_->slices(node).all()));
        return held.back().values().data();
    };
    HeadRun run(head_, read, outside, pool_);
    run.forward(tuned_ && layer + 1 < layers() ? mapped.data() : stream.values().data());
    const std::int64_t words = trace_->shape(trace_->model().logits).back();
    const auto copy = [&](std::span<const float> all) {
        const auto first = all.begin() + (positions.first - read.first) * words;
        return std::vector<float>(first, first + positions.count * words);
    };
    return {static_cast<int>(positions.count), static_cast<int>(words), copy(run.logits()), copy(run.probabilities())};
}

std::vector<LensWord> top_words(const LensLayer& layer, int position, std::size_t count) {
    if (position < 0 || position >= layer.positions)
        throw Error("there is no position {1} in the logit lens", position);
    const std::size_t words = static_cast<std::size_t>(layer.d_vocab), row = static_cast<std::size_t>(position) * words;
    const std::span<const float> logits = std::span(layer.logits).subspan(row, words);
    std::vector<int> ids(words);
    std::iota(ids.begin(), ids.end(), 0);
    const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, words));
    std::ranges::partial_sort(ids, kept, [&](int a, int b) {
        const float x = logits[a], y = logits[b];
        return x != y ? x > y : a < b;
    });
    std::vector<LensWord> top;
    for (auto id = ids.begin(); id != kept; ++id)
        top.push_back({*id, logits[*id], layer.probabilities[row + static_cast<std::size_t>(*id)]});
    return top;
}

}  // namespace glassformer
