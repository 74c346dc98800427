#include "core/train/train_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Progress of `step` towards `end`, 0 … 1; 1 if `end` is not positive.
double share(std::int64_t step, std::int64_t end) {
    return end > 0 ? std::clamp(static_cast<double>(step) / static_cast<double>(end), 0.0, 1.0) : 1.0;
}

}  // namespace

float Schedule::at(std::int64_t step) const {
    const double top = peak, low = floor, warm = share(step, warmup);
    if (kind == ScheduleKind::constant) return peak;
    if (kind == ScheduleKind::linear) {
        if (step < warmup && step < total) return static_cast<float>(top * warm);
        return static_cast<float>(top * (1.0 - (1.0 - low) * share(step - warmup, total - warmup)));
    }
    const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * share(step, total)));
    return static_cast<float>(top * warm * (wave * (1.0 - low) + low));
}

std::string_view Schedule::formula() const {
    switch (kind) {
        case ScheduleKind::constant:
            return "lr = peak";
        case ScheduleKind::linear:
            return "lr = peak · t / warmup, then peak · (1 − (1 − floor) · (t − warmup) / (total − warmup))";
        case ScheduleKind::cosine:
            break;
    }
    return "lr = peak · min(1, t / warmup) · (floor + (1 − floor) · ½(1 + cos(π · t / total)))";
}

void validate(const Schedule& s) {
    if (!(s.peak >= 0.0f) || !std::isfinite(s.peak)) throw Error("the learning rate must be at least 0, and finite");
    if (!(s.floor >= 0.0f && s.floor <= 1.0f)) throw Error("the schedule's floor must be between 0 and 1 of the peak");
    if (s.warmup < 0) throw Error("the warm-up must be at least 0 steps long");
    if (s.total < 0) throw Error("the schedule must be at least 0 steps long");
}

namespace {

/// Reads a few values at a time: the first ones almost always decide, and a matrix stored in its file's format need not
/// be widened for this.
bool all_zero(const ParameterValues& parameters, const ParameterRange& range) {
    std::array<float, 64> some;
    for (std::int64_t done = 0; done < range.count; done += 64) {
        const std::span<float> part = std::span(some).first(std::min<std::int64_t>(64, range.count - done));
        parameters.copy(range.offset + done, part);
        if (std::ranges::any_of(part, [](float x) { return x != 0.0f; })) return false;
    }
    return true;
}

template <class Is>
std::vector<RemovedHead> heads_whose_output(const Graph& graph, const TransformerConfig& config, const Is& is) {
    constexpr std::string_view output = "attn.W_O";
    std::vector<RemovedHead> found;
    for (const int id : graph.parameters()) {
        const std::string& name = graph[id].name;
        if (!name.ends_with(output)) continue;
        const std::string attention = name.substr(0, name.size() - 4);
        for (int head = 0; head < config.n_heads; ++head)
            if (is(head_output(graph, config, attention, head))) found.push_back({attention, head});
    }
    return found;
}

}  // namespace

ParameterRange head_output(const Graph& graph, const TransformerConfig& config, const std::string& attention,
                           int head) {
    const std::optional<int> id = graph.find(attention + ".W_O");
    if (!id || graph[*id].kind != NodeInfo::Kind::parameter)
        throw Error("no head can be removed from {1}: the model has no {1}.W_O", attention);
    if (head < 0 || head >= config.n_heads)
        throw Error("{1} has heads 0 to {2}; there is no head {3}", attention, config.n_heads - 1, head);
    const std::int64_t count = graph[*id].shape.elements() / config.n_heads;
    return {graph[*id].offset + head * count, count};
}

std::vector<RemovedHead> heads_at(const Graph& graph, const TransformerConfig& config,
                                  std::span<const ParameterRange> ranges) {
    return heads_whose_output(
        graph, config, [&](const ParameterRange& output) { return std::ranges::find(ranges, output) != ranges.end(); });
}

std::vector<RemovedHead> removed_heads(const Graph& graph, const TransformerConfig& config,
                                       const ParameterValues& parameters) {
    return heads_whose_output(graph, config,
                              [&](const ParameterRange& output) { return all_zero(parameters, output); });
}

void validate(const TrainOptions& options) {
    validate(options.schedule);
    validate(options.optimizer);
    if (!(options.clip > 0.0f)) throw Error("the gradient's largest norm must be above 0");
    if (options.batch < 1 || options.batch > most_in_batch)
        throw Error("a batch must have 1 to {1} sentences, not {2}", most_in_batch, options.batch);
    if (options.longest < 0) throw Error("the longest sentence of a training must have at least 1 token, or be 0: all");
    if (!(options.data_share > 0.0f && options.data_share <= 1.0f))
        throw Error("the share of the training sentences must be above 0 and at most 1");
}

}  // namespace glassformer
