#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/what_if.h"

/// The what-ifs that no intervention can say, because other ops run: the model is built again with another config, and
/// takes over the parameters that it still has.
namespace glassformer {

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

    /// The same object where both have the same parameters.
    Parameters operator()(const Parameters& parameters) const;

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
};

struct AlteredModel {
    TransformerConfig config;
    Parameters parameters;
};

/// A model with all the structural changes of a list. Throws Error naming a change that the model refuses.
AlteredModel alter(const TransformerConfig& config, const Parameters& parameters, std::span<const WhatIf> changes);

/// Throws Error naming the first change that refusal() refuses.
void require_sense(std::span<const WhatIf> changes, const TransformerConfig& config);

}  // namespace glassformer
