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

/// The part that each word of a sentence has in an answer of the model, told in several ways, which need not agree.
namespace glassformer {

struct AnswerReading;
class AnswerRun;

/// By position of the sentence; NaN where a number is not there yet, or where there is none. Of a translation the words
/// that are translated come first, and then those of the translation as far as the decoder has read it.
struct WordParts {
    double answer = 0.0;  ///< f of the whole sentence
    /// f − f of the sentence without the word; none for the word at whose position the answer is read, nor for the only
    /// one of its sentence.
    std::vector<double> removed;
    /// f − f of the sentence with the mask token in its place; empty without a mask token.
    std::vector<double> hidden;
    /// Gradient × input: Σ_j e_j · ∂f/∂e_j, e the word's token embedding. What the answer would lose if it went on as
    /// steeply as it does here while the word's embedding shrinks to 0.
    std::vector<double> gradient;
    /// Integrated gradients (Sundararajan et al. 2017): Σ_j e_j · ∫₀¹ ∂f/∂e_j (α·e of all words) dα, from the baseline
    /// in which the token embeddings of all words are 0; positions and token types stay.
    std::vector<double> integrated;
    double baseline = 0.0;  ///< f of the baseline
    double sum = 0.0;       ///< of `integrated`: `answer` − `baseline` up to the rest
    int steps = 0;          ///< gradients that the integral was taken from
    /// By position: its share of the position where the answer is read, see attention_rollout(); empty: none. Never
    /// below 0.
    std::vector<double> rollout;

    double rest() const { return answer - baseline - sum; }
};

/// ∂f/∂x of every number x that the model computed on the way to the answer f.
class NodeGradients {
public:
    /// Of all cells of a node; empty where no path leads from it to the answer.
    std::span<const float> of(const Graph& graph, int node) const;

    /// One way from a number x to the answer: a node that is made of x.
    struct Way {
        int node = -1;
        double part = 0.0;  ///< Σ over its cells y: ∂f/∂y · ∂y/∂x
    };
    /// Where ∂f/∂x of a cell comes from, by the chain rule: the parts of all ways add up to it, but where the answer is
    /// read from x itself. Each is computed anew from the trace, which must be of what the gradients are of.
    std::vector<Way> ways(const Trace& trace, const Cell& cell) const;

private:
    friend class WordPartsRun;
    std::map<int, std::vector<float>> by_root_;
};

struct WordPartsOptions {
    std::optional<int> mask = {};  ///< id of the mask token
    /// The integral is exact enough where what its pieces leave over, each in size, is together at most this share of
    /// the answer's change from the baseline (of 0.01 where that is smaller).
    double tolerance = 1e-3;
    int most_steps = 600;    ///< gradients, after which the rest is what it is
    bool gradients = false;  ///< of every node, at the sentence as it is: see WordPartsRun::gradients()
};

/// The work, one run of the model at a time. Not thread-safe.
class WordPartsRun {
public:
    /// Sentences longer than this take a person's time: one more run for each word.
    static constexpr int longest = 256;

    /// Throws Error for an answer that the model does not give, and where refusal() says why.
    WordPartsRun(Backend& backend, const TransformerConfig& config, Parameters parameters, TraceInput input,
                 Answer answer, const WordPartsOptions& options = {});
    ~WordPartsRun();

    /// Why words have no parts in answers of models of this config; empty where they have.
    static std::string refusal(const TransformerConfig& config);

    /// The next run; nothing once complete(). First the sentence with its gradient, then sentences without a word,
    /// with a word hidden, and the integral, a gradient at a time.
    void step();
    bool complete() const;
    int done() const { return done_; }
    /// Runs as far as is known: the integral says as it goes on how many it takes.
    int total() const;
    /// All but `rollout`, which is of a trace.
    const WordParts& found() const { return found_; }
    /// Where they were asked for and are not too many to be kept, after the first step; else null. Nodes are those of a
    /// trace of this model.
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
    std::vector<Altered> altered_;  // to come, the last one first
    WordParts found_;
    std::shared_ptr<const NodeGradients> gradients_;
    int done_ = 0;
};

/// The words that are among the `most` largest of every method, in size, and have one sign in all that have signs.
/// Methods that have no numbers are left out, and words that have none in one of the others; where only one method has
/// any, nothing is agreed on.
std::vector<int> agreed_words(const WordParts& parts, std::size_t most);

}  // namespace glassformer
