#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// BERT's token types for a text of two sentences: 0 up to the token that ends the first, 1 after it.
std::vector<int> token_types_of(const std::vector<int>& tokens, const TransformerConfig& config);

/// Makes traces. A trace owns the execution that computed it and returns it when nobody holds the trace any more; so
/// nothing is copied, and the next trace of the same lengths needs no new plan. Not thread-safe; its traces are.
///
/// Everything that leads to the model's answer is computed at once and kept. Nodes that only observe (each head's share
/// of the output, the loss) are computed on demand. In a large model select_saved_activations() decides what is kept,
/// and the rest, including the answer's last steps, is computed on demand.
class Tracer {
public:
    Tracer(Backend& backend, const TransformerConfig& config, const TraceMemory& memory = {})
        : backend_(backend), config_(config), memory_(memory) {}

    /// Throws Error for no tokens, more than n_ctx, or an id outside the vocabulary, and for models that read anything
    /// other than one sentence of words.
    std::shared_ptr<const Trace> trace(const std::vector<int>& tokens, const Parameters& parameters) {
        return trace(tokens, parameters, {});
    }
    /// The same, with cells overwritten as soon as their node is computed. Node ids and shapes are those of any trace
    /// with as many tokens. Also throws Error like Execution::intervene() and OverwrittenCells.
    std::shared_ptr<const Trace> trace(const std::vector<int>& tokens, const Parameters& parameters,
                                       const std::vector<Intervention>& interventions);

    /// For any model, including translation and models that read values. Throws Error naming what is missing.
    std::shared_ptr<const Trace> trace(TraceInput input, const Parameters& parameters,
                                       const std::vector<Intervention>& interventions = {});

    /// The graph that a trace of this input has. Throws Error like trace().
    TransformerGraph model(const TraceInput& input);

private:
    /// Executions for one length that no trace currently holds; shared with the traces, which may outlive the tracer.
    struct Idle {
        std::mutex mutex;
        std::vector<std::unique_ptr<Execution>> runs;
    };
    /// The single large idle execution, of whichever length was traced last: its pages need not be returned to the
    /// system and requested again.
    struct Large {
        std::mutex mutex;
        std::weak_ptr<Idle> of;
        std::unique_ptr<Execution> run;
    };
    struct Planned {
        TransformerGraph model;
        PlanRequest request;
        std::vector<int> recomputed;  // ops that lead to the answer but are not run
        std::shared_ptr<Idle> idle;
    };
    Planned& planned(const BatchShape& shape);
    static std::vector<Intervention> of_the_run(const Planned& planned, const std::vector<Intervention>& interventions);
    std::shared_ptr<Execution> borrow(const Planned& planned);

    Backend& backend_;
    TransformerConfig config_;
    TraceMemory memory_;
    std::shared_ptr<Large> large_ = std::make_shared<Large>();
    std::map<std::pair<int, int>, Planned> by_length_;  // positions, source positions
};

/// Throws Error unless there is at least one token, at most n_ctx, and every id is in the vocabulary.
void require_tokens(const std::vector<int>& tokens, const TransformerConfig& config);

}  // namespace glassformer
