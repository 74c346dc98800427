#include "app/common/lens_reading.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glassformer::app {

namespace {

constexpr int block_size = 16;  // positions read together: the unembedding is read once for all of them
constexpr int none = -1;        // no block is wanted

/// Σ exp((logit − largest) / temperature), which softmax divides by.
double normalizer(std::span<const float> logits, double largest, double temperature) {
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp((static_cast<double>(logit) - largest) / temperature);
    return sum;
}

}  // namespace

std::vector<LensWord> likeliest_words(const Trace& trace, int position, std::size_t count, float temperature) {
    const int node = trace.model().logits;
    const std::size_t words = trace.graph()[node].shape.back();
    const Slices row{position, 1};
    const SliceView said = trace.part(node, row), shares = trace.part(trace.model().probabilities, row);
    const std::span<const float> logits = said.values(), probabilities = shares.values();
    std::vector<int> ids(words);
    std::iota(ids.begin(), ids.end(), 0);
    const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, words));
    // NaN cannot be ordered: it comes last.
    const auto logit = [&](int id) {
        const float x = logits[id];
        return std::isnan(x) ? -INFINITY : x;
    };
    std::ranges::partial_sort(ids, kept, [&](int a, int b) {
        const float x = logit(a), y = logit(b);
        return x != y ? x > y : a < b;
    });
    const double t = temperature;
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    const double sum = temperature == 1.0f ? 1.0 : normalizer(logits, largest, t);
    std::vector<LensWord> top;
    for (auto id = ids.begin(); id != kept; ++id) {
        const std::size_t at = *id;
        const double rescaled = std::exp((static_cast<double>(logits[at]) - largest) / t) / sum;
        top.push_back({*id, logits[at], temperature == 1.0f ? probabilities[at] : static_cast<float>(rescaled)});
    }
    return top;
}

LensReading::LensReading(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const TunedLens> tuned,
                         LensReading* before)
    : trace_(trace), tuned_(std::move(tuned)), parameters_(trace->parameters()), positions_(trace->positions()) {
    try {
        ThreadPool pool(1);
        const LogitLens lens(trace, pool, tuned_);
        layers_ = lens.layers();
        const auto cells = static_cast<std::size_t>(layers_) * static_cast<std::size_t>(positions_);
        best_.resize(cells);
        ready_.resize(cells);
        const TransformerConfig& config = trace->model().config;
        if ((config.causal() || config.recurrent()) && !trace->intervened()) grows_from_ = trace->tokens();
        if (!trace->kept(trace->model().logits)) {
            if (before) take_over(*before, *trace);
            thread_ = Background(
                "lens", [this](const std::stop_token& stop) { return read_wanted(stop); },
                [this](const std::string& why) {
                    failure_ = why;
                    failed_.store(true, std::memory_order_release);
                });
            return;
        }
        for (int layer = 0; layer < layers_; ++layer)
            for (int first = 0; first < positions_; first += block_size) read(lens, layer, first / block_size);
    } catch (const std::exception& error) {
        why_not_ = error.what();
    }
}

void LensReading::take_over(LensReading& before, const Trace& trace) {
    const std::vector<int>&old = before.grows_from_, &now = grows_from_;
    if (old.empty() || old.size() > now.size() || !std::equal(old.begin(), old.end(), now.begin()) ||
        before.parameters_.lock() != trace.parameters() || before.tuned_ != tuned_ || before.layers_ != layers_)
        return;
    for (int layer = 0; layer < layers_; ++layer)
        for (int position = 0; position < before.positions_; ++position) {
            if (!before.ready(layer, position)) continue;
            best_[layer * positions_ + position] = before.best_[layer * before.positions_ + position];
            ready(layer, position) = true;
        }
}

void LensReading::read(const LogitLens& lens, int layer, int block) {
    const int end = std::min((block + 1) * block_size, positions_);
    int first = block * block_size;
    while (first < end && ready(layer, first)) ++first;
    if (first == end) return;
    const LensLayer said = lens.rows(layer, {first, end - first});
    for (int i = first; i < end; ++i) {
        best_[layer * positions_ + i] = top_words(said, i - first, 1).front();
        ready(layer, i) = true;
    }
}

// Reads the wanted block, the last layers first.
Turn LensReading::read_wanted(const std::stop_token& stop) {
    int block = wanted_;
    const std::shared_ptr<const Trace> trace = trace_.lock();
    if (stop.stop_requested() || !trace) return Turn::done;
    if (block == none) return Turn::wait;
    ThreadPool pool(1);
    const LogitLens lens(trace, pool, tuned_);
    for (int layer = layers_ - 1; layer >= 0 && block == wanted_ && !stop.stop_requested(); --layer)
        read(lens, layer, block);
    wanted_.compare_exchange_strong(block, none);
    return Turn::more;
}

const LensWord* LensReading::best(int layer, int position) {
    if (ready(layer, position)) return &best_[layer * positions_ + position];
    int free = none;
    if (wanted_.compare_exchange_strong(free, position / block_size)) thread_.wake();
    return nullptr;
}

const std::vector<LensWord>& LensReading::top(const Trace& trace, int position, int count, float temperature) {
    if (position == top_position_ && count == top_count_ && temperature == top_temperature_) return top_;
    top_ = likeliest_words(trace, position, static_cast<std::size_t>(count), temperature);
    top_position_ = position, top_count_ = count, top_temperature_ = temperature;
    return top_;
}

}  // namespace glassformer::app
