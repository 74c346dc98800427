#include "core/train/running_statistics.h"

#include <algorithm>
#include <numeric>

namespace glassformer {

RunningStatistics::RunningStatistics(const Graph& graph) : graph_(graph) {
    for (const int id : graph.parameters()) {
        const std::string& name = graph[id].name;
        for (const auto& [running, of_batch] :
             {std::pair<std::string, std::string>{".running_mean", ".hook_batch_mean"},
              {".running_var", ".hook_batch_variance"}}) {
            if (!name.ends_with(running)) continue;
            const int node = graph.at(name.substr(0, name.size() - running.size()) + of_batch);
            pairs_.push_back({node, id, running == ".running_var", name.starts_with("encoder.")});
            keep_.push_back(node);
            values_.resize(std::max(values_.size(), static_cast<std::size_t>(graph[id].shape.elements())));
        }
    }
}

float RunningStatistics::unbiased(const Pair& pair, const Batch& batch) const {
    const std::vector<float>& mask = pair.source ? batch.source_key_mask : batch.key_mask;
    const float n = std::accumulate(mask.begin(), mask.end(), 0.0f);
    return pair.variance && n > 1.0f ? n / (n - 1.0f) : 1.0f;
}

std::span<const float> RunningStatistics::shares(const Batch& batch) {
    shares_.clear();
    for (const Pair& p : pairs_) shares_.push_back(unbiased(p, batch));
    return shares_;
}

void RunningStatistics::update(const Execution& run, const Batch& batch, std::span<float> parameters) {
    for (const Pair& p : pairs_) {
        const std::size_t width = graph_[p.running].shape.elements();
        const std::span<float> now(values_.data(), width);
        run.read(p.of_batch, now);
        const float factor = unbiased(p, batch);
        float* running = parameters.data() + graph_[p.running].offset;
        for (std::size_t i = 0; i < width; ++i) running[i] += momentum * (factor * now[i] - running[i]);
    }
}

std::optional<double> RunningStatistics::of_batch(const Execution& run, const Batch& batch, std::int64_t cell) const {
    for (const Pair& p : pairs_) {
        const std::int64_t within = cell - graph_[p.running].offset;
        if (within < 0 || within >= graph_[p.running].shape.elements()) continue;
        return static_cast<double>(unbiased(p, batch)) * static_cast<double>(run.view(p.of_batch)[within]);
    }
    return std::nullopt;
}

}  // namespace glassformer
