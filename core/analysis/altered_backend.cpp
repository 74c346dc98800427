#include "core/analysis/altered_backend.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/graph/plan.h"

namespace glassformer {

namespace {

using namespace what_if;

/// Handles the changes that need no pass; returns none for the others.
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

/// The attention whose scores a change needs.
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
            throw Error("{1}: {2}", describe(changes_[i]), e.what());
        }
    }
}

void ChangedCells::find_from_scores(const Pass& pass) {
    for (int block = 0; block < model_.config.n_layers; ++block)
        for (const AttentionTo to : {AttentionTo::itself, AttentionTo::source}) {
            std::vector<float> scores;  // from a pass that runs only if a change needs it
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

namespace {

using namespace what_if;

struct Alter {
    TransformerConfig& config;

    void operator()(const PositionsOff&) const { config.positions = Positions::none; }
    void operator()(const MaskOff&) const { config.attention.causal_mask = false; }
    void operator()(const ScaleOff&) const { config.attention.scale = false; }
    void operator()(const NormOff&) const {
        config.norm_placement = NormPlacement::none;
        config.norm = NormKind::layer_norm;  // no norm is left to choose
        config.norm_scalar = config.embedding_norm = config.head_norm = config.attention.qk_norm = false;
    }
    void operator()(const ResidualOff&) const { config.residual = false; }
    template <class Other>
    void operator()(const Other&) const {}
};

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
    const std::shared_ptr<const Graph> source = parameter_graph(from), target = parameter_graph(to);
    from_count_ = source->parameter_count();
    to_count_ = target->parameter_count();
    for (const int id : target->parameters()) {
        const NodeInfo& wanted = (*target)[id];
        const NodeInfo& found = (*source)[source->at(wanted.name)];
        if (found.shape != wanted.shape) throw Error("the parameter {1} has another size in the model", wanted.name);
        const std::int64_t count = wanted.shape.elements();
        if (!copies_.empty() && copies_.back().from + copies_.back().count == found.offset)
            copies_.back().count += count;  // the new ones are consecutive anyway
        else
            copies_.push_back({found.offset, wanted.offset, count});
    }
    for (const WhatIf& change : changes) {
        const auto* scaled = std::get_if<NormScaled>(&change);
        if (!scaled) continue;
        if (!source->find(scaled->norm + ".w")) throw Error("this model has no norm \"{1}\"", scaled->norm);
        for (const auto& [name, by] : {std::pair{".w", scaled->gamma}, {".b", scaled->beta}})
            if (const std::optional<int> id = target->find(scaled->norm + name); id && by != 1.0f)
                factors_.push_back({(*target)[*id].offset, (*target)[*id].shape.elements(), by});
    }
}

const Parameters& ParameterTransfer::operator()(const Parameters& parameters) {
    if (parameters == from_) return taken_;
    if (factors_.empty() && copies_.size() == 1 && copies_[0].count == from_count_) return from_ = taken_ = parameters;
    auto taken = std::make_shared<ParameterValues>(static_cast<std::size_t>(to_count_));
    for (const Copy& copy : copies_)
        parameters->copy(copy.from, {taken->data() + copy.to, static_cast<std::size_t>(copy.count)});
    for (const Factor& factor : factors_)
        for (std::int64_t i = factor.first; i < factor.first + factor.count; ++i) (*taken)[i] *= factor.by;
    taken_ = std::move(taken);
    from_ = parameters;
    return taken_;
}

AlteredModel alter(const TransformerConfig& config, const Parameters& parameters, std::span<const WhatIf> changes) {
    require_sense(changes, config);
    const TransformerConfig altered = altered_config(config, changes);
    return {altered, ParameterTransfer(config, altered, changes)(parameters)};
}

void require_sense(std::span<const WhatIf> changes, const TransformerConfig& config) {
    for (const WhatIf& change : changes)
        if (const std::string why = refusal(change, config); !why.empty())
            throw Error("{1}: {2}", describe(change), why);
}

namespace {

TransformerGraph model_of(std::shared_ptr<const Graph> graph, const TransformerConfig& config) {
    TransformerGraph model;
    model.graph = std::move(graph);
    model.config = config;
    return model;
}

class AlteredExecution final : public Execution {
public:
    /// `run` was planned with `plan`. Changed cells that it does not compute cannot affect what it keeps.
    AlteredExecution(std::unique_ptr<Execution> run, ChangedCells cells, const Plan& plan)
        : run_(std::move(run)),
          cells_(std::move(cells)),
          forward_(plan.forward()),
          sees_scores_(!cells_.scores().empty()) {
        run_->intervene(of_the_run(cells_.all()));
    }

    const Graph& graph() const override { return run_->graph(); }
    void set_input(int id, std::span<const float> values) override { run_->set_input(id, values); }
    std::span<float> input_values(int id) override { return run_->input_values(id); }
    void intervene(std::vector<Intervention> interventions) override {
        asked_ = std::move(interventions);
        run_->intervene(of_the_run(cells_.all()));
    }
    void forward(const ParameterView& parameters) override {
        if (sees_scores_) {
            ChangedCells cells = cells_;
            cells.find_from_scores([&](const std::vector<Intervention>& with, const std::string& node) {
                run_->intervene(of_the_run(with));
                run_->forward(parameters);
                const std::span<const float> scores = run_->view(graph().at(node));
                return std::vector<float>(scores.begin(), scores.end());
            });
            run_->intervene(of_the_run(cells.all()));
        }
        run_->forward(parameters);
    }
    void backward(std::span<float> gradients) override { run_->backward(gradients); }
    void read(int id, std::span<float> values) const override { run_->read(id, values); }
    std::span<const float> view(int id) const override { return run_->view(id); }
    std::span<const float> gradient(int id) const override { return run_->gradient(id); }
    float loss() const override { return run_->loss(); }
    bool finite() const override { return run_->finite(); }
    std::int64_t arena_bytes() const override { return run_->arena_bytes(); }

private:
    std::vector<Intervention> of_the_run(std::vector<Intervention> all) const {
        std::erase_if(all,
                      [&](const Intervention& i) { return std::ranges::find(forward_, i.node) == forward_.end(); });
        all.insert(all.end(), asked_.begin(), asked_.end());
        return all;
    }

    std::unique_ptr<Execution> run_;
    ChangedCells cells_;
    std::vector<int> forward_;
    bool sees_scores_;
    std::vector<Intervention> asked_;  // from intervene()
};

std::vector<WhatIf> sensible_changes(std::span<const WhatIf> changes, const TransformerConfig& original) {
    std::vector<WhatIf> all = changes_of_model(changes);
    require_sense(all, original);
    return all;
}

}  // namespace

AlteredBackend::AlteredBackend(Backend& backend, const TransformerConfig& original, std::span<const WhatIf> changes)
    : backend_(backend),
      changes_(sensible_changes(changes, original)),
      config_(altered_config(original, changes_)),
      transfer_(original, config_, changes_) {}

std::unique_ptr<Execution> AlteredBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) {
    ChangedCells cells(model_of(graph, config_), changes_);
    PlanRequest with_scores = request;
    const std::vector<int> scores = cells.scores();
    with_scores.keep.insert(with_scores.keep.end(), scores.begin(), scores.end());
    const Plan plan(*graph, with_scores);
    return std::make_unique<AlteredExecution>(backend_.prepare(std::move(graph), with_scores), std::move(cells), plan);
}

std::vector<WhatIf> changes_of_model(std::span<const WhatIf> changes) {
    std::vector<WhatIf> found;
    std::ranges::copy_if(changes, std::back_inserter(found), [](const WhatIf& change) { return slot_of(change) < 0; });
    return found;
}

}  // namespace glassformer
