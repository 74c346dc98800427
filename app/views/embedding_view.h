#pragma once

#include "app/views/frame.h"

namespace glassformer::app {

/// A word of one card's vocabulary, as its map of the embedding needs it in one frame.
struct EmbeddingFrame {
    const Frame& frame;
    int slot;
    const EmbeddedWords& words;
    std::span<const float> table;  // [d_vocab, d_model]
    std::size_t width;             // d_model
    int focus;                     // whose neighbours are listed
    // words.map may be null, while it is being made.

    const Ui& ui() const { return frame.ui; }
    int vocabulary() const { return static_cast<int>(table.size() / width); }
    std::string name(int word) const { return frame.model(slot).token_text(word); }
    float cosine(int word) const { return embedding_cosine(table, width, focus, word); }
    /// The neighbours that are known; none before they were found.
    std::span<const NearWord> near() const {
        return words.word == focus ? std::span<const NearWord>(words.near) : std::span<const NearWord>();
    }
};

/// Makes a word the one whose neighbours are listed; −1 or the chosen token's: that one again.
void focus_word(const EmbeddingFrame& e, int word);

/// Tells the worker which maps are on screen, once a frame after all views.
void ask_for_embeddings(const Frame& frame);

}  // namespace glassformer::app
