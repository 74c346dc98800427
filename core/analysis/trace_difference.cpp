#include "core/analysis/trace_difference.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace glassformer {

namespace {

double difference(std::span<const float> expected, std::span<const float> given) {
    double squares = 0.0, largest = 0.0;
    std::size_t finite = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x = expected[i], y = given[i];
        if (x == y && !std::isfinite(x)) continue;  // −∞ where a key is hidden
        squares += x * x;
        ++finite;
        const double d = std::abs(x - y);
        largest = std::isfinite(d) ? std::max(largest, d) : HUGE_VAL;
    }
    if (largest == 0.0) return 0.0;
    return largest / std::max(std::sqrt(squares / static_cast<double>(finite)), 1e-6);
}

}  // namespace

TraceDifference difference_of(const Trace& expected, const Trace& given) {
    const Graph &graph = expected.graph(), &other = given.graph();
    if (graph.nodes().size() != other.nodes().size()) throw Error("the two traces are of different models");
    TraceDifference found;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        const NodeInfo& info = graph[id];
        if (info.kind != NodeInfo::Kind::op || info.op->is_view() || info.op->traits().role == OpRole::loss) continue;
        if (info.name != other[id].name || !(expected.shape(id) == given.shape(id)))
            throw Error("the two traces are of different models");
        ++found.compared;
        const double apart = difference(expected.values(id), given.values(id));
        if (apart > found.largest) found.largest = apart, found.where = info.name;
    }
    return found;
}

}  // namespace glassformer
