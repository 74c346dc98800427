#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/backend/backend.h"
#include "core/base/thread_pool.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"

namespace glassformer {

/// Whether none of them is an infinity or NaN. Costs about as much as reading them; allocates nothing.
bool all_finite(std::span<const float> values, ThreadPool& pool);

/// Runs graphs on the processor with the ops' own kernels. One caller at a time: the executions share its threads.
class CpuBackend final : public Backend {
public:
    /// threads = 0: one per core.
    explicit CpuBackend(int threads = 0) : pool_(threads) {}

    std::string description() const override;
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;

    ThreadPool& pool() { return pool_; }
    /// `call` is made before each op of a forward pass; what it throws ends the pass, whose result nobody wants.
    void between_ops(std::function<void()> call) { between_ops_ = std::move(call); }

private:
    ThreadPool pool_;
    std::function<void()> between_ops_;
};

/// The instruction set of the matrix products here: "AVX-512", "AVX2", "SSE2", "NEON" or "scalar".
std::string instruction_set();

/// The same graph with attention over long sentences as one op that takes a few queries at a time, so that no table of
/// queries × keys is stored and its rows stay in the cache. The numbers are the same bytes. Ids, names and parameters
/// stay as they are.
///
/// A chain attention_scores → steps (ScoreStep: a scale, masks, softmax …) → attention_values is replaced when its
/// table has at least `from` × `from` cells, the request has no loss and does not watch, and no node within it is asked
/// for or read by any other op that runs. The given graph itself when nothing is replaced. `lanes`: how many threads
/// may work at once. The op keeps the memory that it works in, so the graph is for one execution.
std::shared_ptr<const Graph> block_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                             std::int64_t from, int lanes);

/// Below this the table of a head is as fast: it stays in the cache anyway.
inline constexpr std::int64_t blocks_from = 256;

}  // namespace glassformer
