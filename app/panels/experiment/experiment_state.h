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

/// The page of an experiment: what is chosen on it, and what was made of the newest snapshot.
struct ExperimentState {
    bool open = false;
    enum class Shows { attention, prediction, meanings } shows = Shows::attention;  // in the cards
    std::vector<std::string> chosen{"seed"};    // the knobs that the runs differ in: one or two
    std::map<std::string, std::string> values;  // by knob, as typed
    std::string claim;                          // as typed; of the lesson language
    std::string refusal;                        // why it did not begin

    int experiment = 0;              // id of the one that the following is of
    int run = -1;                    // whose head the others are compared with; −1: the first that has begun
    std::optional<HeadChoice> head;  // of that run; none: the one that looks hardest at another word

    // Made each frame, where something has changed.
    std::shared_ptr<const ExperimentInfo> matched_of;
    std::array<int, 4> matched_for{};
    int reference = -1;                 // the run that the heads are compared with; −1: none has begun
    std::vector<MatchedInRun> matched;  // by run; empty: no heads
    struct InRun {
        std::optional<bool> holds;
        std::string said;
    };
    std::vector<InRun> claims;  // by run; empty: nothing is claimed
    std::string claim_error;    // why the claim cannot be read
    std::shared_ptr<const ExperimentInfo> claimed_of;
    std::string claimed;  // the claim that `claims` are of
    std::array<int, 4> claimed_for{};

    /// What came of an experiment in the .glass file that was opened last: on screen until another one begins.
    struct Kept {
        std::shared_ptr<const ExperimentInfo> experiment;  // null: none
        std::string claim;
        std::vector<InRun> claims;  // what came of it, by run
        int after = 0;              // id of the last experiment before it
    } kept;

    std::shared_ptr<const ExperimentInfo> curves_of;
    Box curves_in{};
    std::vector<Curves> losses, metrics;
};

}  // namespace glassformer::app
