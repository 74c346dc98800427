#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/trace/part_cache.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Values that the run of a trace did not keep. Thread-safe: nothing is locked while an op computes, so two threads may
/// make the same part, which is the same bytes.
class Recompute {
public:
    /// The trace must outlive this.
    Recompute(const Trace& trace, std::vector<Intervention> interventions, std::int64_t budget);

    /// The whole node, which is then kept as long as the trace.
    std::span<const float> whole(int node);
    /// Slices of a node that is no view; held in the cache if wanted.
    SliceView part(int node, Slices slices, bool hold);
    /// The whole node where it has been made before; else empty.
    std::span<const float> made_whole(int node) const;
    std::int64_t bytes() const { return cache_.bytes(); }

private:
    class Making;

    void make(int node, Slices slices, float* cells, bool hold);
    void overwrite(int node, Slices slices, float* cells) const;

    const Trace& trace_;
    std::vector<Intervention> interventions_;  // in the order of the run
    ThreadPool pool_{1};
    PartCache cache_;
    mutable std::mutex mutex_;
    std::map<int, AlignedFloats> whole_;
};

}  // namespace glassformer
