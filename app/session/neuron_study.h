#pragma once

#include <chrono>

#include "app/session/study.h"
#include "core/analysis/neurons.h"

namespace glassformer::app {

/// Finds the words of the world's corpus that most excite the neurons of one block, while somebody looks. Computed
/// again when the parameters, the block, the model or its changes differ; during training, at most twice a second.
class NeuronStudy : public Study {
public:
    /// −1: nobody looks.
    void look_at(int block) { block_ = block; }
    /// Gives null if nobody looks, for a model without a world or words, and for a block without neurons.
    void show(Snapshot& snapshot, const Subject& of) override;

private:
    using Clock = std::chrono::steady_clock;

    void plan(Backend& backend, const ActiveModel& model, std::span<const WhatIf> changes);

    int block_ = -1;
    std::shared_ptr<const ModelInfo> planned_for_;
    int planned_block_ = -1;
    std::vector<WhatIf> planned_changes_;
    std::unique_ptr<AlteredBackend> altered_;  // runs the corpus if the model is altered
    std::unique_ptr<NeuronCorpus> corpus_;     // null if there is nothing to study
    Parameters studied_;
    Clock::time_point studied_at_{};
    std::shared_ptr<const NeuronExamples> found_;
};

}  // namespace glassformer::app
