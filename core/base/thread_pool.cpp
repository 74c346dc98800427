#include "core/base/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace glassformer {

namespace {

// Kernels follow one another within microseconds, so a thread spins for about that long before it sleeps.
constexpr int spins_before_sleep = 4000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif !defined(__wasm__)  // which has nothing of the kind: there yielding runs the event queue
    std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
    if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    workers_.reserve(threads - 1);
    try {
        for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // At the process limit: fewer threads compute the same.
    }
}

ThreadPool::~ThreadPool() {
    stop_.store(true);
    ticket_.fetch_add(std::uint64_t{1} << 32);
    ticket_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_erased(std::int64_t chunks, const void* body, Call call) {
    body_.store(body, std::memory_order_relaxed);
    call_.store(call, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    const std::uint64_t generation = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
    ticket_.store(generation << 32 | static_cast<std::uint64_t>(chunks), std::memory_order_release);
    ticket_.notify_all();
    drain(generation);
    for (int spin = 0; done_.load(std::memory_order_acquire) != chunks; ++spin) {
        if (spin < spins_before_sleep)
            relax();
        else
            std::this_thread::yield();
    }
    if (failed_.exchange(false)) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::drain(std::uint64_t generation) {
    std::int64_t done = 0;
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    while (ticket >> 32 == generation && (ticket & 0xffffffffu) != 0) {
        if (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel, std::memory_order_acquire))
            continue;
        const auto chunk = static_cast<std::int64_t>((ticket & 0xffffffffu) - 1);
        try {
            call_.load(std::memory_order_relaxed)(body_.load(std::memory_order_relaxed), chunk);
        } catch (...) {
            if (!failed_.exchange(true)) error_ = std::current_exception();
        }
        ++done;
        ticket = ticket_.load(std::memory_order_acquire);
    }
    if (done > 0) done_.fetch_add(done, std::memory_order_release);
}

void ThreadPool::work() {
    const FlushDenormals flush;
    std::uint64_t seen = 0;
    while (true) {
        std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
        for (int spin = 0; ticket >> 32 == seen && spin < spins_before_sleep; ++spin) {
            relax();
            ticket = ticket_.load(std::memory_order_acquire);
        }
        while (ticket >> 32 == seen) {
            ticket_.wait(ticket);
            ticket = ticket_.load(std::memory_order_acquire);
        }
        if (stop_.load()) return;
        seen = ticket >> 32;
        drain(seen);
    }
}

}  // namespace glassformer
