#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/pca.h"
#include "core/tasks/sense_probe.h"

namespace glassformer {

/// A word of the vocabulary, and how near it is.
struct Neighbor {
    int id = 0;
    float cosine = 0.0f;
};

/// The words whose mean stream at `layer` points most nearly the way of `vector` [d_model]. Both are taken relative to
/// the mean over all words: raw streams share a large common part, and their cosine says little.
/// `except` (the word itself) is left out. A vector that is no further from that mean than rounding is has no
/// direction: nothing is near to it, and it is near to nothing.
std::vector<Neighbor> nearest_words(const SenseProbeResult& probe, int layer, std::span<const float> vector, int except,
                                    std::size_t count);

/// The rows of an embedding matrix, seen along the three directions in which they differ most.
struct EmbeddingMap {
    Pca pca;
    std::vector<std::array<float, 3>> points;  // [d_vocab]
};

/// Of `table` [d_vocab, d_model], row-major. With the map of earlier parameters no direction flips (see pca()).
EmbeddingMap map_embedding(std::span<const float> table, std::size_t d_model, const EmbeddingMap* previous = nullptr);

/// The cosine of the angle between two rows, taken at 0 as they stand: x · y ⁄ (‖x‖ ‖y‖); 0 where a row is 0.
float embedding_cosine(std::span<const float> table, std::size_t d_model, int a, int b);

/// The words whose rows point most nearly the way of `word`'s, the nearest first, of equals the lower id. The word
/// itself is left out. A row that is 0 has no direction: nothing is near to it, and it is near to nothing. Throws Error
/// when the table has no such row.
std::vector<Neighbor> nearest_embeddings(std::span<const float> table, std::size_t d_model, int word,
                                         std::size_t count);

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
