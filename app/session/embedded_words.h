#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/analysis/embedding_map.h"
#include "core/graph/parameters.h"

namespace glassformer::app {

/// A card's embedding matrix as a map of words, while it is on screen.
struct EmbeddedWords {
    Parameters parameters;  // the parameters it was made from
    std::shared_ptr<const EmbeddingMap> map;
    int word = -1;               // the word whose neighbours were asked for; −1: none
    std::vector<Neighbor> near;  // nearest first
};

}  // namespace glassformer::app
