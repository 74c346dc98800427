#pragma once

#include "app/views/embedding/embedding_view.h"

namespace glassformer::app::views::embedding {

/// How many words may have a name and a dot of their own: all of a small vocabulary; of a large one those of the
/// sentence, the neighbours of the word that is looked at, and the first ones. The others are faint points.
inline constexpr int most_words_named = 600;

/// Which words those are, ascending.
std::vector<int> words_named(const EmbeddingFrame& e);

/// The words as dots, with as many names as there is room for. Dots are registered as "A/embed 12" with their first
/// coordinate, the faint points of a large vocabulary together as "A/embed points" with their number. A click looks at
/// a word; in three dimensions dragging and the arrow keys turn.
void draw_embedding_cloud(const EmbeddingFrame& e, const Box& box);

}  // namespace glassformer::app::views::embedding
