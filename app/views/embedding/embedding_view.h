#pragma once

#include <algorithm>

#include "app/common/frame.h"

namespace glassformer::app::views::embedding {

/// The map of the embedding (embedding_view.h).
struct EmbeddingLook {
    bool solid = false;                  // three dimensions, which can be turned; else two
    float yaw = 0.0f, pitch = 0.0f;      // radians
    std::array<int, 2> word{-1, -1};     // by card: the one whose neighbours are listed; −1: the chosen token's
    std::array<int, 2> token{-1, -1};    // by card: the place that was chosen then
    std::array<int, 2> pointed{-1, -1};  // by card: the word under the mouse in the last frame, and in this
    std::array<int, 2> pointing{-1, -1};
    bool seen = false;                  // it is on screen in this frame
    std::array<int, 2> wanted{-1, -1};  // whose neighbours it shows
    bool asked_seen = false;            // the same, as they were asked for last
    std::array<int, 2> asked{-1, -1};
    void on_model_changed() { word = {-1, -1}; }
};

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
    /// Whether the word whose neighbours are asked for has a zero vector.
    bool has_no_direction() const {
        const auto row = table.subspan(static_cast<std::size_t>(focus) * width, width);
        return std::ranges::all_of(row, [](float value) { return value == 0; });
    }
    /// The neighbours that are known; none before they were found.
    std::span<const Neighbor> near() const {
        return words.word == focus ? std::span<const Neighbor>(words.near) : std::span<const Neighbor>();
    }
};

/// Makes a word the one whose neighbours are listed; −1 or the chosen token's: that one again.
void focus_word(const EmbeddingFrame& e, int word);

}  // namespace glassformer::app::views::embedding
