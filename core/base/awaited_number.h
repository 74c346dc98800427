#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace glassformer {

/// A number that threads can wait on, as on a std::atomic, whose wait() does not serve on every system. The base is
/// private because its wait() is not virtual: no reference to it can be made by mistake.
class AwaitedNumber : private std::atomic<std::uint64_t> {
    using Atomic = std::atomic<std::uint64_t>;

public:
    using Atomic::atomic, Atomic::load, Atomic::store, Atomic::fetch_add, Atomic::compare_exchange_weak;

#if defined(_WIN32)
    // Without a system call for it, libstdc++ 12 reads the number before it takes its lock, and a change in between
    // wakes nobody.
    void wait(std::uint64_t old) {
        std::unique_lock lock(mutex_);
        sleepers_.fetch_add(1);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        changed_.wait(lock, [&] { return load() != old; });
        sleepers_.fetch_sub(1);
    }
    void notify_all() {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (sleepers_.load() == 0) return;
        { const std::lock_guard lock(mutex_); }  // any thread that saw the old number is asleep by now
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<int> sleepers_{0};
#elif defined(__EMSCRIPTEN_PTHREADS__)
    // libc++ polls there, with pauses of up to milliseconds.
    void wait(std::uint64_t old) {
        __builtin_wasm_memory_atomic_wait64(reinterpret_cast<long long*>(this), static_cast<long long>(old), -1);
    }
    void notify_all() { __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(this), ~0u); }
#else
    void wait(std::uint64_t old) { Atomic::wait(old, std::memory_order_acquire); }
    void notify_all() { Atomic::notify_all(); }
#endif
};

}  // namespace glassformer
