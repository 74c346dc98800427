#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/background.h"
#include "core/trace/trace.h"

namespace glassformer::app::views::whole_model {

class CanvasReading;

/// Identifies one of the things that a reading wants of its trace.
using WishKey = std::array<std::int64_t, 7>;

/// Reads traces on its own thread, so that the window neither computes nor waits. Every frame the window says again
/// what it wants; what it no longer wants is not read.
class TraceReader {
public:
    /// Called on the window's thread: stores what was read.
    using Keep = std::function<void(CanvasReading&)>;
    /// Called on the reader's thread; it must not touch the reading.
    using Read = std::function<Keep(const Trace&)>;
    struct Wish {
        WishKey key{};
        Read read;
    };

    TraceReader();
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// Replaces what this reading wanted before. Earlier wishes are read first.
    void want(const CanvasReading* reading, const std::weak_ptr<const Trace>& trace, std::vector<Wish> wishes);
    /// What was read for it since the last call.
    std::vector<Keep> take(const CanvasReading* reading);
    /// Call this when the reading ends: nothing more is read for it.
    void forget(const CanvasReading* reading);

private:
    struct Job {
        const CanvasReading* reading = nullptr;
        std::weak_ptr<const Trace> trace;
        Wish wish;
    };
    struct Done {
        const CanvasReading* reading = nullptr;
        WishKey key{};
        Keep keep;
    };

    Turn go_on(const std::stop_token& stop);
    bool is_there(const CanvasReading* reading, const WishKey& key) const;

    std::mutex mutex_;
    std::vector<Job> wanted_;  // the next one is at the end
    std::optional<Job> now_;   // without the function of its wish
    std::vector<Done> done_;
    Background thread_;  // the last member: it stops before the others are destroyed
};

}  // namespace glassformer::app::views::whole_model
