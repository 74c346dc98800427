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

// The what-ifs that no intervention can say, because other ops run: the model is built again with another config, and
// takes over the parameters that it still has.

/// Whether a change makes another model: positions, mask, scale, norms, residual; γ and β of a norm.
bool is_structural(const WhatIf& change);

/// The config with all the structural changes of a list; the others change nothing. Without norms and positions there
/// are fewer parameters; the other changes keep all of them.
TransformerConfig altered_config(TransformerConfig config, std::span<const WhatIf> changes);

/// Takes parameters over by their names, from models of one config to those of another.
class ParameterTransfer {
public:
    /// Of `changes` those of γ and β are made on the way. Throws Error when `to` has a parameter that `from` has not,
    /// or of another size, and for a norm that `from` has not.
    ParameterTransfer(const TransformerConfig& from, const TransformerConfig& to, std::span<const WhatIf> changes);

    /// The same object where both have the same parameters. Keeps the last ones, for who asks at every step.
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
    std::vector<Copy> copies_;  // neighbours joined
    std::vector<Factor> factors_;
    std::int64_t from_count_ = 0, to_count_ = 0;
    Parameters from_, taken_;
};

struct AlteredModel {
    TransformerConfig config;
    Parameters parameters;
};

/// A model with all the structural changes of a list. Throws Error naming a change that the model refuses.
AlteredModel alter(const TransformerConfig& config, const Parameters& parameters, std::span<const WhatIf> changes);

/// Throws Error naming the first change that refusal() refuses.
void require_sense(std::span<const WhatIf> changes, const TransformerConfig& config);

/// Runs a model with changes: whatever is measured of a model with a backend, a config and parameters is measured of
/// the altered one with this backend, config() and parameters(). Changes of one sentence (a painted row, a patch) are
/// left out: they say nothing of others. Not thread-safe.
class AlteredBackend final : public Backend {
public:
    /// `backend` must live as long. Throws Error naming a change that models of `original` refuse.
    AlteredBackend(Backend& backend, const TransformerConfig& original, std::span<const WhatIf> changes);

    /// The changes that are made.
    const std::vector<WhatIf>& changes() const { return changes_; }
    /// With the structural changes.
    const TransformerConfig& config() const { return config_; }
    /// The original's, as far as the altered model has them.
    const Parameters& parameters(const Parameters& original) { return transfer_(original); }

    std::string description() const override { return backend_.description(); }
    /// Of graphs that build_transformer() made of config().
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;

private:
    Backend& backend_;
    std::vector<WhatIf> changes_;
    TransformerConfig config_;
    ParameterTransfer transfer_;
};

/// The changes of a list that are made in the model, and not in one sentence.
std::vector<WhatIf> changes_of_model(std::span<const WhatIf> changes);

}  // namespace glassformer
