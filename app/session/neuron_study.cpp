#include "app/session/neuron_study.h"

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

void NeuronStudy::plan(Backend& backend, const ActiveModel& model) {
    planned_for_ = model.info;
    planned_block_ = block_;
    studied_ = nullptr;
    found_ = nullptr;
    corpus_ = nullptr;
    if (!has_neurons(model, block_)) return;
    corpus_ = std::make_unique<NeuronCorpus>(backend, model.info->config, *model.task->batches(), block_);
}

std::shared_ptr<const NeuronExamples> NeuronStudy::examples(Backend& backend, const ActiveModel& model,
                                                            const Parameters& parameters, bool training) {
    if (block_ < 0) return nullptr;
    if (planned_for_ != model.info || planned_block_ != block_) plan(backend, model);
    if (!corpus_ || !parameters || studied_ == parameters) return found_;
    const bool soon = std::chrono::duration<double>(Clock::now() - studied_at_).count() < study_every;
    if (training && found_ && soon) return found_;
    found_ = std::make_shared<NeuronExamples>(corpus_->study(*parameters));
    studied_ = parameters;
    studied_at_ = Clock::now();
    return found_;
}

void Session::Worker::perform(const command::ShowNeurons& c) { neurons_.look_at(c.block); }

}  // namespace glassformer::app
