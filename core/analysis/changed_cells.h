#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/what_if.h"

namespace glassformer {

/// What one change sets in a graph, where that needs no pass; nothing for the other changes. Throws Error when the
/// graph has no place for it.
std::optional<Intervention> cells_of(const TransformerGraph& model, const WhatIf& change);

/// What a list of changes sets in one graph, in every sentence of its batch. Most of it is known at once. Attention
/// that is made uniform or hard needs the scores of a pass with all the other changes: see find_from_scores().
/// Structural changes set nothing, and where a patch takes its values from is for others to know: see set().
class ChangedCells {
public:
    /// `changes` must live as long. Throws Error, naming a change that the graph has no place for.
    ChangedCells(const TransformerGraph& model, std::span<const WhatIf> changes);

    void set(std::size_t change, Intervention cells) { found_[change] = std::move(cells); }

    /// All values of a node, in a pass with these interventions.
    using Pass = std::function<std::vector<float>(const std::vector<Intervention>& with, const std::string& node)>;
    /// Attention by attention, from the first block on: what is set in one attention does not reach its own scores.
    void find_from_scores(const Pass& pass);
    /// The nodes that find_from_scores() asks for.
    std::vector<int> scores() const;

    /// What has been found so far, in the order of the list.
    std::vector<Intervention> all() const;

private:
    TransformerGraph model_;
    std::span<const WhatIf> changes_;
    std::vector<std::optional<Intervention>> found_;  // by change
};

}  // namespace glassformer
