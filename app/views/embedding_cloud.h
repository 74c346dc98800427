#pragma once

#include "app/views/embedding_view.h"

namespace glassformer::app {

/// How many words are drawn: all of a small vocabulary; of a large one those of the sentence, the neighbours of the
/// word that is looked at, and the first ones.
inline constexpr int most_words_drawn = 600;

/// Which words those are, ascending.
std::vector<int> words_drawn(const EmbeddingFrame& e);

/// The words as dots, with as many names as there is room for. Dots are registered as "A/embed 12" with their first
/// coordinate. A click looks at a word; in three dimensions dragging and the arrow keys turn.
void draw_embedding_cloud(const EmbeddingFrame& e, const Box& box);

}  // namespace glassformer::app
