#include "app/session/neuron_study.h"

#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

constexpr double study_every = 0.5;  // seconds, while the parameters keep changing

bool has_neurons(const ActiveModel& model, int block) {
    const TransformerConfig& config = model.info->config;
    const bool mlp = config.activation != Activation::none && !config.recurrent();
    return model.task && model.info->trainable() && mlp && config.input == InputKind::words && block < config.n_layers;
}

}  // namespace

void NeuronStudy::plan(Backend& backend, const ActiveModel& model, std::span<const WhatIf> changes) {
    planned_for_ = model.info;
    planned_block_ = block_;
    planned_changes_.assign(changes.begin(), changes.end());
    studied_ = nullptr;
    found_ = nullptr;
    corpus_ = nullptr;
    altered_ = nullptr;
    if (!has_neurons(model, block_)) return;
    const TransformerConfig& config = model.info->config;
    if (!changes.empty()) altered_ = std::make_unique<AlteredBackend>(backend, config, planned_changes_);
    corpus_ = altered_ ? std::make_unique<NeuronCorpus>(*altered_, altered_->config(), *model.task->batches, block_)
                       : std::make_unique<NeuronCorpus>(backend, config, *model.task->batches, block_);
}

void NeuronStudy::show(Snapshot& snapshot, const Subject& of) {
    if (block_ < 0) return;
    const std::vector<WhatIf>& changes = snapshot.shown.changes;
    if (planned_for_ != of.model.info || planned_block_ != block_ || planned_changes_ != changes)
        plan(of.backend, of.model, changes);
    const bool later = of.training && found_ && seconds_since(studied_at_) < study_every;
    if (corpus_ && of.parameters && studied_ != of.parameters && !later) {
        found_ = std::make_shared<NeuronExamples>(
            corpus_->study(altered_ ? *altered_->parameters(of.parameters) : *of.parameters));
        studied_ = of.parameters;
        studied_at_ = Clock::now();
    }
    snapshot.neurons = found_;
}

}  // namespace glassformer::app
