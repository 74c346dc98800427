#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/awaited_number.h"
#include "core/base/flush_denormals.h"

namespace glassformer {

/// A fixed set of threads for the short, regular loops of the kernels. The caller divides the work into chunks. Which
/// thread runs a chunk is not fixed, so a kernel whose chunks write separate outputs returns the same bytes for any
/// number of threads.
class ThreadPool {
public:
    /// `threads` includes the calling thread; 1 runs everything in place, 0 means one per core. If the system starts
    /// fewer, those do the work.
    explicit ThreadPool(int threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return static_cast<int>(workers_.size()) + 1; }

    /// Calls body(chunk) once for each chunk in 0 … chunks − 1 and returns when all are done. Rethrows the body's first
    /// exception in the calling thread. One caller at a time. Denormals are flushed to zero in the body.
    template <class Body>
    void run(std::int64_t chunks, const Body& body) {
        if (chunks <= 0) return;
        const FlushDenormals flush;
        if (chunks == 1 || workers_.empty()) {
            for (std::int64_t c = 0; c < chunks; ++c) body(c);
            return;
        }
        run_erased(chunks, &body, [](const void* b, std::int64_t c) { (*static_cast<const Body*>(b))(c); });
    }

private:
    using Call = void (*)(const void*, std::int64_t);

    void run_erased(std::int64_t chunks, const void* body, Call call);
    void work();
    /// Claims and runs chunks of job `generation` until none are left.
    void drain(std::uint64_t generation);

    // High half: the job's generation; low half: unclaimed chunks. A claim is one compare-and-swap, which fails if the
    // job has changed, so a late thread can never run a chunk of a finished job.
    alignas(64) AwaitedNumber ticket_{0};
    // Number of finished chunks; each thread adds its own once it finds no more. On its own cache line, since the
    // caller waits on it while others still claim.
    alignas(64) std::atomic<std::int64_t> done_{0};
    // Written before a job starts, then only read.
    alignas(64) std::atomic<bool> stop_{false};
    std::atomic<const void*> body_{nullptr};
    std::atomic<Call> call_{nullptr};
    std::atomic<bool> failed_{false};
    std::exception_ptr error_;  // from the body that set failed_; read when all chunks are done
    std::vector<std::thread> workers_;
};

}  // namespace glassformer
