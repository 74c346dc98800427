#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/aligned.h"
#include "core/platform/reserved_memory.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Some slices of a node, computed after the run of the model.
class CachedSlice {
public:
    /// Cells to be written: as many as the slices have. They lie on their cache lines as in the whole node, because
    /// Eigen's sums round by that.
    CachedSlice(int node, Slices slices, std::int64_t width);
    CachedSlice(const CachedSlice&) = delete;
    CachedSlice& operator=(const CachedSlice&) = delete;

    int node() const { return node_; }
    Slices slices() const { return slices_; }
    float* cells() { return cells_; }
    const float* cells() const { return cells_; }
    std::int64_t bytes() const { return bytes_; }

private:
    int node_;
    Slices slices_;
    std::int64_t bytes_;
    AlignedFloats small_;
    std::optional<ReservedMemory> large_;  // given back to the system at once, which the heap would not do
    float* cells_;
};

/// The parts that were asked for last, within a budget of bytes: the one that was not asked for the longest goes first.
/// A part lives on as long as somebody holds it. Thread-safe.
class PartCache {
public:
    explicit PartCache(std::int64_t budget) : budget_(budget) {}

    /// A part that holds these slices, or null.
    std::shared_ptr<const CachedSlice> find(int node, Slices slices);
    /// Not kept when it is larger than the budget, or when what holds it is kept.
    void insert(std::shared_ptr<const CachedSlice> part);
    std::int64_t bytes() const;

private:
    using Parts = std::list<std::shared_ptr<const CachedSlice>>;  // the last one asked for first
    using Key = std::pair<int, std::int64_t>;                     // node, first slice

    Parts::iterator holding(int node, Slices slices);
    void remove(Parts::iterator part);

    const std::int64_t budget_;
    mutable std::mutex mutex_;
    Parts parts_;
    std::map<Key, Parts::iterator> by_first_;
    std::int64_t bytes_ = 0;
};

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
