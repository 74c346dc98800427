#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/analysis/answer.h"
#include "core/backend/backend.h"
#include "core/nn/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// How an answer is read. A logit or a sense is f = direction · row + constant, of the node's row at the position, or
/// of its only one; a loss is of the logits.
struct AnswerReading {
    int node = -1;
    std::vector<float> direction;
    double constant = 0.0;
    bool unit = false;         // of the row divided by its root mean square
    bool of_sentence = false;  // it is read at no single position
    AnswerLoss loss = AnswerLoss::none;
    int word = -1;  // whose loss it is

    /// Throws Error for an answer that the model does not give.
    AnswerReading(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer);

private:
    void read_loss(const TransformerGraph& model);
    void read_sense(const TransformerGraph& model, const Answer& answer);
    void read_logit(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer);
};

/// What one row of a batch reads.
struct AskedInput {
    TraceInput input;
    int position = 0;             // where the answer is in it
    std::vector<int> truth = {};  // the words that a loss is of, where they are not the input's own
};

/// The model up to an answer, for sentences of one shape.
class AnswerRun {
public:
    enum class Gradient { none, of_words, of_all_nodes };

    AnswerRun(Backend& backend, const TransformerConfig& config, const AnswerReading& reading, const BatchShape& shape,
              Gradient gradient);

    const BatchShape& shape() const { return shape_; }
    const Graph& graph() const { return *model_.graph; }
    void feed(int row, const AskedInput& asked);

    /// f of each sentence of the batch; NaN for a loss of which no word is predicted.
    std::vector<double> answers(const ParameterValues& parameters);
    double answer(const ParameterValues& parameters) { return answers(parameters).front(); }

    // Of one sentence, planned with its gradient. Word embeddings are one row for each word; of a translation first
    // those of the sentence that is translated.
    std::vector<float> embedding() const;
    void set_embedding(std::span<const float> e);
    /// After answer(): Σ_j e_j · ∂f/∂e_j of each word, for these embeddings.
    std::vector<double> gradient_times(std::span<const float> e);
    /// After gradient_times(): of a node; empty where there is none.
    std::span<const float> gradient(int node) const { return run_->gradient(node); }

private:
    Node add_reading(Graph& graph);
    std::vector<double> losses() const;

    BatchShape shape_;
    TransformerGraph model_;
    const AnswerReading& reading_;
    std::unique_ptr<Execution> run_;
    std::vector<int> embeds_;               // nodes
    std::vector<std::vector<int>> wanted_;  // by row of the batch, of a loss: the word of each position; −1: none
    int place_ = -1, direction_ = -1, answer_ = -1;
};

}  // namespace glassformer
