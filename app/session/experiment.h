#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/experiment_plan.h"
#include "app/session/snapshot.h"
#include "app/session/training_run.h"
#include "core/experiments/matched_heads.h"
#include "core/experiments/side_by_side.h"

namespace glassformer::app {

/// An experiment as the window knows it. Immutable.
struct ExperimentInfo {
    struct Run {
        std::string name;
        TrainingSetup setup;
        SideRun now;
        /// What this run's model, as last reported, makes of the sentences on screen, without what-ifs: everything that
        /// the lesson language reads from one model. Null while the run waits.
        std::shared_ptr<const Snapshot> seen = {};
    };
    int id = 0;  // unique for each experiment
    ExperimentPlan plan;
    std::vector<Run> runs;
    int at_once = 1;
    double seconds_left = -1.0;              // −1: not known yet
    std::shared_ptr<const ModelInfo> model;  // of the first run, for the world and its metric

    bool under_way() const;
    int ended() const;
};

/// In one run of an experiment, the head that matches a given head of another run on one sentence. `block` < 0: none.
struct MatchedInRun {
    int block = -1, head = -1;
    double distance = 0.0;
    bool shared = false;  // see MatchedHead
};
/// Returns the matching heads, by run; for `run` itself, the given head.
std::vector<MatchedInRun> matched_heads(const ExperimentInfo& experiment, int slot, std::size_t run, int block,
                                        int head);
/// Returns the head in which a word of that run attends most strongly to any other word; `block` < 0 if there is none.
MatchedInRun hardest_head(const ExperimentInfo& experiment, int slot, std::size_t run, int word);

/// Trains the runs of a plan side by side and looks at sentences with each of them. Not thread-safe.
class ExperimentAtWork {
public:
    /// Starts training. `news` is called on other threads. Throws Error as runs_of() and SideBySide do, and if the runs
    /// that train at the same time do not fit in memory.
    ExperimentAtWork(CpuBackend& backend, ExperimentPlan plan, const std::filesystem::path& worlds, int at_once,
                     std::function<void()> news);

    SideBySide& trainings() { return *side_; }
    /// Returns the first run's model: the world, its metric and samples.
    const std::shared_ptr<const ModelInfo>& model() const { return model_; }
    /// Returns why one of the runs cannot read a text as a sentence; empty if all can.
    std::string refusal(const std::string& text) const;
    /// Returns the current state, with the sentences as each run reads them; a sentence that a run cannot read is
    /// replaced with a sample of its world. Once a run has ended, it also has a meaning map: of `homonym`, or, if its
    /// world has no such word, of a homonym in the sentences. Only what has changed is computed again.
    std::shared_ptr<const ExperimentInfo> info(const std::array<std::string, 2>& texts,
                                               const std::string& homonym = {});
    /// Opens a run that has ended as an ordinary run: to train on, to look back at, to keep. Throws Error if it has not
    /// ended.
    std::unique_ptr<TrainingRun> open(std::size_t run, int id) const;

private:
    struct Looked {
        std::unique_ptr<ActiveModel> model;
        std::uint64_t version = 0;
        std::array<std::string, 2> texts;
        std::string homonym;
        std::shared_ptr<const Snapshot> seen;
        std::shared_ptr<const SenseProbeResult> probe;  // once the run has ended
        std::shared_ptr<const MeaningMap> meaning;      // the same
    };
    OpenedModel opened(std::size_t run) const;
    std::shared_ptr<const Snapshot> look(std::size_t run, const SideRun& now, const std::array<std::string, 2>& texts,
                                         const std::string& homonym);
    static void map_meanings(Looked& looked, const Snapshot& seen, const Parameters& parameters,
                             const std::string& homonym);

    CpuBackend& backend_;
    int id_;
    ExperimentPlan plan_;
    std::filesystem::path worlds_;
    std::shared_ptr<const Task> task_;
    std::vector<ExperimentRun> runs_;
    std::vector<Looked> looked_;
    std::shared_ptr<const ModelInfo> model_;
    std::unique_ptr<SideBySide> side_;
};

}  // namespace glassformer::app
