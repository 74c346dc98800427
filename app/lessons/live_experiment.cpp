#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/language/tr.h"
#include "app/lessons/live_reader.h"
#include "app/session/experiment.h"
#include "core/graph/hook_names.h"

// What a lesson can read of an experiment: the runs last started, once they have ended.
namespace glassformer::app::live {

namespace {

const ExperimentInfo* ended_experiment(const Reader& r) {
    return r.s.experiment && !r.s.experiment->under_way() ? r.s.experiment.get() : nullptr;
}

std::vector<double> metrics_of_runs(const Reader& r) {
    std::vector<double> all;
    if (const ExperimentInfo* experiment = ended_experiment(r))
        for (const ExperimentInfo::Run& run : experiment->runs)
            if (run.now.found) all.push_back(run.now.found->value);
    return all;
}

LiveValue of_metric(const Reader& r, double value) {
    return r.s.experiment->model->metric_is_share ? r.share(value) : r.number(value);
}

double mean_of(const std::vector<double>& all) {
    double sum = 0.0;
    for (const double value : all) sum += value / static_cast<double>(all.size());
    return sum;
}

/// Finds the first run's head that attends most strongly from the expression's word to another one; returns its match
/// in every run.
std::vector<MatchedInRun> heads_of_runs(const Reader& r) {
    const ExperimentInfo* const experiment = ended_experiment(r);
    const int position = r.position(0);
    if (!experiment || position < 0) return {};
    for (const ExperimentInfo::Run& run : experiment->runs)
        if (!run.seen || run.seen->text_of(r.e.slot) != r.s.text_of(r.e.slot)) return {};
    const MatchedInRun hardest = hardest_head(*experiment, r.e.slot, 0, position);
    if (hardest.block < 0) return {};
    return matched_heads(*experiment, r.e.slot, 0, hardest.block, hardest.head);
}

/// Runs are counted from 1, as their seeds usually are.
int index_of_run(const Reader& r) { return r.e.count - 1; }

/// Returns the position that this head of a run attends to most; −1 if it has none.
int top_in_run(const Reader& r, std::size_t run, const MatchedInRun& head) {
    if (head.block < 0) return -1;
    const Trace* const trace = r.s.experiment->runs[run].seen->sentences[r.e.slot].trace.get();
    const HeadPatterns all = trace ? head_patterns(*trace) : HeadPatterns();
    const int at = all.find(head.block, head.head), query = r.position(0);
    if (at < 0 || query >= all.queries) return -1;
    const auto row = std::span(all.heads[at].weights)
                         .subspan(static_cast<std::size_t>(query * all.keys), static_cast<std::size_t>(all.keys));
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

}  // namespace

LiveValue runs(const Reader& r) { return Reader::whole(r.s.experiment ? r.s.experiment->ended() : 0); }

LiveValue lowest(const Reader& r) {
    const std::vector<double> all = metrics_of_runs(r);
    return all.empty() ? LiveValue{} : of_metric(r, std::ranges::min(all));
}

LiveValue highest(const Reader& r) {
    const std::vector<double> all = metrics_of_runs(r);
    return all.empty() ? LiveValue{} : of_metric(r, std::ranges::max(all));
}

LiveValue mean_of_runs(const Reader& r) {
    const std::vector<double> all = metrics_of_runs(r);
    return all.empty() ? LiveValue{} : of_metric(r, mean_of(all));
}

LiveValue spread_of_runs(const Reader& r) {
    const std::vector<double> all = metrics_of_runs(r);
    if (all.size() < 2) return {};
    const double mean = mean_of(all);
    double squares = 0.0;
    for (const double value : all) squares += (value - mean) * (value - mean);
    return of_metric(r, std::sqrt(squares / static_cast<double>(all.size() - 1)));
}

LiveValue run_metric(const Reader& r) {
    const ExperimentInfo* const experiment = ended_experiment(r);
    const auto run = static_cast<std::size_t>(index_of_run(r));
    if (!experiment || run >= experiment->runs.size() || !experiment->runs[run].now.found) return {};
    return of_metric(r, experiment->runs[run].now.found->value);
}

LiveValue run_head(const Reader& r) {
    const std::vector<MatchedInRun> heads = heads_of_runs(r);
    const auto run = static_cast<std::size_t>(index_of_run(r));
    if (run >= heads.size() || heads[run].block < 0) return {};
    return Reader::word(
        filled(tr("block {1}, head {2}"), {std::to_string(heads[run].block), std::to_string(heads[run].head)}));
}

LiveValue run_top(const Reader& r) {
    const std::vector<MatchedInRun> heads = heads_of_runs(r);
    const auto run = static_cast<std::size_t>(index_of_run(r));
    const int top = run < heads.size() ? top_in_run(r, run, heads[run]) : -1;
    return top < 0 ? LiveValue{} : Reader::word(token_name(r.sentence(), top));
}

LiveValue run_heads(const Reader& r) {
    std::set<std::pair<int, int>> different;
    for (const MatchedInRun& head : heads_of_runs(r))
        if (head.block >= 0) different.emplace(head.block, head.head);
    return different.empty() ? LiveValue{} : Reader::whole(static_cast<std::int64_t>(different.size()));
}

LiveValue runs_alike(const Reader& r) {
    const std::vector<MatchedInRun> heads = heads_of_runs(r);
    if (heads.empty()) return {};
    const int first = top_in_run(r, 0, heads[0]);
    int alike = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) alike += top_in_run(r, i, heads[i]) == first ? 1 : 0;
    return Reader::whole(alike);
}

}  // namespace glassformer::app::live
