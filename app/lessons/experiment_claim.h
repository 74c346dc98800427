#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/live_numbers.h"
#include "app/session/experiment.h"

namespace glassformer::app {

/// The result of a claim in one run of an experiment.
struct ClaimInRun {
    std::optional<bool> holds;  ///< none if a side is unknown: the run is waiting, or has no such thing
    std::string said;           ///< the left-hand sides here: "hit"
};

/// Evaluates a claim of the lesson language, {A: top "bat"} = foul, in every run. An expression without block and head
/// uses the matching head of each run in `heads`.
std::vector<ClaimInRun> hold_against(const Condition& claim, const ExperimentInfo& experiment,
                                     std::span<const MatchedInRun> heads);
/// Evaluates the claim on the experiment page in its runs, if something has changed.
void hold_claim(const Frame& frame);
/// Returns the sentence and position of the first word that the claim asks about; position −1: none.
WordPlace word_of(const Condition& claim, const Snapshot& seen);

}  // namespace glassformer::app
