#include "core/analysis/altered_backend.h"

#include <algorithm>
#include <utility>

#include "core/analysis/changed_cells.h"
#include "core/graph/plan.h"

namespace glassformer {

namespace {

TransformerGraph model_of(std::shared_ptr<const Graph> graph, const TransformerConfig& config) {
    TransformerGraph model;
    model.graph = std::move(graph);
    model.config = config;
    return model;
}

class AlteredExecution final : public Execution {
public:
    /// `run` was planned with `plan`; what of the cells it does not compute cannot reach what is kept.
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
    std::vector<Intervention> asked_;  // by intervene()
};

}  // namespace

AlteredBackend::AlteredBackend(Backend& backend, const TransformerConfig& original, std::span<const WhatIf> changes)
    : backend_(backend),
      changes_(changes_of_model(changes)),
      config_(altered_config(original, changes_)),
      transfer_(original, config_, changes_) {
    require_sense(changes_, original);
}

const Parameters& AlteredBackend::parameters(const Parameters& original) {
    if (original != from_) {
        taken_ = transfer_(original);
        from_ = original;
    }
    return taken_;
}

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
