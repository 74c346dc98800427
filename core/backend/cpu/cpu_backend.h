#pragma once

#include <functional>
#include <span>
#include <utility>

#include "core/backend/backend.h"
#include "core/base/thread_pool.h"

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

}  // namespace glassformer
