#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/analysis/answer.h"
#include "core/backend/backend.h"
#include "core/nn/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// How an answer is read. A logit or a sense is f = direction · row + constant, where row is the node's row at the
/// position, or its only row; a loss is computed from the logits.
struct AnswerReading {
    int node = -1;
    std::vector<float> direction;
    double constant = 0.0;
    bool unit = false;         // divide the row by its root mean square first
    bool of_sentence = false;  // not read at a single position
    AnswerLoss loss = AnswerLoss::none;
    int word = -1;  // the word that the loss is for

    /// Throws Error for an answer that the model does not give.
    AnswerReading(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer);

private:
    void read_loss(const TransformerGraph& model);
    void read_sense(const TransformerGraph& model, const Answer& answer);
    void read_logit(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer);
};

/// The input of one row of a batch.
struct AskedInput {
    TraceInput input;
    int position = 0;             // where in it the answer is read
    std::vector<int> truth = {};  // target words of a loss; empty: the input's own
};

/// Runs the model up to an answer, for sentences of one shape.
class AnswerRun {
public:
    enum class Gradient { none, of_words, of_all_nodes };

    AnswerRun(Backend& backend, const TransformerConfig& config, const AnswerReading& reading, const BatchShape& shape,
              Gradient gradient);

    const BatchShape& shape() const { return shape_; }
    const Graph& graph() const { return *model_.graph; }
    void feed(int row, const AskedInput& asked);

    /// f of each sentence of the batch; NaN for a loss without any predicted word.
    std::vector<double> answers(const ParameterValues& parameters);
    double answer(const ParameterValues& parameters) { return answers(parameters).front(); }

    /// Overwrites these cells from now on, as far as the answer depends on them.
    void overwrite(std::vector<Intervention> cells);

    // For a single sentence, planned with its gradient. There is one row of word embeddings per word; in translation
    // the rows of the source sentence come first.
    std::vector<float> embedding() const;
    void set_embedding(std::span<const float> e);
    /// Call after answer(). Returns Σ_j e_j · ∂f/∂e_j for each word of these embeddings.
    std::vector<double> gradient_times(std::span<const float> e);
    /// Call after gradient_times(). The gradient of a node; empty if there is none.
    std::span<const float> gradient(int node) const { return run_->gradient(node); }

private:
    Node add_reading(Graph& graph);
    std::vector<double> losses() const;

    BatchShape shape_;
    TransformerGraph model_;
    const AnswerReading& reading_;
    PlanRequest request_;
    std::unique_ptr<Execution> run_;
    std::vector<int> embeds_;               // nodes
    std::vector<std::vector<int>> wanted_;  // by row of the batch, for a loss: the target at each position; −1: none
    int place_ = -1, direction_ = -1, answer_ = -1;
};

}  // namespace glassformer
