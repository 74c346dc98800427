#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/live_numbers.h"
#include "app/session/experiment.h"

namespace glassformer::app {

/// What a claim says of one run of an experiment.
struct ClaimInRun {
    std::optional<bool> holds;  ///< none where a side is not known: the run waits, or has no such thing
    std::string said;           ///< what the left sides say here: "hit"
};

/// A claim of the lesson language, {A: top "bat"} = foul, held against every run. Where an expression leaves out block
/// and head, they are those of `heads`: the head that does in each run what one of them does.
std::vector<ClaimInRun> hold_against(const Condition& claim, const ExperimentInfo& experiment,
                                     std::span<const MatchedInRun> heads);
/// Of the page of an experiment: holds what is claimed there against its runs, where something has changed.
void hold_claim(const Frame& frame);
/// The place of the first word that the claim asks about, and in which sentence; −1: of none.
WordPlace word_of(const Condition& claim, const Snapshot& seen);

}  // namespace glassformer::app
