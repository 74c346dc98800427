#include "core/train/adamw.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"

namespace glassformer {

namespace {

using Array = Eigen::Map<Eigen::ArrayXf>;
using ConstArray = Eigen::Map<const Eigen::ArrayXf>;

constexpr std::int64_t piece = 8192;

// Σ g² in sixteen lanes, whatever the alignment of g: Eigen's own sum starts at the first aligned value, so its result
// would depend on where the vector happens to lie.
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

AdamW::AdamW(const Graph& graph, const AdamWOptions& options) : options_(options) {
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        const std::int64_t end = info.offset + info.shape.elements();
        for (std::int64_t begin = info.offset; begin < end; begin += piece)
            ranges_.push_back(
                {begin, std::min(end, begin + piece), info.shape.rank() >= 2 ? options.weight_decay : 0.0f});
    }
    reset();
    m_.resize(static_cast<std::size_t>(graph.parameter_count()));
    v_.resize(m_.size());
}

void AdamW::reset() {
    std::ranges::fill(m_, 0.0f);
    std::ranges::fill(v_, 0.0f);
    updates_ = 0;
}

std::vector<TrainingState::Moment> AdamW::moments() const {
    return {{"m", {m_.begin(), m_.end()}}, {"v", {v_.begin(), v_.end()}}};
}

void AdamW::restore(const TrainingState& state) {
    const auto fits = [&](const TrainingState::Moment& moment) { return moment.values.size() == m_.size(); };
    if (state.moments.size() != 2 || state.moments[0].name != "m" || state.moments[1].name != "v" ||
        !std::ranges::all_of(state.moments, fits))
        throw Error("this state of a training does not hold the moments m and v of AdamW for this model");
    std::ranges::copy(state.moments[0].values, m_.begin());
    std::ranges::copy(state.moments[1].values, v_.begin());
    updates_ = state.updates;
}

void AdamW::step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
                 ThreadPool& pool) {
    ++updates_;
    const double t = static_cast<double>(updates_);
    const auto m_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(options_.beta1), t)));
    const auto v_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(options_.beta2), t)));
    pool.run(static_cast<std::int64_t>(ranges_.size()), [&](std::int64_t i) {
        const Range& r = ranges_[static_cast<std::size_t>(i)];
        const std::int64_t n = r.end - r.begin;
        Array w(parameters.data() + r.begin, n), m(m_.data() + r.begin, n), v(v_.data() + r.begin, n);
        const ConstArray g(gradients.data() + r.begin, n);
        m = options_.beta1 * m + (1.0f - options_.beta1) * factor * g;
        v = options_.beta2 * v + (1.0f - options_.beta2) * (factor * g).square();
        w -= learning_rate * (m * m_scale / ((v * v_scale).sqrt() + options_.epsilon) + r.weight_decay * w);
    });
}

double gradient_norm(std::span<const float> gradients, ThreadPool& pool) {
    // At most 256 partial sums, each over a piece that depends on the size alone.
    constexpr std::int64_t most = 256;
    const auto n = static_cast<std::int64_t>(gradients.size());
    const std::int64_t step = std::max<std::int64_t>(piece, (n + most - 1) / most), pieces = (n + step - 1) / step;
    std::array<double, most> partial{};
    pool.run(pieces, [&](std::int64_t i) {
        const std::int64_t begin = i * step, count = std::min(step, n - begin);
        partial[static_cast<std::size_t>(i)] = sum_of_squares(gradients.data() + begin, count);
    });
    double sum = 0.0;
    for (std::int64_t i = 0; i < pieces; ++i) sum += partial[static_cast<std::size_t>(i)];
    return std::sqrt(sum);
}

}  // namespace glassformer
