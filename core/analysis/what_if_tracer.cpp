#include "core/analysis/what_if_tracer.h"

#include <algorithm>
#include <array>

#include "core/analysis/ablation.h"
#include "core/analysis/patching.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

using namespace what_if;

// Rebuilt models that are kept, for a lecturer who goes to and fro between a few.
constexpr std::size_t most_rebuilt = 4;

/// Whether a change has to see the scores of this attention.
bool sees_scores(const WhatIf& change, int block, AttentionTo to) {
    if (const auto* uniform = std::get_if<UniformAttention>(&change))
        return uniform->block == block && uniform->to == to;
    const auto* hard = std::get_if<HardAttention>(&change);
    return hard && hard->block == block && hard->to == to;
}

/// Changes that need no run, of `graph`; none for the others.
struct WithoutRun {
    const TransformerGraph& graph;

    using Found = std::optional<Intervention>;
    Found operator()(const HeadOff& c) const { return ablate_head(graph, c.block, c.head, c.to); }
    Found operator()(const AttentionOff& c) const { return ablate_attention(graph, c.block, c.to); }
    Found operator()(const MlpOff& c) const { return ablate_mlp(graph, c.block); }
    Found operator()(const AttentionRow& c) const {
        return set_attention_row(graph, c.block, c.head, c.query, c.weights, c.to);
    }
    template <class Other>
    Found operator()(const Other&) const {
        return {};
    }
};

bool concerns(const WhatIf& change, int slot) { return slot_of(change) < 0 || slot_of(change) == slot; }

const TraceInput& other_of(const WhatIfRun& run) {
    if (!run.other) throw Error("there is no other sentence to take it from");
    return *run.other;
}

}  // namespace

/// The model with one set of structural changes.
struct WhatIfTracer::Model {
    Model(Backend& backend, const TransformerConfig& original, const TransformerConfig& altered)
        : config(altered), transfer(original, altered), tracer(backend, altered) {}

    const Parameters& parameters_of(const Parameters& original) {
        if (original != from) {
            taken = transfer(original);
            from = original;
        }
        return taken;
    }

    TransformerConfig config;
    ParameterTransfer transfer;
    Tracer tracer;
    Parameters from, taken;
};

/// One run on its way from the changes to the trace.
class WhatIfTracer::Run {
public:
    Run(Tracer& tracer, const Parameters& parameters, const WhatIfRun& run, std::span<const WhatIf> changes)
        : tracer_(tracer), parameters_(parameters), run_(run), changes_(changes), found_(changes.size()) {}

    std::shared_ptr<const Trace> finish() {
        const TransformerGraph graph = tracer_.model(run_.input);
        for (std::size_t i = 0; i < changes_.size(); ++i)
            if (concerns(changes_[i], run_.slot)) name_errors(i, [&] { find(i, graph); });
        for (int block = 0; block < graph.config.n_layers; ++block)
            for (const AttentionTo to : {AttentionTo::itself, AttentionTo::source}) find_from_scores(block, to);
        return trace();
    }

private:
    template <class Step>
    void name_errors(std::size_t i, const Step& step) const {
        try {
            step();
        } catch (const Error& e) {
            throw Error(describe(changes_[i]) + ": " + e.what());
        }
    }

    void find(std::size_t i, const TransformerGraph& graph) {
        if (const auto* c = std::get_if<Patch>(&changes_[i])) {
            if (!source_) source_ = tracer_.trace(other_of(run_), parameters_);
            found_[i] = patch(*source_, c->from, graph, c->to);
        } else {
            found_[i] = std::visit(WithoutRun{graph}, changes_[i]);
        }
    }

    // What is set in this attention and after it does not reach its scores, unless somebody sets them directly.
    void find_from_scores(int block, AttentionTo to) {
        std::shared_ptr<const Trace> seen;
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            if (!sees_scores(changes_[i], block, to)) continue;
            if (!seen) seen = trace();
            if (const auto* uniform = std::get_if<UniformAttention>(&changes_[i]))
                found_[i] = uniform_attention(*seen, block, uniform->head, -1, to);
            else if (const auto* hard = std::get_if<HardAttention>(&changes_[i]))
                found_[i] = hard_attention(*seen, block, hard->head, -1, to);
        }
    }

    /// With what has been found so far, in the order of the list.
    std::shared_ptr<const Trace> trace() const {
        std::vector<Intervention> interventions;
        for (const std::optional<Intervention>& found : found_)
            if (found) interventions.push_back(*found);
        return tracer_.trace(run_.input, parameters_, interventions);
    }

    Tracer& tracer_;
    const Parameters& parameters_;
    const WhatIfRun& run_;
    std::span<const WhatIf> changes_;
    std::vector<std::optional<Intervention>> found_;  // by change
    std::shared_ptr<const Trace> source_;             // of patches
};

WhatIfTracer::WhatIfTracer(Backend& backend, const TransformerConfig& config)
    : backend_(backend), config_(config), plain_(backend, config) {}

WhatIfTracer::~WhatIfTracer() = default;

WhatIfTracer::Model& WhatIfTracer::altered(std::span<const WhatIf> changes) {
    const TransformerConfig config = altered_config(config_, changes);
    const auto found = std::ranges::find_if(rebuilt_, [&](const auto& model) { return model->config == config; });
    if (found != rebuilt_.end()) {
        std::rotate(found, found + 1, rebuilt_.end());
    } else {
        rebuilt_.push_back(std::make_unique<Model>(backend_, config_, config));
        if (rebuilt_.size() > most_rebuilt) rebuilt_.erase(rebuilt_.begin());
    }
    for (const auto& model : rebuilt_)
        if (model != rebuilt_.back()) model->from = model->taken = nullptr;  // parameters are large
    return *rebuilt_.back();
}

std::shared_ptr<const Trace> WhatIfTracer::trace(const TraceInput& input, const Parameters& parameters) {
    return plain_.trace(input, parameters);
}

std::shared_ptr<const Trace> WhatIfTracer::trace(const WhatIfRun& run, const Parameters& parameters,
                                                 std::span<const WhatIf> changes) {
    require_sense(changes, config_);
    if (std::ranges::none_of(changes, is_structural)) return Run(plain_, parameters, run, changes).finish();
    Model& model = altered(changes);
    return Run(model.tracer, model.parameters_of(parameters), run, changes).finish();
}

std::string WhatIfTracer::refusal(const WhatIfRun& run, const WhatIf& change, std::span<const WhatIf> all) {
    if (std::string why = glassformer::refusal(change, config_); !why.empty()) return why;
    if (!concerns(change, run.slot)) return {};
    Tracer& tracer = std::ranges::any_of(all, is_structural) ? altered(all).tracer : plain_;
    try {
        const TransformerGraph graph = tracer.model(run.input);
        std::optional<Intervention> found = std::visit(WithoutRun{graph}, change);
        if (const auto* c = std::get_if<Patch>(&change)) {
            require_same_size(tracer.model(other_of(run)), c->from, graph, c->to);
            found = set_cells(graph, c->to, std::array{0.0f});
        }
        if (found) OverwrittenCells(*graph.graph, {&*found, 1});
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

}  // namespace glassformer
