#pragma once

#include <span>
#include <vector>

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

}  // namespace glassformer
