#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/common/metric_curves.h"
#include "app/session/experiment.h"

namespace glassformer::app {

/// The state of the experiment page: the user's choices, and results derived from the newest snapshot.
struct ExperimentState {
    bool open = false;
    enum class Shows { attention, prediction, meanings } shows = Shows::attention;  // in the cards
    std::vector<std::string> chosen{"seed"};    // the knobs that the runs differ in: one or two
    std::map<std::string, std::string> values;  // by knob, as typed
    std::string claim;                          // as typed, in the lesson language
    std::string refusal;                        // why the experiment did not start

    int experiment = 0;              // id of the experiment that the members below describe
    int run = -1;                    // whose head the others are compared with; −1: the first that has started
    std::optional<HeadChoice> head;  // in that run; nullopt: the head that attends most strongly to another word

    // Recomputed in a frame if something has changed.
    std::shared_ptr<const ExperimentInfo> matched_of;
    std::array<int, 4> matched_for{};
    int reference = -1;                 // the run that the heads are compared with; −1: none has started
    std::vector<MatchedInRun> matched;  // by run; empty: there are no heads
    struct InRun {
        std::optional<bool> holds;
        std::string said;
    };
    std::vector<InRun> claims;  // by run; empty: there is no claim
    std::string claim_error;    // why the claim cannot be parsed
    std::shared_ptr<const ExperimentInfo> claimed_of;
    std::string claimed;  // the claim that `claims` evaluates
    std::array<int, 4> claimed_for{};

    /// The results of an experiment in the .glass file opened last. Shown until another experiment starts.
    struct Kept {
        std::shared_ptr<const ExperimentInfo> experiment;  // null: none
        std::string claim;
        std::vector<InRun> claims;  // results of the claim, by run
        int after = 0;              // id of the last experiment before it
    } kept;

    std::shared_ptr<const ExperimentInfo> curves_of;
    Box curves_in{};
    std::vector<Curves> losses, metrics;
};

}  // namespace glassformer::app
