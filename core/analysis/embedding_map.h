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

/// A word of the vocabulary and its cosine similarity.
struct Neighbor {
    int id = 0;
    float cosine = 0.0f;
};

/// The words whose mean stream at `layer` has the highest cosine with `vector` [d_model]. Both are centred on the mean
/// over all words first: raw streams share a large common part, and their cosine says little. Leaves out `except` (the
/// word itself). A vector no further from that mean than rounding has no direction: it neither has nor is a
/// neighbour.
std::vector<Neighbor> nearest_words(const SenseProbeResult& probe, int layer, std::span<const float> vector, int except,
                                    std::size_t count);

/// The rows of an embedding matrix, projected onto the three directions in which they vary most.
struct EmbeddingMap {
    Pca pca;
    std::vector<std::array<float, 3>> points;  // [d_vocab]
};

/// `table` is [d_vocab, d_model], row-major. Given the map of earlier parameters, no direction flips (see pca()).
EmbeddingMap map_embedding(std::span<const float> table, std::size_t d_model, const EmbeddingMap* previous = nullptr);

/// The cosine between two rows, not centred: x · y ⁄ (‖x‖ ‖y‖); 0 if either row is 0.
float embedding_cosine(std::span<const float> table, std::size_t d_model, int a, int b);

/// The words whose rows have the highest cosine with `word`'s, highest first; ties go to the lower id. Leaves out the
/// word itself. A zero row has no direction: it neither has nor is a neighbour. Throws Error if the
/// table has no such row.
std::vector<Neighbor> nearest_embeddings(std::span<const float> table, std::size_t d_model, int word,
                                         std::size_t count);

/// map_embedding() in steps of a few dozen milliseconds, for large vocabularies: 50,257 words of 768 numbers take about
/// a second. Not thread-safe. The result equals map_embedding()'s bit for bit.
class EmbeddingMapRun {
public:
    /// `table` is [d_vocab, d_model], row-major, and must outlive the run.
    EmbeddingMapRun(std::span<const float> table, std::size_t d_model, std::optional<Pca> previous = {});

    bool done() const { return found_ && projected_ >= map_.points.size(); }
    /// Does one step; does nothing once done.
    void step();
    /// Returns the map. Call only once done.
    EmbeddingMap take() { return std::move(map_); }

private:
    void project_rows();

    std::span<const float> table_;
    std::size_t width_;
    std::optional<Pca> previous_;
    PcaSums sums_;
    bool found_ = false;  // whether the directions are known
    std::size_t projected_ = 0;
    EmbeddingMap map_;
};

}  // namespace glassformer
