#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/session/comparing.h"
#include "core/analysis/patching.h"
#include "core/analysis/what_if.h"

namespace glassformer::app {

/// What the window asks of the worker.
namespace command {
struct Train {};  // go on from the newest step
struct Pause {};
struct Reset {};  // back to step 0, with fresh parameters from the seed
struct SetLearningRate {
    float peak = 0.0f;
};
struct SetBatch {
    int batch = 0;
};
struct SetSeed {
    std::uint64_t seed = 0;
};  // used by the next Reset
struct Watch {
    int slot = 0;
    std::string text;
};  // slot 0 is A, 1 is B
struct LookAt {
    std::int64_t step = 0;
};                     // shows the kept step nearest to this one
struct FollowLive {};  // shows the newest step again
struct ShowMeaning {
    std::string homonym;
};
struct Save {
    std::string folder;
};
struct OpenModel {
    std::string folder;
};  // a checkpoint's folder
struct OpenWorld {
    std::string name;
};  // a fresh model of a world
struct SetWhatIf {
    std::vector<WhatIf> changes;
};  // all of them, in the order they were made; none restores the model
struct ShowNeurons {
    int block = -1;
};  // whose neurons are looked at; −1: none
struct AskPatchGrid {
    PatchedNode node = PatchedNode::resid_pre;
    int slot = 0;                           // the sentence that is patched, with the other one's activations
    int position = 0, word = 0, minus = 0;  // logit(word) − logit(minus) there is what is to move
};                                          // the grid comes with Snapshot::patch_study, run by run
struct CompareWith {
    Comparing with;
};  // what card B shows
}  // namespace command

using Command = std::variant<command::Train, command::Pause, command::Reset, command::SetLearningRate,
                             command::SetBatch, command::SetSeed, command::Watch, command::LookAt, command::FollowLive,
                             command::ShowMeaning, command::Save, command::OpenModel, command::OpenWorld,
                             command::SetWhatIf, command::AskPatchGrid, command::ShowNeurons, command::CompareWith>;

}  // namespace glassformer::app
