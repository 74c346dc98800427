#include "app/lessons/experiment_claim.h"

#include <algorithm>

#include "app/lessons/live_reader.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_state.h"
#include "core/base/error.h"

namespace glassformer::app {

std::vector<ClaimInRun> hold_against(const Condition& claim, const ExperimentInfo& experiment,
                                     std::span<const MatchedInRun> heads) {
    std::vector<ClaimInRun> found(experiment.runs.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::shared_ptr<const Snapshot>& seen = experiment.runs[i].seen;
        if (!seen) continue;
        const MatchedInRun head = i < heads.size() ? heads[i] : MatchedInRun{};
        const LivePlace place{*seen, std::max(0, head.block), std::max(0, head.head)};
        found[i].holds = holds(claim, place);
        for (const Condition::Comparison& c : claim.all)
            found[i].said += (found[i].said.empty() ? "" : ", ") + evaluate(c.left, place);
    }
    return found;
}

void hold_claim(const Frame& frame) {
    match_experiment(frame);
    ExperimentState& s = frame.own<ExperimentState>();
    const std::shared_ptr<const ExperimentInfo>& experiment = experiment_of(frame);
    const bool same_heads = s.claimed_for == s.matched_for;
    if (s.claimed == s.claim && s.claimed_of == experiment && same_heads) return;
    s.claimed = s.claim;
    s.claimed_of = experiment;
    s.claimed_for = s.matched_for;
    s.claims.clear();
    s.claim_error.clear();
    if (s.claim.empty()) return;
    if (experiment && experiment == s.kept.experiment && s.claim == s.kept.claim) return void(s.claims = s.kept.claims);
    try {
        const Condition claim = parse_condition(s.claim, 1);
        if (!experiment) return;
        for (ClaimInRun& run : hold_against(claim, *experiment, s.matched))
            s.claims.push_back({run.holds, std::move(run.said)});
    } catch (const Error& e) {
        s.claim_error = e.what();
    }
}

WordPlace word_of(const Condition& claim, const Snapshot& seen) {
    for (const Condition::Comparison& c : claim.all)
        for (const LiveText* side : {&c.left, &c.right})
            for (const LiveText::Piece& piece : side->pieces)
                if (piece.live && !piece.live->words.empty()) {
                    const live::Reader reader(*piece.live, {seen});
                    if (const int position = reader.position(0); position >= 0) return {piece.live->slot, position};
                }
    return {};
}

}  // namespace glassformer::app
