#include "core/train/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/base/error.h"

namespace glassformer {

namespace {

std::size_t bytes_of(const Parameters& values) { return values ? values->size() * sizeof(float) : 0; }

}  // namespace

bool OptimizerState::complete() const {
    switch (kind) {
        case OptimizerKind::sgd:
            return true;
        case OptimizerKind::momentum:
            return m != nullptr;
        case OptimizerKind::adam:
        case OptimizerKind::adamw:
            break;
    }
    return m != nullptr && v != nullptr;
}

std::size_t TrainingState::bytes() const {
    return bytes_of(parameters) + bytes_of(optimizer.m) + bytes_of(optimizer.v);
}

namespace {

constexpr std::int64_t update_piece = 8192;

void require(bool fine, const char* what) {
    if (!fine) throw Error(what);
}

Parameters copy_values(const AlignedFloats& values) {
    return values.empty() ? nullptr : std::make_shared<const ParameterValues>(values.begin(), values.end());
}

}  // namespace

void validate(const OptimizerOptions& o) {
    require(o.beta1 >= 0.0f && o.beta1 < 1.0f, "beta1 must be at least 0 and below 1");
    require(o.beta2 >= 0.0f && o.beta2 < 1.0f, "beta2 must be at least 0 and below 1");
    require(o.momentum >= 0.0f && o.momentum < 1.0f, "the momentum must be at least 0 and below 1");
    require(o.epsilon > 0.0f && o.epsilon <= 1.0f, "epsilon must be above 0 and at most 1");
    require(o.weight_decay >= 0.0f && o.weight_decay <= 10.0f, "the weight decay must be at least 0 and at most 10");
}

Optimizer::Optimizer(const Graph& graph, const OptimizerOptions& options, bool has_m, bool has_v) : options_(options) {
    validate(options);
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        const std::int64_t end = info.offset + info.shape.elements();
        for (std::int64_t begin = info.offset; begin < end; begin += update_piece) {
            ranges_.push_back({begin, std::min(end, begin + update_piece), weight_decay_of(info)});
            of_matrix_.push_back(info.shape.rank() >= 2);
        }
    }
    const std::size_t cells = graph.parameter_count();
    if (has_m) m_.resize(cells);
    if (has_v) v_.resize(cells);
}

float Optimizer::weight_decay_of(const NodeInfo& parameter) const {
    return parameter.shape.rank() >= 2 ? options_.weight_decay : 0.0f;
}

void Optimizer::set_options(const OptimizerOptions& options) {
    validate(options);
    if (options.kind != options_.kind)
        throw Error("the numbers of {1} were given to {2}", name_of(options.kind), name());
    options_ = options;
    for (std::size_t i = 0; i < ranges_.size(); ++i)
        ranges_[i].weight_decay = of_matrix_[i] ? options.weight_decay : 0.0f;
}

void Optimizer::reset() {
    std::ranges::fill(m_, 0.0f);
    std::ranges::fill(v_, 0.0f);
    updates_ = 0;
}

OptimizerState Optimizer::state() const { return {options_.kind, updates_, copy_values(m_), copy_values(v_)}; }

void Optimizer::restore(const OptimizerState& state) {
    if (state.kind != options_.kind || !state.complete()) {
        reset();
        return;
    }
    const auto size_of = [](const Parameters& values) { return values ? values->size() : 0; };
    if ((!m_.empty() && size_of(state.m) != m_.size()) || (!v_.empty() && size_of(state.v) != v_.size()))
        throw Error("these moments are not of this model: {1} values, not {2}", size_of(state.m), m_.size());
    if (!m_.empty()) std::ranges::copy(*state.m, m_.begin());
    if (!v_.empty()) std::ranges::copy(*state.v, v_.begin());
    updates_ = state.updates;
}

void Optimizer::forget(std::int64_t begin, std::int64_t count) {
    if (!m_.empty()) std::fill_n(m_.begin() + begin, count, 0.0f);
    if (!v_.empty()) std::fill_n(v_.begin() + begin, count, 0.0f);
}

namespace {

constexpr std::int64_t piece = 8192;

// Σ g² in sixteen lanes, independent of the alignment of g. Eigen's own sum starts at the first aligned value, so its
// result would depend on the address of the vector.
double sum_of_squares(const float* g, std::int64_t n) {
    std::array<float, 16> lane{};
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (std::size_t l = 0; l < 16; ++l)
            lane[l] += g[i + static_cast<std::int64_t>(l)] * g[i + static_cast<std::int64_t>(l)];
    double sum = 0.0;
    for (const float part : lane) sum += static_cast<double>(part);
    for (; i < n; ++i) sum += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    return sum;
}

}  // namespace

double gradient_norm(std::span<const float> gradients, ThreadPool& pool) {
    // At most 256 partial sums, each over a range that depends only on the size.
    constexpr std::int64_t most = 256;
    const auto n = static_cast<std::int64_t>(gradients.size());
    const std::int64_t step = std::max<std::int64_t>(piece, (n + most - 1) / most), pieces = (n + step - 1) / step;
    std::array<double, most> partial{};
    pool.run(pieces, [&](std::int64_t i) {
        const std::int64_t begin = i * step, count = std::min(step, n - begin);
        partial[i] = sum_of_squares(gradients.data() + begin, count);
    });
    return std::sqrt(std::accumulate(partial.begin(), partial.begin() + pieces, 0.0));
}

}  // namespace glassformer
