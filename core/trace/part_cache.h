#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/aligned.h"
#include "core/platform/reserved_memory.h"
#include "core/trace/slices.h"

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

}  // namespace glassformer
