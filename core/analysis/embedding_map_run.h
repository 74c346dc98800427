#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/analysis/embedding_map.h"
#include "core/analysis/pca_sums.h"

namespace glassformer {

/// The work of map_embedding() in pieces of a few dozen milliseconds, for a large vocabulary: 50,257 words of 768
/// numbers take about a second. Not thread-safe. The result is map_embedding()'s, bit by bit.
class EmbeddingMapRun {
public:
    /// `table` [d_vocab, d_model], row-major; it outlives the run.
    EmbeddingMapRun(std::span<const float> table, std::size_t d_model, std::optional<Pca> previous = {});

    bool done() const { return found_ && projected_ >= map_.points.size(); }
    /// One piece; nothing once it is done.
    void step();
    /// The map, once it is done.
    EmbeddingMap take() { return std::move(map_); }

private:
    void project_rows();

    std::span<const float> table_;
    std::size_t width_;
    std::optional<Pca> previous_;
    PcaSums sums_;
    bool found_ = false;  // the directions
    std::size_t projected_ = 0;
    EmbeddingMap map_;
};

}  // namespace glassformer
