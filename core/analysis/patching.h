#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/analysis/interventions.h"

/// Activation patching (Vig et al. 2020, causal mediation; Meng et al. 2022, "Locating and Editing Factual
/// Associations"): an activation of a run on sentence B is put into a run on sentence A. Where that moves A's answer
/// towards B's, the activation carries what tells the sentences apart.
namespace glassformer {

/// The intervention that gives a place of a run the values that a place has in `source`; `from` and `to` may differ in
/// position and head, and the sentences in length, as long as both places have as many cells. Throws Error where they
/// have not, or where there is no such place.
Intervention patch(const Trace& source, const HookPoint& from, const TransformerGraph& target, const HookPoint& to);
Intervention patch(const Trace& source, const HookPoint& site);

/// What patch() needs of two places, before anything is run: throws Error as it does.
void require_same_size(const TransformerGraph& source, const HookPoint& from, const TransformerGraph& target,
                       const HookPoint& to);

/// logit(word) − logit(minus) at a position: what the patching is to move.
struct LogitDifference {
    int position = 0, word = 0, minus = 0;

    /// Of logits [pos, d_vocab].
    double of(std::span<const float> logits, int d_vocab) const;
    double of(const Trace& trace) const;
};

/// What is patched in each block, at each position.
enum class PatchedNode { resid_pre, attn_out, mlp_out };
/// "blocks.3.hook_resid_pre".
std::string patched_name(PatchedNode node, int block);
/// Whether one position of such a node is put into one of the same node: the patches that a person can make. patch()
/// takes any place, an answer too.
bool is_usual_patch(const HookPoint& from, const HookPoint& to);

/// By position of A: the position of B whose activation is put there; −1: none is. Empty: the same position, of
/// sentences of one length.
using PatchPartners = std::vector<int>;

/// The effect of every patch of one kind.
struct PatchGrid {
    int blocks = 0, positions = 0;
    double a = 0.0, b = 0.0;         // the difference in either sentence's own run; NaN where B has no such place
    std::vector<double> difference;  // [block, pos]: in A's run with the patch; NaN where none was run
    bool complete = false;           // false: stopped

    double at(int block, int position) const {
        return difference[static_cast<std::size_t>(block) * static_cast<std::size_t>(positions) +
                          static_cast<std::size_t>(position)];
    }
    /// 0: the patch changes nothing; 1: it turns A's answer into B's. 0 where a and b are the same.
    double effect(int block, int position) const;
};

/// After each run: how many are done, of how many.
using PatchProgress = std::function<void(int done, int total)>;

/// Runs A once for each block and position with that activation taken from B. Parameters and inputs are A's. Returns
/// what it has when `stop` is requested. Throws Error when no partners are given and the sentences have not the same
/// number of tokens, when they are not places of the two sentences, the models differ, A's run has interventions, a
/// word or the position is not there, or the model has no such node.
PatchGrid patch_grid(Backend& backend, const Trace& a, const Trace& b, PatchedNode node,
                     const LogitDifference& difference, const PatchProgress& progress = {}, std::stop_token stop = {},
                     const PatchPartners& partners = {});

/// A patch grid that is filled a run at a time, for who has other things to do in between. One thread at a time.
class PatchGridRun {
public:
    /// `a` and `b` must live as long. Throws Error as patch_grid() does.
    PatchGridRun(Backend& backend, const Trace& a, const Trace& b, PatchedNode node, const LogitDifference& difference,
                 PatchPartners partners = {});
    ~PatchGridRun();

    int done() const { return done_; }
    int total() const { return grid_.blocks * grid_.positions; }
    /// One more run, block by block, position by position; nothing when the grid is complete.
    void step();
    const PatchGrid& grid() const { return grid_; }

private:
    class Rerun;

    const Trace& b_;
    PatchedNode node_;
    LogitDifference difference_;
    PatchPartners partners_;
    PatchGrid grid_;
    int done_ = 0, d_vocab_ = 0;
    std::unique_ptr<Rerun> rerun_;
};

}  // namespace glassformer
