#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/analysis/nearest_words.h"
#include "core/analysis/pca.h"

namespace glassformer {

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

}  // namespace glassformer
