#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "core/analysis/what_if.h"
#include "core/base/mark_text.h"
#include "core/trace/tracer.h"

/// Activation patching (Vig et al. 2020, causal mediation; Meng et al. 2022, "Locating and Editing Factual
/// Associations"): puts an activation from a run on sentence B into a run on sentence A. If that moves A's answer
/// towards B's, the activation carries what distinguishes the sentences.
namespace glassformer {

/// The intervention that sets a place of a run to the values of a place in `source`. `from` and `to` may differ in
/// position and head, and the sentences in length, as long as both places have the same number of cells. Throws Error
/// if they have not, or if there is no such place.
Intervention patch(const Trace& source, const HookPoint& from, const TransformerGraph& target, const HookPoint& to);
Intervention patch(const Trace& source, const HookPoint& site);

/// Checks the places for patch() before anything is run; throws Error like patch().
void require_same_size(const TransformerGraph& source, const HookPoint& from, const TransformerGraph& target,
                       const HookPoint& to);

/// logit(word) − logit(minus) at a position: what the patches are meant to move.
struct LogitDifference {
    int position = 0, word = 0, minus = 0;

    /// `logits` is [pos, d_vocab].
    double of(std::span<const float> logits, int d_vocab) const;
    double of(const Trace& trace) const;
};

/// The node to patch in each block, at each position.
enum class PatchedNode { resid_pre, attn_out, mlp_out };
/// "blocks.3.hook_resid_pre".
std::string patched_name(PatchedNode node, int block);
/// True for the patches that a user can make: one position of such a node into one position of the same node. patch()
/// takes any place, even an answer.
bool is_usual_patch(const HookPoint& from, const HookPoint& to);

/// Throws Error if the patched run has no such part of a head, or the run that it is taken from (`source`) has not.
void require_fits(const what_if::HeadPatch& patch, const TransformerGraph& target, const TransformerGraph& source);

/// The patch of a head's part, from the other sentence's run, or from the patched one's own if it takes the mean.
///
/// The mean of a vector is over all words. A row of the pattern gets the mean of all rows, set to 0 on the masked keys
/// and divided by the remaining sum, so it sums to 1. From a sentence of another length, a row gets the weights of the
/// words that have a partner, divided by their sum. Rows with nothing left stay unchanged.
///
/// Throws Error like require_fits(), and for the mean over a world.
Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace& source);
/// The same from a mean over many sentences: the mean of the part's vectors, [width].
Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, std::span<const float> mean);

/// Why there is no mean over a world.
inline constexpr const char* no_world_sentences = N_("there are no sentences of this model's world to average over");
/// The mean of a part's vectors over all words of these sentences, [width]. Throws Error if there are none. Runs each
/// sentence once.
std::vector<float> mean_of_part(Tracer& tracer, const Parameters& parameters, std::span<const TraceInput> sentences,
                                const HookPoint& place);

/// Every part of one head, at each word and at all words together: an alternative content of a patch grid.
struct PatchedHead {
    int block = 0, head = 0;
    PatchSource source = PatchSource::other;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const PatchedHead&) const = default;
};
using PatchedPlaces = std::variant<PatchedNode, PatchedHead>;

/// The effect of every patch of one kind. Rows are blocks and columns are positions. For a single head, rows are its
/// parts and the last column is all words together. If it attends to the source, the columns of the source's words come
/// first: k and v belong to them, and q, pattern and z to the others.
struct PatchGrid {
    int rows = 0, columns = 0;
    int source = 0;                  // number of columns for the source's words
    double a = 0.0, b = 0.0;         // the difference in each sentence's own run; NaN if B has no such position
    std::vector<double> difference;  // [row, column]: in A's run with the patch; NaN if not run
    bool complete = false;           // false: not run to the end

    double at(int row, int column) const {
        return difference[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                          static_cast<std::size_t>(column)];
    }
    /// 0: the patch changes nothing; 1: it turns A's answer into B's. 0 if a and b are equal.
    double effect(int row, int column) const;
};

/// Which words correspond in the two sentences, and in their source sentences.
struct PatchAlignment {
    PatchPartners words = {}, source = {};
    bool operator==(const PatchAlignment&) const = default;
};

/// Runs A once per cell of the grid, with that activation taken from B or from a mean. Uses A's parameters and inputs.
/// Throws Error if no partners are given and the sentences differ in their number of tokens, if partners are not
/// positions of the two sentences, if the models differ, if A's run has interventions, if a word or the position does
/// not exist, or if there is no such node or head.
PatchGrid patch_grid(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                     const LogitDifference& difference, const PatchAlignment& partners = {});

/// A patch grid filled one run at a time, for callers with other work in between. Use it from one thread at a time.
class PatchGridRun {
public:
    /// `a` and `b` must outlive this object. `world`: the sentences for a mean over the model's world. Throws Error
    /// like patch_grid().
    PatchGridRun(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                 const LogitDifference& difference, PatchAlignment partners = {},
                 std::span<const TraceInput> world = {});
    ~PatchGridRun();

    int done() const { return done_; }
    int total() const { return grid_.rows * grid_.columns; }
    /// Does the next run, row by row; does nothing once the grid is complete.
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
