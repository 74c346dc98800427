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

/// Commands that the window sends to the worker.
namespace command {
struct Train {};  // continues from the newest step
struct Pause {};
struct Reset {};  // restarts at step 0 with fresh parameters from the seed
struct SetLearningRate {
    float peak = 0.0f;
};
struct SetBatch {
    int batch = 0;
};
/// Sets the seed for the next Reset.
struct SetSeed {
    std::uint64_t seed = 0;
};
/// Watches this text; slot 0 is sentence A, 1 is B.
struct Watch {
    int slot = 0;
    std::string text;
    bool or_keep = false;  // if the text cannot be read, keeps the old one; WatchedSentence::refused says why
};
/// Shows the kept step nearest to this one.
struct LookAt {
    std::int64_t step = 0;
};
struct FollowLive {};  // shows the newest step again
struct ShowMeaning {
    std::string homonym;
};
struct Save {
    std::string folder;
};
/// Opens a checkpoint's folder.
struct OpenModel {
    std::string folder;
    bool set_aside = false;  // keeps the current runs for BringBack
};
/// Opens a fresh model of a world.
struct OpenWorld {
    std::string name;
    std::vector<SetupSwitch> switches = {};   // where the model or its training differs from the world's proposal
    std::optional<TrainingSetup> setup = {};  // replaces the world's whole proposal, including its source
    bool set_aside = false;                   // keeps the current runs for BringBack
};
struct GiveUpOpening {};  // cancels the fresh model that is being made; Snapshot::given_up counts these
/// Brings back the runs in Snapshot::set_aside.
struct BringBack {
    bool beside = false;  // keeps the current runs on screen too; otherwise replaces them
};
/// Replaces all changes, in the order in which they were made. An empty list restores the original model.
struct SetWhatIf {
    std::vector<WhatIf> changes;
};
/// The most held-out sentences of a world over which a model's activations are averaged (PatchSource::world).
/// ModelInfo::averaged_sentences has the actual number.
inline constexpr int averaged_sentences = 64;
/// Fills a patch grid run by run; see Snapshot::patch_study.
struct AskPatchGrid {
    PatchedPlaces places = {};
    int slot = 0;                                       // the sentence to patch, with activations of the other one
    int position = 0, word = 0, minus = 0;              // measures logit(word) − logit(minus) at this position
    PatchPartners partners = {}, source_partners = {};  // see PatchAlignment
};
/// Studies the neurons of this block; −1: none.
struct ShowNeurons {
    int block = -1;
};
struct ShowEmbeddings {
    bool shown = false;                // whether the embedding maps are on screen
    std::array<int, 2> words{-1, -1};  // by card: the word whose nearest neighbours are wanted; −1: none
};
struct MaskEveryWord {
    bool on = false;  // whether Snapshot::masked_surprise is on screen
};
/// Asks for Snapshot::word_parts.
struct AskWordParts {
    AskedOfSentences of;
    bool go_on = true;  // otherwise stops and keeps what was found so far
};
struct ShowNearestUses {
    bool on = false;             // whether Snapshot::nearest_uses is on screen
    int slot = 0, position = 0;  // of the word
    int layer = 0;               // 0: the embedding; l: after l blocks
    bool operator==(const ShowNearestUses&) const = default;
};
/// Trains a tuned lens for the model and step on screen; see Snapshot::tuned_lens.
struct TuneLens {
    bool go = true;  // otherwise cancels the training of the lens and discards any result
};
/// Chooses what card B shows.
struct CompareWith {
    Comparing with;
};

// Training: see app/session/run_info.h and training_setup.h.
/// Trains for `count` steps, then pauses.
struct MakeSteps {
    std::int64_t count = 1;
};
/// Trains, and pauses as soon as one of these limits is reached.
struct TrainUntil {
    StopAt at;
};
/// Slows training down for teaching; 0: full speed.
struct LimitSpeed {
    double steps_per_second = 0.0;
};
/// Asks how that world would be trained; see Snapshot::preview.
struct Propose {
    std::string world;
    std::optional<std::string> unit;
};
/// Asks what a model with that set-up would be; see Snapshot::preview.
struct Preview {
    TrainingSetup setup;
};
/// Starts a fresh model beside the existing runs.
struct NewRun {
    TrainingSetup setup;
    std::string name;
    bool train = false;  // starts training it, unless it could not be made
};
struct Branch {
    std::int64_t step = 0;  // of the current run; the nearest kept step is taken
    TrainingSetup setup;    // the world and the model's shape stay those of the current run
    std::vector<RemovedHead> removed;
    std::string name;
    bool train = false;  // as above
};
/// Changes the options and the dropout of the current run, from its next step on.
struct ChangeSetup {
    TrainingSetup setup;
};
struct ChooseRun {
    int id = 0;
};
/// Pauses training and starts an experiment; see Snapshot::experiment.
struct StartExperiment {
    ExperimentPlan plan;
    bool set_aside = false;  // keeps the current experiment for StopExperiment to bring back; otherwise discards it
};
/// Stops the experiment and keeps what it has finished, or brings the previous one back.
struct StopExperiment {
    bool bring_back = false;  // restores the experiment set aside (possibly none), unless another one has started since
};
/// Opens a run of the experiment beside the existing runs.
struct OpenExperimentRun {
    int run = 0;  // a run of the experiment that has ended
};
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
/// Asks for Snapshot::inspection, updated at every step that is shown.
struct Inspect {
    Inspected what = Inspected::nothing;
    std::int64_t cell = 0;  // for `weight`: the index in the flat parameter vector
};
/// Saves a run in full, then keeps its folder up to date as it grows.
struct KeepRun {
    std::string folder;
    int id = -1;  // may be a run that is set aside; −1: the current run
};
struct OpenRun {
    std::string folder;
};
struct OpenLostRuns {};    // opens Snapshot::lost_runs to continue them
struct RemoveLostRuns {};  // deletes Snapshot::lost_runs
/// Records the layer and the head on screen with the active run, which reopens with them.
struct NoteView {
    int layer = 0, head = 0;
};
struct EndCleanly {};  // discards everything unsaved: nothing of it stays on disk
/// Keeps on disk the steps of every run that do not fit in memory, from now on.
struct KeepOnDisk {
    DiskSteps steps;
};
/// Saves the metrics of the current run as CSV.
struct SaveMetrics {
    std::string file;
};
/// Chooses the backend that trains. A training under way continues on it from its current step.
struct ChooseBackend {
    BackendPreference preference = BackendPreference::automatic;
};
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
