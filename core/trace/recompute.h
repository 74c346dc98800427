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

/// Some slices of a node, computed after the model's run.
class CachedSlice {
public:
    /// Allocates cells to write to, as many as the slices have. They have the same cache-line offset as in the whole
    /// node, because the rounding of Eigen's sums depends on it.
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
    std::optional<ReservedMemory> large_;  // returned to the system at once, unlike heap memory
    float* cells_;
};

/// An LRU cache of parts, with a budget in bytes. An evicted part lives on as long as someone holds it. Thread-safe.
class PartCache {
public:
    explicit PartCache(std::int64_t budget) : budget_(budget) {}

    /// Returns a part that contains these slices, or null.
    std::shared_ptr<const CachedSlice> find(int node, Slices slices);
    /// Does not store a part that is larger than the budget, or one that a cached part already contains.
    void insert(std::shared_ptr<const CachedSlice> part);
    std::int64_t bytes() const;

private:
    using Parts = std::list<std::shared_ptr<const CachedSlice>>;  // most recently used first
    using Key = std::pair<int, std::int64_t>;                     // node, first slice

    Parts::iterator holding(int node, Slices slices);
    void remove(Parts::iterator part);

    const std::int64_t budget_;
    mutable std::mutex mutex_;
    Parts parts_;
    std::map<Key, Parts::iterator> by_first_;
    std::int64_t bytes_ = 0;
};

/// Recomputes values that the run of a trace did not keep. Thread-safe: no lock is held while an op computes, so two
/// threads may compute the same part, with identical bytes.
class Recompute {
public:
    /// `trace` must outlive this object.
    Recompute(const Trace& trace, std::vector<Intervention> interventions, std::int64_t budget);

    /// The whole node, which is then kept for the lifetime of the trace.
    std::span<const float> whole(int node);
    /// Slices of a node that is not a view; cached if `hold`.
    SliceView part(int node, Slices slices, bool hold);
    /// The whole node if it was computed before; else empty.
    std::span<const float> made_whole(int node) const;
    std::int64_t bytes() const { return cache_.bytes(); }
    const std::vector<Intervention>& interventions() const { return interventions_; }

private:
    class Making;

    void make(int node, Slices slices, float* cells, bool hold);
    void overwrite(int node, Slices slices, float* cells) const;

    const Trace& trace_;
    std::vector<Intervention> interventions_;  // by node; of one node, in the order of the run
    ThreadPool pool_{1};
    PartCache cache_;
    mutable std::mutex mutex_;
    std::map<int, AlignedFloats> whole_;
};

}  // namespace glassformer
