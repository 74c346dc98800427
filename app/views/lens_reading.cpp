#include "app/views/lens_reading.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// Σ exp((logit − largest) / temperature), which softmax divides by.
double normalizer(std::span<const float> logits, double largest, double temperature) {
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp((static_cast<double>(logit) - largest) / temperature);
    return sum;
}

}  // namespace

std::vector<LensWord> likeliest_words(const Trace& trace, int position, std::size_t count, float temperature) {
    const int node = trace.model().logits;
    const auto words = static_cast<std::size_t>(trace.graph()[node].shape.back());
    const std::size_t first = static_cast<std::size_t>(position) * words;
    const std::span<const float> logits = trace.values(node).subspan(first, words),
                                 probabilities = trace.values(trace.model().probabilities).subspan(first, words);
    std::vector<int> ids(words);
    std::iota(ids.begin(), ids.end(), 0);
    const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, words));
    std::ranges::partial_sort(ids, kept, [&](int a, int b) {
        const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    });
    const auto t = static_cast<double>(temperature);
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    const double sum = temperature == 1.0f ? 1.0 : normalizer(logits, largest, t);
    std::vector<LensWord> top;
    for (auto id = ids.begin(); id != kept; ++id) {
        const auto at = static_cast<std::size_t>(*id);
        const double rescaled = std::exp((static_cast<double>(logits[at]) - largest) / t) / sum;
        top.push_back({*id, logits[at], temperature == 1.0f ? probabilities[at] : static_cast<float>(rescaled)});
    }
    return top;
}

LensReading::LensReading(const std::shared_ptr<const Trace>& trace) : trace_(trace), positions_(trace->positions()) {
    try {
        ThreadPool pool(1);
        const LogitLens lens(trace, pool);
        layers_ = lens.layers();
        for (int layer = 0; layer < layers_; ++layer) {
            const LensLayer said = lens.layer(layer);
            for (int position = 0; position < positions_; ++position)
                best_.push_back(top_words(said, position, 1).front());
        }
    } catch (const Error& error) {
        why_not_ = error.what();
    }
}

const std::vector<LensWord>& LensReading::top(const Trace& trace, int position, int count, float temperature) {
    if (position == top_position_ && count == top_count_ && temperature == top_temperature_) return top_;
    top_ = likeliest_words(trace, position, static_cast<std::size_t>(count), temperature);
    top_position_ = position, top_count_ = count, top_temperature_ = temperature;
    return top_;
}

}  // namespace glassformer::app
