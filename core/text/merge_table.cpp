#include "core/text/merge_table.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace glassformer {

bool MergeTable::add(int left, int right, int token) {
    return merges_.emplace(pair_key(left, right), Merge{static_cast<int>(merges_.size()), token}).second;
}

const MergeTable::Merge* MergeTable::find(int left, int right) const {
    const auto found = merges_.find(pair_key(left, right));
    return found == merges_.end() ? nullptr : &found->second;
}

std::vector<int> MergeTable::apply(std::vector<int> symbols) const {
    merge(symbols, nullptr);
    std::erase(symbols, gone);
    return symbols;
}

std::vector<int> MergeTable::apply(std::vector<int> symbols, std::vector<std::size_t>& begins) const {
    merge(symbols, nullptr);
    begins.clear();
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i] != gone) begins.push_back(i);
    std::erase(symbols, gone);
    return symbols;
}

void MergeTable::merge(std::vector<int>& symbols, std::vector<Applied>* applied) const {
    const std::size_t end = symbols.size();
    // A linked list of the symbols; a merge is stored at its left symbol's index. `end` marks the end.
    std::vector<std::size_t> next(end), previous(end);
    using Candidate = std::pair<int, std::size_t>;  // rank, index of the left symbol
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto offer = [&](std::size_t left) {
        if (left == end || next[left] == end) return;
        if (const Merge* found = find(symbols[left], symbols[next[left]])) candidates.emplace(found->rank, left);
    };
    for (std::size_t i = 0; i < end; ++i) {
        next[i] = i + 1;
        previous[i] = i == 0 ? end : i - 1;
    }
    for (std::size_t i = 0; i < end; ++i) offer(i);
    while (!candidates.empty()) {
        const auto [rank, left] = candidates.top();
        candidates.pop();
        // A later merge may have consumed either symbol.
        const std::size_t right = symbols[left] == gone ? end : next[left];
        const Merge* found = right == end ? nullptr : find(symbols[left], symbols[right]);
        if (!found || found->rank != rank) continue;
        symbols[left] = found->token;
        symbols[right] = gone;
        next[left] = next[right];
        if (next[left] != end) previous[next[left]] = left;
        if (applied) applied->push_back({*found, left});
        offer(previous[left]);
        offer(left);
    }
}

std::vector<EncodingStep> MergeTable::steps(const std::vector<int>& symbols) const {
    std::vector<Applied> applied;
    std::vector<int> merged = symbols;
    merge(merged, &applied);
    std::vector<int> tokens = symbols;
    std::vector<std::size_t> begins(symbols.size());
    for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = i;
    std::vector<EncodingStep> steps;
    for (const Applied& one : applied) {
        const auto at = std::ranges::lower_bound(begins, one.begin) - begins.begin();
        tokens[at] = one.merge.token;
        tokens.erase(tokens.begin() + at + 1);
        begins.erase(begins.begin() + at + 1);
        steps.push_back({one.merge.rank, static_cast<std::size_t>(at), tokens});
    }
    return steps;
}

}  // namespace glassformer
