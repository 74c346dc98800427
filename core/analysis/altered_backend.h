#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/what_if.h"
#include "core/backend/backend.h"

namespace glassformer {

/// The intervention for one change, if it needs no pass; none for the other changes. Throws Error if the graph has no
/// place for it.
std::optional<Intervention> cells_of(const TransformerGraph& model, const WhatIf& change);

/// The interventions for a list of changes in one graph, in every sentence of its batch. Most are known at once.
/// Uniform and hard attention need the scores of a pass with all the other changes: see find_from_scores(). Structural
/// changes set nothing. The values of a patch must come from the caller: see set().
class ChangedCells {
public:
    /// `changes` must outlive this object. Throws Error, naming the change, if the graph has no place for a change.
    ChangedCells(const TransformerGraph& model, std::span<const WhatIf> changes);

    void set(std::size_t change, Intervention cells) { found_[change] = std::move(cells); }

    /// Returns all values of a node in a pass with these interventions.
    using Pass = std::function<std::vector<float>(const std::vector<Intervention>& with, const std::string& node)>;
    /// Goes through the attentions from the first block on: an intervention on one does not affect its own scores.
    void find_from_scores(const Pass& pass);
    /// The nodes that find_from_scores() asks for.
    std::vector<int> scores() const;

    /// The interventions found so far, in the order of the list.
    std::vector<Intervention> all() const;

private:
    TransformerGraph model_;
    std::span<const WhatIf> changes_;
    std::vector<std::optional<Intervention>> found_;  // by change
};

// The what-ifs that no intervention can express, because other ops run: the model is rebuilt with another config and
// takes over the parameters that it still has.

/// True if a change makes another model: positions, mask, scale, norms, residual; γ and β of a norm.
bool is_structural(const WhatIf& change);

/// Returns the config with all structural changes of a list; the others change nothing. Removing norms or positions
/// leaves fewer parameters; the other changes keep all of them.
TransformerConfig altered_config(TransformerConfig config, std::span<const WhatIf> changes);

/// Copies parameters by name, from models of one config to those of another.
class ParameterTransfer {
public:
    /// Changes to γ and β in `changes` are applied on the way. Throws Error if `from` lacks a parameter of `to` or has
    /// it in another size, or lacks a norm that a change names.
    ParameterTransfer(const TransformerConfig& from, const TransformerConfig& to, std::span<const WhatIf> changes);

    /// Returns the same object if both models have the same parameters. Caches the last result, for callers that ask at
    /// every step.
    const Parameters& operator()(const Parameters& parameters);
    void forget() { from_ = taken_ = nullptr; }

private:
    struct Copy {
        std::int64_t from, to, count;
    };
    struct Factor {
        std::int64_t first, count;
        float by;
    };
    std::vector<Copy> copies_;  // adjacent ones merged
    std::vector<Factor> factors_;
    std::int64_t from_count_ = 0, to_count_ = 0;
    Parameters from_, taken_;
};

struct AlteredModel {
    TransformerConfig config;
    Parameters parameters;
};

/// A model with all structural changes of a list. Throws Error naming a change that the model refuses.
AlteredModel alter(const TransformerConfig& config, const Parameters& parameters, std::span<const WhatIf> changes);

/// Throws Error naming the first change that refusal() rejects.
void require_sense(std::span<const WhatIf> changes, const TransformerConfig& config);

/// Runs a model with changes: anything that measures a model through a backend, a config and parameters measures the
/// altered one through this backend, config() and parameters(). Ignores changes to one sentence (a painted row, a
/// patch): they say nothing about others. Not thread-safe.
class AlteredBackend final : public Backend {
public:
    /// `backend` must outlive this object. Throws Error naming a change that models of `original` refuse.
    AlteredBackend(Backend& backend, const TransformerConfig& original, std::span<const WhatIf> changes);

    /// The changes in effect.
    const std::vector<WhatIf>& changes() const { return changes_; }
    /// Includes the structural changes.
    const TransformerConfig& config() const { return config_; }
    /// The original's parameters, as far as the altered model has them.
    const Parameters& parameters(const Parameters& original) { return transfer_(original); }

    std::string description() const override { return backend_.description(); }
    /// Accepts only graphs that build_transformer() made from config().
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;

private:
    Backend& backend_;
    std::vector<WhatIf> changes_;
    TransformerConfig config_;
    ParameterTransfer transfer_;
};

/// The changes of a list that apply to the model rather than to one sentence.
std::vector<WhatIf> changes_of_model(std::span<const WhatIf> changes);

}  // namespace glassformer
