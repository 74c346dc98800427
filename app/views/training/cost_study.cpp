#include "app/views/training/cost_study.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"

namespace glassformer::app::views::training {

namespace {

constexpr std::array lengths = {16, 32, 64, 128, 256, 512, 1024, 2048};
constexpr std::int64_t most_scores = 32'000'000;  // of all heads: 128 MB
constexpr int runs = 3;

double between(int words, const CostPoint& a, const CostPoint& b, double CostPoint::*what) {
    const double t = std::log(static_cast<double>(words) / a.words) / std::log(static_cast<double>(b.words) / a.words);
    return std::exp(std::lerp(std::log(a.*what), std::log(b.*what), t));
}

}  // namespace

CostStudy::CostStudy(const LayerSizes& sizes)
    : sizes_(sizes),
      thread_(
          "cost", [this](const std::stop_token& stop) { return measure_next(stop); },
          [this](const std::string& why) {
              error_ = why;
              done_ = true;
          }) {}

std::vector<CostPoint> CostStudy::points() const {
    const std::lock_guard lock(mutex_);
    return points_;
}

Turn CostStudy::measure_next(const std::stop_token& stop) {
    const std::size_t next = points_.size();
    const std::int64_t words = next < lengths.size() ? lengths[next] : 0;
    if (words == 0 || words * words * sizes_.n_heads > most_scores || stop.stop_requested()) {
        done_ = true;
        return Turn::done;
    }
    CpuBackend backend(1);
    const auto time = [&](LayerPart part, bool written = false) {
        return best_milliseconds(backend, part, sizes_, lengths[next], runs, written);
    };
    const CostPoint point{lengths[next], time(LayerPart::attention), time(LayerPart::mlp), time(LayerPart::recurrent),
                          time(LayerPart::attention, true) + time(LayerPart::mlp, true)};
    const std::lock_guard lock(mutex_);
    points_.push_back(point);
    return Turn::more;
}

std::optional<EstimatedCost> cost_at(const std::vector<CostPoint>& points, int words) {
    if (points.empty()) return {};
    const CostPoint& last = points.back();
    if (words > last.words) {
        const double times = static_cast<double>(words) / last.words;
        return EstimatedCost{
            {words, last.attention * times * times, last.mlp * times, last.recurrent * times, last.written * times},
            false};
    }
    const auto above = std::ranges::lower_bound(points, words, {}, &CostPoint::words);
    if (above == points.begin() || above->words == words) return EstimatedCost{*above, true};
    const CostPoint &a = *(above - 1), &b = *above;
    return EstimatedCost{{words, between(words, a, b, &CostPoint::attention), between(words, a, b, &CostPoint::mlp),
                          between(words, a, b, &CostPoint::recurrent), between(words, a, b, &CostPoint::written)},
                         true};
}

}  // namespace glassformer::app::views::training
