#include "core/analysis/altered_model.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

using namespace what_if;

struct Alter {
    TransformerConfig& config;

    void operator()(const PositionsOff&) const { config.positions = Positions::none; }
    void operator()(const MaskOff&) const { config.attention.causal_mask = false; }
    void operator()(const ScaleOff&) const { config.attention.scale = false; }
    void operator()(const NormOff&) const {
        config.norm_placement = NormPlacement::none;
        config.norm = NormKind::layer_norm;  // none is chosen any more
        config.norm_scalar = false;
    }
    void operator()(const ResidualOff&) const { config.residual = false; }
    template <class Other>
    void operator()(const Other&) const {}
};

std::shared_ptr<const Graph> shortest_graph(const TransformerConfig& config) {
    return build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph;
}

}  // namespace

bool is_structural(const WhatIf& change) {
    return std::holds_alternative<PositionsOff>(change) || std::holds_alternative<MaskOff>(change) ||
           std::holds_alternative<ScaleOff>(change) || std::holds_alternative<NormOff>(change) ||
           std::holds_alternative<ResidualOff>(change) || std::holds_alternative<NormScaled>(change);
}

TransformerConfig altered_config(TransformerConfig config, std::span<const WhatIf> changes) {
    for (const WhatIf& change : changes) std::visit(Alter{config}, change);
    return config;
}

ParameterTransfer::ParameterTransfer(const TransformerConfig& from, const TransformerConfig& to,
                                     std::span<const WhatIf> changes) {
    const std::shared_ptr<const Graph> source = shortest_graph(from), target = shortest_graph(to);
    from_count_ = source->parameter_count();
    to_count_ = target->parameter_count();
    for (const int id : target->parameters()) {
        const NodeInfo& wanted = (*target)[id];
        const NodeInfo& found = (*source)[source->at(wanted.name)];
        if (found.shape != wanted.shape) throw Error("the parameter " + wanted.name + " has another size in the model");
        const std::int64_t count = wanted.shape.elements();
        if (!copies_.empty() && copies_.back().from + copies_.back().count == found.offset)
            copies_.back().count += count;  // the new ones lie one after the other anyway
        else
            copies_.push_back({found.offset, wanted.offset, count});
    }
    for (const WhatIf& change : changes) {
        const auto* scaled = std::get_if<NormScaled>(&change);
        if (!scaled) continue;
        if (!source->find(scaled->norm + ".w")) throw Error("this model has no norm \"" + scaled->norm + "\"");
        for (const auto& [name, by] : {std::pair{".w", scaled->gamma}, {".b", scaled->beta}})
            if (const std::optional<int> id = target->find(scaled->norm + name); id && by != 1.0f)
                factors_.push_back({(*target)[*id].offset, (*target)[*id].shape.elements(), by});
    }
}

Parameters ParameterTransfer::operator()(const Parameters& parameters) const {
    if (factors_.empty() && copies_.size() == 1 && copies_[0].count == from_count_) return parameters;
    auto taken = std::make_shared<ParameterValues>(static_cast<std::size_t>(to_count_));
    for (const Copy& copy : copies_)
        parameters->copy(copy.from, {taken->data() + copy.to, static_cast<std::size_t>(copy.count)});
    for (const Factor& factor : factors_)
        for (std::int64_t i = factor.first; i < factor.first + factor.count; ++i) (*taken)[i] *= factor.by;
    return taken;
}

AlteredModel alter(const TransformerConfig& config, const Parameters& parameters, std::span<const WhatIf> changes) {
    require_sense(changes, config);
    const TransformerConfig altered = altered_config(config, changes);
    return {altered, ParameterTransfer(config, altered, changes)(parameters)};
}

void require_sense(std::span<const WhatIf> changes, const TransformerConfig& config) {
    for (const WhatIf& change : changes)
        if (const std::string why = refusal(change, config); !why.empty()) throw Error(describe(change) + ": " + why);
}

}  // namespace glassformer
