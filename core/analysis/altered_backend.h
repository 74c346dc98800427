#pragma once

#include "core/analysis/altered_model.h"
#include "core/backend/backend.h"

namespace glassformer {

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
    const Parameters& parameters(const Parameters& original);

    std::string description() const override { return backend_.description(); }
    /// Of graphs that build_transformer() made of config().
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;

private:
    Backend& backend_;
    std::vector<WhatIf> changes_;
    TransformerConfig config_;
    ParameterTransfer transfer_;
    Parameters from_, taken_;
};

/// The changes of a list that are made in the model, and not in one sentence.
std::vector<WhatIf> changes_of_model(std::span<const WhatIf> changes);

}  // namespace glassformer
