#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/thread_pool.h"
#include "core/nn/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The linear map that computes a model's logits, row · matrix + bias; node ids, −1 for none.
struct Unembedding {
    int row = -1;          // what it reads; −1: the logits are computed otherwise
    int matrix = -1;       // parameter: [d_model, d_vocab], or [d_vocab, d_model] if `by_word`
    int bias = -1;         // parameter
    int product = -1;      // the logits, or what a separate op adds the bias to
    bool by_word = false;  // tied to the embedding

    explicit Unembedding(const TransformerGraph& model);
};

/// The ops from a model's last residual stream to its logits and probabilities: the final norm and the unembedding, of
/// whatever kind.
struct OutputHead {
    /// Throws Error for a model without residual streams, or one that does not predict a word at every position.
    explicit OutputHead(const TransformerGraph& model);

    /// True if the prediction at a position depends on the stream at that position alone.
    bool row_by_row() const;

    TransformerGraph model;
    std::vector<int> streams;  // node ids by layer, n_layers + 1; 0 is the embedding plus position
    std::vector<int> ops;      // node ids, in order
};

/// Applies the head to some rows of any stream. It runs the model's own ops, so rows of the last stream give the
/// model's own logits bit for bit. Not thread-safe.
class HeadRun {
public:
    /// Returns the values of a node that the head reads but does not compute: a parameter.
    using Outside = std::function<const float*(int node)>;

    /// Keeps references to `head` and `pool`. `rows` are positions in the graph that the streams come from.
    HeadRun(const OutputHead& head, Slices rows, Outside outside, ThreadPool& pool);

    /// `stream` is [rows, d_model] and must stay valid until backward() has returned.
    void forward(const float* stream);
    /// [rows, d_vocab]
    std::span<const float> logits() const { return values(head_.model.logits); }
    std::span<const float> probabilities() const { return values(head_.model.probabilities); }
    /// Call after forward(). Returns d loss / d stream, [rows, d_model], given d loss / d logits.
    std::span<const float> backward(std::span<const float> of_logits);

private:
    const Graph& graph() const { return *head_.model.graph; }
    Shape shape(int node) const;
    std::span<const float> values(int node) const;
    std::vector<ConstView> inputs(int node);
    void run(int node);
    void run_back(int node);
    /// The gradient slot of an op's input; empty if the input does not depend on the stream.
    GradientSlot slot(int node);

    const OutputHead& head_;
    const Slices rows_;
    const Outside outside_;
    ThreadPool& pool_;
    std::deque<AlignedFloats> computed_;
    std::map<int, const float*> now_;         // by node: the stream, and what the head computes
    std::map<int, const float*> read_;        // by node: values from outside
    std::map<int, AlignedFloats> gradients_;  // by root
};

}  // namespace glassformer
