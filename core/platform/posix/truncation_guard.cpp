#include "core/platform/posix/truncation_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

namespace glassformer::platform {

/// The address range of a guarded file. A free slot has end 0.
struct TruncationGuard::Place {
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<bool> taken{false};
};

/// The signal handler and its data. It must not lock or allocate, so the number of slots is fixed.
struct CutFileSignal {
    static constexpr std::size_t most_files = 512;
    static inline std::array<TruncationGuard::Place, most_files> places;
    static inline struct sigaction before {};
    static inline std::uintptr_t page = 4096;

    static bool is_guarded(std::uintptr_t address) {
        for (const TruncationGuard::Place& place : places)
            if (address < place.end.load(std::memory_order_acquire) &&
                address >= place.begin.load(std::memory_order_relaxed))
                return true;
        return false;
    }

    /// Maps a page of zeros past the end of the file; the failed read is then repeated.
    static void handle(int signal, siginfo_t* info, void* context) {
        const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        if (is_guarded(address)) {
            void* const at = reinterpret_cast<void*>(address / page * page);
            if (::mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) return;
        }
        if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction)
            return before.sa_sigaction(signal, info, context);
        if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
            return before.sa_handler(signal);
        std::signal(signal, SIG_DFL);  // the repeated read ends the program as it would have
    }

    static void install() {
        page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = handle;
        action.sa_flags = SA_SIGINFO;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &before);
    }
};

TruncationGuard::TruncationGuard(const void* begin, std::size_t size) {
    static const bool installed = (CutFileSignal::install(), true);
    static_cast<void>(installed);
    for (Place& place : CutFileSignal::places) {
        if (place.taken.exchange(true)) continue;
        place_ = &place;
        const auto first = reinterpret_cast<std::uintptr_t>(begin);
        place.begin.store(first, std::memory_order_relaxed);
        place.end.store(first + size, std::memory_order_release);
        return;
    }
}

TruncationGuard::~TruncationGuard() {
    if (!place_) return;
    place_->end.store(0, std::memory_order_release);
    place_->taken.store(false);
}

}  // namespace glassformer::platform
