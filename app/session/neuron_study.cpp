#include "app/session/neuron_study.h"

#include <algorithm>

#include "app/session/worker.h"

namespace glassformer::app {

namespace {

constexpr double study_every = 0.5;  // seconds, while the parameters change all the time

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

std::shared_ptr<const NeuronExamples> NeuronStudy::examples(Backend& backend, const ActiveModel& model,
                                                            std::span<const WhatIf> changes,
                                                            const Parameters& parameters, bool training) {
    if (block_ < 0) return nullptr;
    if (planned_for_ != model.info || planned_block_ != block_ || !std::ranges::equal(planned_changes_, changes))
        plan(backend, model, changes);
    if (!corpus_ || !parameters || studied_ == parameters) return found_;
    const bool soon = std::chrono::duration<double>(Clock::now() - studied_at_).count() < study_every;
    if (training && found_ && soon) return found_;
    found_ =
        std::make_shared<NeuronExamples>(corpus_->study(altered_ ? *altered_->parameters(parameters) : *parameters));
    studied_ = parameters;
    studied_at_ = Clock::now();
    return found_;
}

void Session::Worker::perform(const command::ShowNeurons& c) { neurons_.look_at(c.block); }

}  // namespace glassformer::app
