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

/// The ops from a model's last residual stream to its logits and probabilities: the final norm and the unembedding,
/// whatever they are in this model.
struct OutputHead {
    /// Throws Error for a model that has no residual streams, or whose output is not a word at every position.
    explicit OutputHead(const TransformerGraph& model);

    /// Whether what is said at a position depends on its own stream alone.
    bool row_by_row() const;

    TransformerGraph model;
    std::vector<int> streams;  // nodes, by layer: n_layers + 1; 0 is the embedding with its position
    std::vector<int> ops;      // in order
};

/// The head applied to some rows of any stream: the model's own ops, so that rows of the last stream give the model's
/// own logits to the last bit. Not thread-safe.
class HeadRun {
public:
    /// The floats of a node that the head reads and does not compute: a parameter.
    using Outside = std::function<const float*(int node)>;

    /// Keeps references to all but `rows`, which are those of the model's graph that the streams are taken from.
    HeadRun(const OutputHead& head, Slices rows, Outside outside, ThreadPool& pool);

    /// `stream`, [rows, d_model], must stay until backward() has returned.
    void forward(const float* stream);
    /// [rows, d_vocab]
    std::span<const float> logits() const { return values(head_.model.logits); }
    std::span<const float> probabilities() const { return values(head_.model.probabilities); }
    /// After forward(): from d loss / d logits to d loss / d stream, [rows, d_model].
    std::span<const float> backward(std::span<const float> of_logits);

private:
    const Graph& graph() const { return *head_.model.graph; }
    Shape shape(int node) const;
    std::span<const float> values(int node) const;
    std::vector<ConstView> inputs(int node);
    void run(int node);
    void run_back(int node);
    /// Of an input of an op: nothing for what is not made of the stream.
    GradientSlot slot(int node);

    const OutputHead& head_;
    const Slices rows_;
    const Outside outside_;
    ThreadPool& pool_;
    std::deque<AlignedFloats> computed_;
    std::map<int, const float*> now_;         // by node, of what the head computes and the stream
    std::map<int, const float*> read_;        // of what is outside
    std::map<int, AlignedFloats> gradients_;  // by root
};

}  // namespace glassformer
