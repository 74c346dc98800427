#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/comparing.h"
#include "app/session/disk_steps.h"
#include "app/session/experiment_plan.h"
#include "app/session/inspection.h"
#include "app/session/run_info.h"
#include "app/session/setup_switches.h"
#include "app/session/word_parts.h"
#include "core/analysis/patching.h"
#include "core/analysis/what_if.h"
#include "core/devices/choose.h"

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
    bool or_keep = false;  // where it cannot be read, what is watched stays, and WatchedSentence::refused says why
};                         // slot 0 is A, 1 is B
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
    bool set_aside = false;  // the runs that there are, for BringBack
};                           // a checkpoint's folder
struct OpenWorld {
    std::string name;
    std::vector<SetupSwitch> switches = {};   // where the model, or its training, is not as the world proposes
    std::optional<TrainingSetup> setup = {};  // instead of what the world proposes, its source included
    bool set_aside = false;                   // the runs that there are, for BringBack
};                                            // a fresh model of a world
struct GiveUpOpening {};                      // the fresh model that is being made; Snapshot::given_up counts these
struct BringBack {
    bool beside = false;  // the runs that there are now, which go on; else in their place
};                        // Snapshot::set_aside
struct SetWhatIf {
    std::vector<WhatIf> changes;
};  // all of them, in the order they were made; none restores the model
/// Most held-out sentences of its world that a mean of a model's parts is over (PatchSource::world); how many there
/// are says ModelInfo::averaged_sentences.
inline constexpr int averaged_sentences = 64;
struct AskPatchGrid {
    PatchedPlaces places = {};
    int slot = 0;                           // the sentence that is patched, with the other one's activations
    int position = 0, word = 0, minus = 0;  // logit(word) − logit(minus) there is what is to move
    PatchPartners partners = {}, source_partners = {};  // see PatchAlignment
};                                                      // the grid comes with Snapshot::patch_study, run by run
struct ShowNeurons {
    int block = -1;
};  // whose neurons are looked at; −1: none
struct ShowEmbeddings {
    bool shown = false;                // whether the maps of the embeddings are looked at
    std::array<int, 2> words{-1, -1};  // by card: whose nearest words are looked at; −1: none
};
struct MaskEveryWord {
    bool on = false;  // whether somebody looks at Snapshot::masked_surprise
};
struct AskWordParts {
    AskedOfSentences of;
    bool go_on = true;  // else what is there stays, and no more is done
};                      // Snapshot::word_parts
struct ShowNearestUses {
    bool on = false;             // whether somebody looks at Snapshot::nearest_uses
    int slot = 0, position = 0;  // of the word
    int layer = 0;               // 0 the embedding, then after each block
    bool operator==(const ShowNearestUses&) const = default;
};
struct TuneLens {
    bool go = true;  // else what is under way is given up, and what there is forgotten
};                   // of the model and the step that are shown; comes as Snapshot::tuned_lens
struct CompareWith {
    Comparing with;
};  // what card B shows

// Training: see app/session/run_info.h and training_setup.h.
struct MakeSteps {
    std::int64_t count = 1;
};  // and pause
struct TrainUntil {
    StopAt at;
};  // train, and pause when one of these is reached
struct LimitSpeed {
    double steps_per_second = 0.0;
};  // for teaching; 0: as fast as it goes
struct Propose {
    std::string world;
    std::optional<std::string> unit;
};  // how that world would be learned; comes as Snapshot::preview
struct Preview {
    TrainingSetup setup;
};  // what that would be; comes as Snapshot::preview
struct NewRun {
    TrainingSetup setup;
    std::string name;
};  // a fresh model, beside the runs that there are
struct Branch {
    std::int64_t step = 0;  // of the current run: the kept one nearest to it
    TrainingSetup setup;    // its world and its model's shape are the current run's
    std::vector<RemovedHead> removed;
    std::string name;
};
struct ChangeSetup {
    TrainingSetup setup;
};  // options and dropout of the current run, from its next step on
struct ChooseRun {
    int id = 0;
};
struct StartExperiment {
    ExperimentPlan plan;
    bool set_aside = false;  // the one that there is, until StopExperiment brings it back; else it is gone
};                           // the training that runs pauses. Comes as Snapshot::experiment
struct StopExperiment {
    bool bring_back = false;  // what was set aside, be it none, where no other one has begun since
};                            // else what is done of it is kept
struct OpenExperimentRun {
    int run = 0;  // of the experiment, one that has ended
};                // beside the runs that there are
struct RenameRun {
    int id = 0;
    std::string name;
};
struct ColourRun {
    int id = 0, colour = 0;
};
struct HideRun {
    int id = 0;
    bool hidden = true;
};
struct DeleteRun {
    int id = 0;
};
struct Inspect {
    Inspected what = Inspected::nothing;
    std::int64_t cell = 0;  // of `weight`: its place in the flat parameter vector
};                          // comes as Snapshot::inspection, again with every step that is shown
struct KeepRun {
    std::string folder;
    int id = -1;  // of those that are set aside, too; −1: the current one
};                // whole, and from then on as it grows
struct OpenRun {
    std::string folder;
};
struct OpenLostRuns {};    // Snapshot::lost_runs, to go on with
struct RemoveLostRuns {};  // throws them away
/// The layer and the head on screen, for the run at work: it opens with them again.
struct NoteView {
    int layer = 0, head = 0;
};
struct EndCleanly {};  // what is not saved is not wanted: nothing of it is left on disk
struct KeepOnDisk {
    DiskSteps steps;
};  // what memory has no room for, of every run from now on
struct SaveMetrics {
    std::string file;
};  // of the current run, as CSV
struct ChooseBackend {
    BackendPreference preference = BackendPreference::automatic;
};  // what trainings are computed on; a training goes on there from its step
}  // namespace command

using Command =
    std::variant<command::Train, command::Pause, command::Reset, command::SetLearningRate, command::SetBatch,
                 command::SetSeed, command::Watch, command::LookAt, command::FollowLive, command::ShowMeaning,
                 command::Save, command::OpenModel, command::OpenWorld, command::BringBack, command::SetWhatIf,
                 command::AskPatchGrid, command::CompareWith, command::MakeSteps, command::TrainUntil,
                 command::LimitSpeed, command::Propose, command::Preview, command::NewRun, command::Branch,
                 command::ChangeSetup, command::ChooseRun, command::RenameRun, command::ColourRun, command::HideRun,
                 command::DeleteRun, command::Inspect, command::KeepRun, command::OpenRun, command::SaveMetrics,
                 command::KeepOnDisk, command::ShowNeurons, command::MaskEveryWord, command::AskWordParts,
                 command::ShowNearestUses, command::TuneLens, command::ChooseBackend, command::ShowEmbeddings,
                 command::StartExperiment, command::StopExperiment, command::OpenExperimentRun, command::OpenLostRuns,
                 command::RemoveLostRuns, command::NoteView, command::EndCleanly, command::GiveUpOpening>;

}  // namespace glassformer::app
