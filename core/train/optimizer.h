#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/mark_text.h"
#include "core/base/reflection.h"
#include "core/base/thread_pool.h"
#include "core/graph/graph.h"
#include "core/graph/parameters.h"

namespace glassformer {

/// Stochastic gradient descent (Robbins & Monro 1951), with momentum (Polyak 1964), Adam (Kingma & Ba 2015), AdamW
/// (Loshchilov & Hutter 2019).
enum class OptimizerKind { sgd, momentum, adam, adamw };
template <>
inline constexpr auto enum_names<OptimizerKind> = names_up_to<OptimizerKind::adamw>("sgd", "momentum", "adam", "adamw");

/// What an optimizer carries from one update to the next. Shared and immutable.
struct OptimizerState {
    OptimizerKind kind = OptimizerKind::adamw;
    std::int64_t updates = 0;   // since the moments were 0
    Parameters m = {}, v = {};  // null if the method has none, or if they were not kept

    /// True if everything that the method needs is present.
    bool complete() const;
};

/// Everything, apart from the options, that determines how a training continues: from the same state and options it
/// continues byte for byte the same. Batches and dropout are drawn from (seed, step); the running statistics of batch
/// normalization are cells of the parameters. A shared, immutable snapshot.
struct TrainingState {
    std::int64_t step = 0;  // updates made so far
    Parameters parameters = {};
    OptimizerState optimizer = {};
    std::uint64_t seed = 1;

    /// True if training continues from here exactly as it did the first time. A state with parameters only can still be
    /// inspected, or trained on with fresh moments.
    bool exact() const { return step == 0 || optimizer.complete(); }
    /// Size of its values in bytes.
    std::size_t bytes() const;
};

/// The hyperparameters of all methods, named as in their papers. Each method reads only its own.
struct OptimizerOptions {
    OptimizerKind kind = OptimizerKind::adamw;
    float beta1 = 0.9f;     // Adam, AdamW: how much of m is kept; in [0, 1)
    float beta2 = 0.98f;    // Adam, AdamW: how much of v is kept; in [0, 1)
    float momentum = 0.9f;  // momentum: μ; in [0, 1)
    float epsilon = 1e-8f;  // Adam, AdamW; above 0
    /// λ, for parameters with two or more axes; biases, γ and β are not decayed. AdamW shrinks the weight itself; the
    /// others add λ·w to the gradient (after clipping, as PyTorch does).
    float weight_decay = 0.01f;

    bool operator==(const OptimizerOptions&) const = default;
};

template <MaybeConst<OptimizerOptions> Fields, class Visit>
void visit_fields(Fields& optimizer, const Visit& visit) {
    visit("kind", optimizer.kind);
    visit("beta1", optimizer.beta1);
    visit("beta2", optimizer.beta2);
    visit("momentum", optimizer.momentum);
    visit("epsilon", optimizer.epsilon);
    visit("weight_decay", optimizer.weight_decay);
}

/// Throws Error naming the value that is out of range.
void validate(const OptimizerOptions& options);

/// The state of one cell before an update.
struct CellBefore {
    double weight = 0.0;
    double gradient = 0.0;  // before clipping
    double factor = 1.0;    // clip factor
    double m = 0.0, v = 0.0;
    double weight_decay = 0.0;  // of this cell
    double learning_rate = 0.0;
    std::int64_t update = 1;  // number of this update, from 1
};

/// The result of that update, computed independently in double.
struct CellUpdate {
    double m = 0.0, v = 0.0;
    double change = 0.0;               // weight − weight before
    double weight = 0.0;               // after the update
    std::vector<std::string> numbers;  // the formula's lines with actual numbers: "m = 0.9 · 0.0012 + 0.1 · −0.03 = …"
};

/// Turns gradients into new parameters. To give the same bytes every time, the parameters and gradients must be
/// cache-line aligned (AlignedFloats). Not thread-safe; step() allocates nothing.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    /// "AdamW".
    virtual std::string_view name() const = 0;
    /// The paper's equation in symbols, one line per assignment.
    virtual std::string_view formula() const = 0;
    /// Makes one update. The gradient is first multiplied by `factor` (clipping).
    virtual void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
                      ThreadPool& pool) = 0;
    /// Computes in double what one update does to one cell.
    virtual CellUpdate explain(const CellBefore& before) const = 0;

    const OptimizerOptions& options() const { return options_; }
    /// Applies from the next update on. Throws Error if the options are for another method, or out of range.
    void set_options(const OptimizerOptions& options);
    /// λ for the cells of this parameter.
    float weight_decay_of(const NodeInfo& parameter) const;

    /// Moving averages, one value per parameter; empty if the method has none.
    std::span<const float> m() const { return m_; }
    std::span<const float> v() const { return v_; }
    std::int64_t updates() const { return updates_; }

    /// Forgets m, v and the number of updates.
    void reset();
    /// A copy of m, v and the number of updates.
    OptimizerState state() const;
    /// Continues from that state. Starts over if it is of another method or incomplete. Throws Error if the sizes are
    /// not this model's.
    void restore(const OptimizerState& state);
    /// Continue with moments that were computed elsewhere: write them to these spans, then set the number of updates.
    std::span<float> m_to_write() { return m_; }
    std::span<float> v_to_write() { return v_; }
    void set_updates(std::int64_t updates) { updates_ = updates; }
    /// Sets m and v of these cells to 0.
    void forget(std::int64_t begin, std::int64_t count);

protected:
    Optimizer(const Graph& graph, const OptimizerOptions& options, bool has_m, bool has_v);

    /// Cells of one parameter, few enough for one chunk of work.
    struct Range {
        std::int64_t begin, end;
        float weight_decay;
    };
    /// Calls body(range) for each range, on all threads.
    template <class Body>
    void each_range(ThreadPool& pool, const Body& body) {
        pool.run(static_cast<std::int64_t>(ranges_.size()), [&](std::int64_t i) { body(ranges_[i]); });
    }

    OptimizerOptions options_;
    AlignedFloats m_, v_;
    std::int64_t updates_ = 0;

private:
    std::vector<Range> ranges_;
    std::vector<bool> of_matrix_;  // by range: true if weight decay applies
};

/// Creates the optimizer of options.kind for the parameters of this graph. Throws Error as validate() does.
std::unique_ptr<Optimizer> make_optimizer(const Graph& graph, const OptimizerOptions& options);

/// The kind with that name; throws Error listing the valid names.
inline OptimizerKind optimizer_kind(std::string_view name) { return choice_of<OptimizerKind>(name, N_("optimizer")); }

/// √ Σ g², summed in fixed chunks so that the result does not depend on the number of threads.
double gradient_norm(std::span<const float> gradients, ThreadPool& pool);

}  // namespace glassformer
