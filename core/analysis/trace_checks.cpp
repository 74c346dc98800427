#include "core/analysis/trace_checks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace glassformer {

namespace {

/// The size of the float32 numbers that were rounded on the way to a cell.
double magnitude(const Explanation& e) {
    // The terms of a share can be huge (e^s); only the share matters.
    if (e.reading.kind == TermKind::share) return std::abs(e.recomputed) + 1e-30;
    double terms = 0.0;
    if (e.reading.kind == TermKind::summand)
        for (const Explanation::Term& term : e.terms) terms += std::abs(term.contribution);
    return std::max({terms, std::abs(e.recomputed), e.reading.rounded, 1e-30});
}

double error_of(const Explanation& e) {
    if (e.traced == e.recomputed) return 0.0;  // also if both are −∞
    const double error = std::abs(e.traced - e.recomputed) / magnitude(e);
    return std::isfinite(error) ? error : HUGE_VAL;
}

}  // namespace

std::map<std::string, ExplanationCheck> check_explanations(const Trace& trace, int cells, std::uint64_t seed,
                                                           const WatchCheck& watch) {
    const Graph& graph = trace.graph();
    std::map<std::string, std::vector<int>> nodes;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        const NodeInfo& info = graph[id];
        if (info.kind != NodeInfo::Kind::op || info.op->is_view() || info.op->traits().role == OpRole::loss) continue;
        if (info.shape.elements() > 0) nodes[std::string(info.op->name())].push_back(id);
    }
    std::map<std::string, ExplanationCheck> checks;
    std::uint64_t stream = 0;
    for (const auto& [op, ids] : nodes) {
        ExplanationCheck& check = checks[op];
        for (const int id : ids) check.cells += graph[id].shape.elements();
        Rng rng(seed, stream++);
        const std::int64_t count_of_op = std::min<std::int64_t>(cells, check.cells);
        while (check.checked < count_of_op) {
            const int id = ids[rng.below(ids.size())];
            const auto count = static_cast<std::uint64_t>(graph[id].shape.elements());
            const Cell cell{id, static_cast<std::int64_t>(rng.below(count))};
            const double error = error_of(trace.explain(cell));
            if (error > check.largest_error || check.where.empty()) {
                check.largest_error = error;
                check.where = trace.address(cell);
            }
            ++check.checked;
            if (watch && !watch(op, check, check.checked == count_of_op)) return checks;
        }
    }
    return checks;
}

namespace {

double difference(std::span<const float> expected, std::span<const float> given) {
    double squares = 0.0, largest = 0.0;
    std::size_t finite = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x = expected[i], y = given[i];
        if (x == y && !std::isfinite(x)) continue;  // −∞ where a key is masked
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
