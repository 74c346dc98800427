#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/answer.h"
#include "core/backend/backend.h"
#include "core/nn/config.h"
#include "core/trace/trace.h"

/// How much each word of a sentence contributes to an answer of the model, by several methods, which need not agree.
namespace glassformer {

struct AnswerReading;
class AnswerRun;

/// Indexed by position in the sentence; NaN where a number is missing or not computed yet. In translation the words of
/// the source sentence come first, then those of the translation as far as the decoder has read it.
struct WordParts {
    double answer = 0.0;  ///< f of the whole sentence
    /// f − f of the sentence without the word; NaN for the word at whose position the answer is read, and for the only
    /// word of its sentence.
    std::vector<double> removed;
    /// f − f of the sentence with the word replaced by the mask token; empty without a mask token.
    std::vector<double> hidden;
    /// Gradient × input: Σ_j e_j · ∂f/∂e_j, where e is the word's token embedding. What the answer would lose if the
    /// word's embedding shrank to 0 and f stayed as steep as it is here.
    std::vector<double> gradient;
    /// Integrated gradients (Sundararajan et al. 2017): Σ_j e_j · ∫₀¹ ∂f/∂e_j (α·e of all words) dα. In the baseline
    /// the token embeddings of all words are 0; positions and token types stay.
    std::vector<double> integrated;
    double baseline = 0.0;  ///< f of the baseline
    double sum = 0.0;       ///< of `integrated`: `answer` − `baseline`, up to rest()
    int steps = 0;          ///< number of gradients used for the integral
    /// Each word's share of the position of the answer, see attention_rollout(); never negative. Empty: none.
    std::vector<double> rollout;

    double rest() const { return answer - baseline - sum; }
};

/// ∂f/∂x of every number x that the model computed on the way to the answer f.
class NodeGradients {
public:
    /// The gradient of all cells of a node; empty if no path leads from it to the answer.
    std::span<const float> of(const Graph& graph, int node) const;

    /// One path from a number x to the answer, through a node computed from x.
    struct Way {
        int node = -1;
        double part = 0.0;  ///< Σ over its cells y: ∂f/∂y · ∂y/∂x
    };
    /// The parts of ∂f/∂x for a cell x, by the chain rule: they sum to ∂f/∂x, except if the answer is read from x
    /// itself. Each part is recomputed from `trace`, which must be of the same run as the gradients.
    std::vector<Way> ways(const Trace& trace, const Cell& cell) const;

private:
    friend class WordPartsRun;
    std::map<int, std::vector<float>> by_root_;
};

struct WordPartsOptions {
    std::optional<int> mask = {};  ///< id of the mask token
    /// The integral is accurate enough if the absolute errors of its pieces sum to at most this share of the answer's
    /// change from the baseline (or of 0.01, whichever is larger).
    double tolerance = 1e-3;
    int most_steps = 600;    ///< maximum number of gradients, even if not accurate enough by then
    bool gradients = false;  ///< keep those of every node for the original sentence: see WordPartsRun::gradients()
    std::vector<Intervention> overwritten = {};  ///< in the run whose numbers `gradients` belong to, and only there
};

/// Computes WordParts, one run of the model per step. Not thread-safe.
class WordPartsRun {
public:
    /// Longer sentences would take too long for an interactive user: they need one more run per word.
    static constexpr int longest = 256;

    /// Throws Error for an answer that the model does not give, or if refusal() is not empty.
    WordPartsRun(Backend& backend, const TransformerConfig& config, Parameters parameters, TraceInput input,
                 Answer answer, const WordPartsOptions& options = {});
    ~WordPartsRun();

    /// Why the words have no parts in answers of models of this config; empty if they have.
    static std::string refusal(const TransformerConfig& config);

    /// Does the next run; does nothing once complete(). First the sentence with its gradient, then the sentences with a
    /// word removed or hidden, and the integral, one gradient at a time.
    void step();
    bool complete() const;
    int done() const { return done_; }
    /// The number of runs known so far: the integral finds out on the way how many it needs.
    int total() const;
    /// Everything except `rollout`, which needs a trace.
    const WordParts& found() const { return found_; }
    /// Available after the first step if requested and not too large to keep; else null. Nodes are those of a trace of
    /// this model.
    const std::shared_ptr<const NodeGradients>& gradients() const { return gradients_; }

private:
    class Path;
    struct Altered;

    void begin();
    void find_gradients();
    void alter_some();
    void list_altered();

    Backend& backend_;
    TransformerConfig config_;
    Parameters parameters_;
    TraceInput input_;
    Answer answer_;
    WordPartsOptions options_;
    std::unique_ptr<const AnswerReading> reading_;
    std::unique_ptr<AnswerRun> altered_run_;
    std::unique_ptr<Path> path_;
    std::vector<Altered> altered_;  // still to do; the next one is last
    WordParts found_;
    std::shared_ptr<const NodeGradients> gradients_;
    int done_ = 0;
};

/// Returns the words that are among the `most` largest in absolute value by every method and have the same sign in all
/// signed methods. Ignores methods without numbers, and words without a number in one of the other methods. Empty if
/// only one method has numbers.
std::vector<int> agreed_words(const WordParts& parts, std::size_t most);

}  // namespace glassformer
