#include "core/analysis/changed_cells.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

using namespace what_if;

/// Changes that need no pass; none for the others.
struct WithoutPass {
    const TransformerGraph& model;

    using Found = std::optional<Intervention>;
    Found operator()(const HeadOff& c) const { return ablate_head(model, c.block, c.head, c.to); }
    Found operator()(const AttentionOff& c) const { return ablate_attention(model, c.block, c.to); }
    Found operator()(const MlpOff& c) const { return ablate_mlp(model, c.block); }
    Found operator()(const AttentionRow& c) const {
        return set_attention_row(model, c.block, c.head, c.query, c.weights, c.to);
    }
    template <class Other>
    Found operator()(const Other&) const {
        return {};
    }
};

struct Attention {
    int block;
    AttentionTo to;
    bool operator==(const Attention&) const = default;
};

/// Whose scores a change has to see.
std::optional<Attention> sees_scores(const WhatIf& change) {
    if (const auto* uniform = std::get_if<UniformAttention>(&change)) return Attention{uniform->block, uniform->to};
    if (const auto* hard = std::get_if<HardAttention>(&change)) return Attention{hard->block, hard->to};
    return {};
}

}  // namespace

std::optional<Intervention> cells_of(const TransformerGraph& model, const WhatIf& change) {
    return std::visit(WithoutPass{model}, change);
}

ChangedCells::ChangedCells(const TransformerGraph& model, std::span<const WhatIf> changes)
    : model_(model), changes_(changes), found_(changes.size()) {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        try {
            found_[i] = cells_of(model_, changes_[i]);
        } catch (const Error& e) {
            throw Error(describe(changes_[i]) + ": " + e.what());
        }
    }
}

void ChangedCells::find_from_scores(const Pass& pass) {
    for (int block = 0; block < model_.config.n_layers; ++block)
        for (const AttentionTo to : {AttentionTo::itself, AttentionTo::source}) {
            std::vector<float> scores;  // of a pass that is made only where somebody has to see them
            for (std::size_t i = 0; i < changes_.size(); ++i) {
                if (sees_scores(changes_[i]) != Attention{block, to}) continue;
                if (scores.empty()) scores = pass(all(), (*model_.graph)[scores_node(model_, block, to)].name);
                if (const auto* uniform = std::get_if<UniformAttention>(&changes_[i]))
                    found_[i] = uniform_attention(model_, scores, block, uniform->head, -1, to);
                else if (const auto* hard = std::get_if<HardAttention>(&changes_[i]))
                    found_[i] = hard_attention(model_, scores, block, hard->head, -1, to);
            }
        }
}

std::vector<int> ChangedCells::scores() const {
    std::vector<int> nodes;
    for (const WhatIf& change : changes_)
        if (const std::optional<Attention> seen = sees_scores(change))
            nodes.push_back(scores_node(model_, seen->block, seen->to));
    return nodes;
}

std::vector<Intervention> ChangedCells::all() const {
    std::vector<Intervention> found;
    for (const std::optional<Intervention>& cells : found_)
        if (cells) found.push_back(*cells);
    return found;
}

}  // namespace glassformer
