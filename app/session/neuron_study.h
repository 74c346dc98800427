#pragma once

#include <chrono>

#include "app/session/study.h"
#include "core/analysis/neurons.h"

namespace glassformer::app {

/// The words of the world's corpus that excite the neurons of one block, as long as somebody looks. Computed again when
/// other parameters, another block, another model or other changes to it are shown; while those change all the time,
/// twice a second.
class NeuronStudy : public Study {
public:
    /// −1: nobody looks.
    void look_at(int block) { block_ = block; }
    /// Null where nobody looks, for a model without a world or without words, and for a block without neurons.
    void show(Snapshot& snapshot, const Subject& of) override;

private:
    using Clock = std::chrono::steady_clock;

    void plan(Backend& backend, const ActiveModel& model, std::span<const WhatIf> changes);

    int block_ = -1;
    std::shared_ptr<const ModelInfo> planned_for_;
    int planned_block_ = -1;
    std::vector<WhatIf> planned_changes_;
    std::unique_ptr<AlteredBackend> altered_;  // that the corpus runs on, where the model is altered
    std::unique_ptr<NeuronCorpus> corpus_;     // null where there is nothing to study
    Parameters studied_;
    Clock::time_point studied_at_{};
    std::shared_ptr<const NeuronExamples> found_;
};

}  // namespace glassformer::app
