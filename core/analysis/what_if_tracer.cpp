#include "core/analysis/what_if_tracer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/altered_backend.h"
#include "core/analysis/patching.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

using namespace what_if;

// The number of rebuilt models to keep, for a lecturer who switches between a few.
constexpr std::size_t most_rebuilt = 4;

bool concerns(const WhatIf& change, int slot) { return slot_of(change) < 0 || slot_of(change) == slot; }

const TraceInput& other_of(const WhatIfRun& run) {
    if (!run.other) throw Error("there is no other sentence to patch from");
    return *run.other;
}

}  // namespace

/// The model with one set of structural changes.
struct WhatIfTracer::Model {
    Model(Backend& backend, const TransformerConfig& original, const TransformerConfig& altered)
        : config(altered), transfer(original, altered, {}), tracer(backend, altered) {}

    /// γ and β of norms change only parameters: the model is built once for all their values.
    void scale_norms(const TransformerConfig& original, std::span<const WhatIf> changes) {
        std::vector<WhatIf> wanted;
        std::ranges::copy_if(changes, std::back_inserter(wanted),
                             [](const WhatIf& c) { return std::holds_alternative<NormScaled>(c); });
        if (wanted == scaled) return;
        transfer = ParameterTransfer(original, config, wanted);
        scaled = std::move(wanted);
    }

    TransformerConfig config;
    ParameterTransfer transfer;
    Tracer tracer;
    std::vector<WhatIf> scaled;
};

std::shared_ptr<const Trace> WhatIfTracer::run(Tracer& tracer, const Parameters& parameters, const WhatIfRun& run,
                                               std::span<const WhatIf> changes) {
    std::vector<WhatIf> here;
    std::ranges::copy_if(changes, std::back_inserter(here),
                         [&](const WhatIf& change) { return concerns(change, run.slot); });
    const TransformerGraph graph = tracer.model(run.input);
    ChangedCells cells(graph, here);
    std::shared_ptr<const Trace> other, own;  // sources of patches
    const auto source = [&](PatchSource from) -> const Trace& {
        auto& known = from == PatchSource::other ? other : own;
        if (!known) known = tracer.trace(from == PatchSource::other ? other_of(run) : run.input, parameters);
        return *known;
    };
    for (std::size_t i = 0; i < here.size(); ++i) {
        try {
            if (const auto* c = std::get_if<Patch>(&here[i]))
                cells.set(i, patch(source(PatchSource::other), c->from, graph, c->to));
            else if (const auto* part = std::get_if<HeadPatch>(&here[i]); part && part->source == PatchSource::world)
                cells.set(i, patch_head(*part, graph,
                                        mean_over_world(tracer, parameters, graph.config,
                                                        place_of(graph.config, part->block, part->head, part->part, -1,
                                                                 part->to))));
            else if (part)
                cells.set(i, patch_head(*part, graph, source(part->source)));
        } catch (const Error& e) {
            throw Error("{1}: {2}", describe(here[i]), e.what());
        }
    }
    cells.find_from_scores([&](const std::vector<Intervention>& with, const std::string& node) {
        return values_of(*tracer.trace(run.input, parameters, with), {node});
    });
    return tracer.trace(run.input, parameters, cells.all());
}

const std::vector<TraceInput>& WhatIfTracer::world() {
    if (const auto make = std::exchange(make_world_, nullptr)) world_ = make();
    return world_;
}

const std::vector<float>& WhatIfTracer::mean_over_world(Tracer& tracer, const Parameters& parameters,
                                                        const TransformerConfig& config, const HookPoint& place) {
    std::erase_if(means_, [](const Mean& mean) { return mean.of.expired(); });
    const auto found = std::ranges::find_if(means_, [&](const Mean& mean) {
        return mean.of.lock() == parameters && mean.place == place && mean.config == config;
    });
    if (found != means_.end()) return found->mean;
    means_.push_back({parameters, config, place, mean_of_part(tracer, parameters, world(), place)});
    return means_.back().mean;
}

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
        if (model != rebuilt_.back()) model->transfer.forget();  // parameters are large
    rebuilt_.back()->scale_norms(config_, changes);
    return *rebuilt_.back();
}

std::shared_ptr<const Trace> WhatIfTracer::trace(const TraceInput& input, const Parameters& parameters) {
    return plain_.trace(input, parameters);
}

std::shared_ptr<const Trace> WhatIfTracer::trace(const WhatIfRun& run, const Parameters& parameters,
                                                 std::span<const WhatIf> changes) {
    require_sense(changes, config_);
    if (std::ranges::none_of(changes, is_structural)) return this->run(plain_, parameters, run, changes);
    Model& model = altered(changes);
    return this->run(model.tracer, model.transfer(parameters), run, changes);
}

std::string WhatIfTracer::refusal(const WhatIfRun& run, const WhatIf& change, std::span<const WhatIf> all) {
    if (std::string why = glassformer::refusal(change, config_); !why.empty()) return why;
    if (!concerns(change, run.slot)) return {};
    Tracer& tracer = std::ranges::any_of(all, is_structural) ? altered(all).tracer : plain_;
    try {
        const TransformerGraph graph = tracer.model(run.input);
        std::optional<Intervention> found = cells_of(graph, change);
        if (const auto* c = std::get_if<Patch>(&change)) {
            require_same_size(tracer.model(other_of(run)), c->from, graph, c->to);
            found = set_cells(graph, c->to, std::array{0.0f});
        } else if (const auto* part = std::get_if<HeadPatch>(&change)) {
            const bool other = part->source == PatchSource::other;
            require_fits(*part, graph, other ? tracer.model(other_of(run)) : graph);
            if (part->source == PatchSource::world && world().empty()) throw Error(no_world_sentences);
            const HookPoint place =
                place_of(graph.config, part->block, part->head, part->part, part->position, part->to);
            found = set_cells(graph, place, std::array{0.0f});
        }
        if (found) OverwrittenCells(*graph.graph, {&*found, 1});
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

}  // namespace glassformer
