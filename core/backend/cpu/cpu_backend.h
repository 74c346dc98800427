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

/// True if no value is infinite or NaN. Costs about as much as reading them; allocates nothing.
bool all_finite(std::span<const float> values, ThreadPool& pool);

/// Runs graphs on the CPU with the ops' own kernels. One caller at a time: all executions share its threads.
class CpuBackend final : public Backend {
public:
    /// threads = 0: one per core.
    explicit CpuBackend(int threads = 0) : pool_(threads) {}

    std::string description() const override;
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;

    ThreadPool& pool() { return pool_; }
    /// `call` runs before each op of a forward pass. If it throws, the pass ends; use this when nobody needs the result
    /// any more.
    void between_ops(std::function<void()> call) { between_ops_ = std::move(call); }

private:
    ThreadPool pool_;
    std::function<void()> between_ops_;
};

/// The instruction set of the matrix products on this machine: "AVX-512", "AVX2", "SSE2", "NEON", "SIMD128" or
/// "scalar".
std::string instruction_set();

/// The same graph, with attention over long sentences as one op that processes a few queries at a time: no table of
/// queries × keys is stored, and its rows stay in the cache. The results are byte for byte the same. Ids, names and
/// parameters stay as they are.
///
/// Replaces a chain attention_scores → steps (ScoreStep: a scale, masks, softmax …) → attention_values if its table has
/// at least `from` × `from` cells, the request has no loss and does not watch, and no node inside it is requested or
/// read by any other op that runs. Returns the given graph itself if nothing is replaced. `lanes` is how many threads
/// may work at once. The op owns its working memory, so the graph is for one execution only.
std::shared_ptr<const Graph> block_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                             std::int64_t from, int lanes);

/// Below this size a head's table is just as fast: it fits in the cache anyway.
inline constexpr std::int64_t blocks_from = 256;

}  // namespace glassformer
