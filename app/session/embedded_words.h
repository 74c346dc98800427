#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/analysis/embedding_map.h"
#include "core/graph/parameters.h"

namespace glassformer::app {

/// A card's embedding matrix as a map of words, as long as somebody looks at it.
struct EmbeddedWords {
    Parameters parameters;  // whose embedding it is
    std::shared_ptr<const EmbeddingMap> map;
    int word = -1;               // whose neighbours were asked for, or −1
    std::vector<Neighbor> near;  // the nearest first
};

}  // namespace glassformer::app
