#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace glassformer {

/// A number that threads can wait on. std::atomic can do this, but where the system has no call for it, as on Windows,
/// libstdc++ 12 reads the number before it takes its lock, and a change in between wakes nobody.
class AwaitedNumber : public std::atomic<std::uint64_t> {
public:
    using std::atomic<std::uint64_t>::atomic;

#ifdef _WIN32
    void wait(std::uint64_t old, std::memory_order = std::memory_order_seq_cst) {
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
#endif
};

}  // namespace glassformer
