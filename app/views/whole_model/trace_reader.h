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

/// Tells what a reading wants of its trace from what else it wants.
using WishKey = std::array<std::int64_t, 7>;

/// Reads traces on a thread of its own, so that the window neither computes nor waits. In every frame the window says
/// again what it wants; what is wanted no longer is not read.
class TraceReader {
public:
    /// Called on the window's thread: keeps what was read.
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

    /// Takes the place of what this reading wanted before. The first of them are read first.
    void want(const CanvasReading* reading, const std::weak_ptr<const Trace>& trace, std::vector<Wish> wishes);
    /// What was read for it since it took the last.
    std::vector<Keep> take(const CanvasReading* reading);
    /// It ends: nothing more is read for it.
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
    std::vector<Job> wanted_;  // the next at the end
    std::optional<Job> now_;   // without its wish's function
    std::vector<Done> done_;
    Background thread_;  // the last member: it ends before the others do
};

}  // namespace glassformer::app::views::whole_model
