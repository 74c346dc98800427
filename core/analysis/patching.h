#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

#include "core/analysis/what_if.h"
#include "core/base/mark_text.h"
#include "core/trace/tracer.h"

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

/// Throws Error where a patch of a head's part has no place in such a run, or takes from a place that the other has
/// not. `source`: of the run that it is taken from.
void require_fits(const what_if::HeadPatch& patch, const TransformerGraph& target, const TransformerGraph& source);

/// The patch of a head's part, from the run of the other sentence, or of its own where it takes the mean.
///
/// The mean of a vector is that over all words. A row of the pattern gets the mean of all rows, 0 on the keys that it
/// must not look at, divided by what is left: it sums to 1. From a sentence of another length it gets the weights of
/// the words that have a partner, divided by their sum. Rows of which nothing would be left stay as they are.
///
/// Throws Error as require_fits() does, and for the mean of a world.
Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace& source);
/// The same from a mean over many sentences: of the part's vectors, [width].
Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, std::span<const float> mean);

/// Why there is no mean over a world.
inline constexpr const char* no_world_sentences = N_("there are no sentences of this model's world to average over");
/// The mean of a part's vectors over all words of these sentences, [width]. Throws Error where there are
/// none. Runs each of them once.
std::vector<float> mean_of_part(Tracer& tracer, const Parameters& parameters, std::span<const TraceInput> sentences,
                                const HookPoint& place);

/// Every part of one head, at every word and at all of them: what a patch grid can be of, too.
struct PatchedHead {
    int block = 0, head = 0;
    PatchSource source = PatchSource::other;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const PatchedHead&) const = default;
};
using PatchedPlaces = std::variant<PatchedNode, PatchedHead>;

/// The effect of every patch of one kind. A row is a block, a column a position; of one head a row is a part, and the
/// last column is every word. Of a head that attends to the source the words of the source come first: k and v are at
/// them, and q, pattern and z at the others.
struct PatchGrid {
    int rows = 0, columns = 0;
    int source = 0;                  // columns of the source's words
    double a = 0.0, b = 0.0;         // the difference in either sentence's own run; NaN where B has no such place
    std::vector<double> difference;  // [row, column]: in A's run with the patch; NaN where none was run
    bool complete = false;           // false: stopped

    double at(int row, int column) const {
        return difference[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                          static_cast<std::size_t>(column)];
    }
    /// 0: the patch changes nothing; 1: it turns A's answer into B's. 0 where a and b are the same.
    double effect(int row, int column) const;
};

/// After each run: how many are done, of how many.
using PatchProgress = std::function<void(int done, int total)>;

/// What belongs together in the two sentences, and in those that are translated.
struct PatchAlignment {
    PatchPartners words = {}, source = {};
    bool operator==(const PatchAlignment&) const = default;
};

/// Runs A once for each cell of the grid with that activation taken from B, or from a mean. Parameters and
/// inputs are A's. Returns what it has when `stop` is requested. Throws Error when no partners are given and the
/// sentences have not the same number of tokens, when they are not places of the two sentences, the models differ, A's
/// run has interventions, a word or the position is not there, or the model has no such node or head.
PatchGrid patch_grid(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                     const LogitDifference& difference, const PatchProgress& progress = {}, std::stop_token stop = {},
                     const PatchAlignment& partners = {});

/// A patch grid that is filled a run at a time, for who has other things to do in between. One thread at a time.
class PatchGridRun {
public:
    /// `a` and `b` must live as long. `world`: the sentences of a mean over the model's world. Throws Error as
    /// patch_grid() does.
    PatchGridRun(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                 const LogitDifference& difference, PatchAlignment partners = {},
                 std::span<const TraceInput> world = {});
    ~PatchGridRun();

    int done() const { return done_; }
    int total() const { return grid_.rows * grid_.columns; }
    /// One more run, row by row; nothing when the grid is complete.
    void step();
    const PatchGrid& grid() const { return grid_; }

private:
    class Rerun;

    std::optional<Intervention> cells(int row, int column) const;
    std::optional<Intervention> of_head(const PatchedHead& head, HeadPart part, int column) const;

    const Trace &a_, &b_;
    PatchedPlaces places_;
    LogitDifference difference_;
    PatchAlignment partners_;
    std::vector<std::vector<float>> means_;  // over the world, by part
    PatchGrid grid_;
    int done_ = 0, d_vocab_ = 0;
    std::unique_ptr<Rerun> rerun_;
};

}  // namespace glassformer
