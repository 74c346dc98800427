#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/ui/scroll_page.h"
#include "core/text/tokenizer_stages.h"

/// The pages of the view: the map of the embedding, byte pairs merge by merge, a published tokenizer stage by stage.
namespace glassformer::app::views::embedding {

/// The state of the map of the embedding.
struct EmbeddingLook {
    bool solid = false;                  // three dimensions, which can be rotated; else two
    float yaw = 0.0f, pitch = 0.0f;      // radians
    std::array<int, 2> word{-1, -1};     // by card: the word whose neighbours are listed; −1: the chosen token
    std::array<int, 2> token{-1, -1};    // by card: the position that was chosen when `word` was set
    std::array<int, 2> pointed{-1, -1};  // by card: the word under the mouse in the last frame, and in this one
    std::array<int, 2> pointing{-1, -1};
    bool seen = false;                  // on screen in this frame
    std::array<int, 2> wanted{-1, -1};  // by card: the word whose neighbours it shows
    bool asked_seen = false;            // `seen` and `wanted` as last sent to the worker
    std::array<int, 2> asked{-1, -1};
    void on_model_changed() { word = {-1, -1}; }
    void on_second_model_changed() { word[1] = -1; }
};

/// What the map of one card's embedding needs in one frame.
struct EmbeddingFrame {
    const Frame& frame;
    int slot;
    const EmbeddedWords& words;
    std::span<const float> table;  // [d_vocab, d_model]
    std::size_t width;             // d_model
    int focus;                     // the word whose neighbours are listed
    // words.map may be null while it is being computed.

    const Ui& ui() const { return frame.ui; }
    int vocabulary() const { return static_cast<int>(table.size() / width); }
    std::string name(int word) const { return frame.model(slot).token_text(word); }
    float cosine(int word) const { return embedding_cosine(table, width, focus, word); }
    /// True if the embedding of `focus` is the zero vector.
    bool has_no_direction() const {
        const auto row = table.subspan(static_cast<std::size_t>(focus) * width, width);
        return std::ranges::all_of(row, [](float value) { return value == 0; });
    }
    /// The neighbours of `focus`; empty until they are found.
    std::span<const Neighbor> near() const {
        return words.word == focus ? std::span<const Neighbor>(words.near) : std::span<const Neighbor>();
    }
};

/// Lists the neighbours of a word; −1 or the chosen token's word returns to the chosen token.
void focus_word(const EmbeddingFrame& e, int word);

/// A vocabulary of at most this size has a name and a dot for every word. A larger one has them for this many words
/// from its beginning, the words of the sentence, `focus` and its neighbours; the others are faint points.
inline constexpr int most_words_named = 600;

/// The words with a name and a dot, in ascending order.
std::vector<int> words_named(const EmbeddingFrame& e);

/// Draws the words as dots, with as many names as fit. Dots are registered as "A/embed 12" with their first coordinate;
/// the faint points of a large vocabulary together as "A/embed points" with their number. A click focuses a word; in
/// three dimensions, dragging and the arrow keys rotate the cloud.
void draw_embedding_cloud(const EmbeddingFrame& e, const Box& box);

struct LearnedMerges;

/// Byte-pair encoding, merge by merge: the state of the view's second page, for A and for B.
struct BytePairsLook {
    struct Of {
        std::string text = "Aragorn told Frodo to mind Lothlorien";  // the text to tokenize, as typed
        float merges = 0;                                            // number of merges applied
        std::shared_ptr<LearnedMerges> learned;
        std::shared_ptr<const Tokenizer> tokenizer;  // that the merges belong to; null: learned here
    };
    int page = 0;  // of the view: 0 the map, 1 byte pairs, 2 the tokenizer
    std::array<Of, 2> of;
};

/// Draws the typed text after these merges, the next merge, and the pairs that it was chosen from. The merges are the
/// model's own if it reads byte pairs; else they are learned here from the shipped text.
void draw_byte_pairs(const Frame& frame, int slot, ScrollPage& page, float top);

/// The stages of a published tokenizer: the state of the view's third page, for A and for B.
struct TokenizerLook {
    struct Of {
        std::string text;  // as typed; until then, the sentence's own
        bool typed = false;
        int pretoken = 0;  // the pretoken whose steps are shown
        // The stages of the last text that was tokenized, and the tokenizer they belong to.
        std::string read_text, error;
        std::optional<TokenizerStages> stages;
        std::shared_ptr<const Tokenizer> tokenizer;
    };
    std::array<Of, 2> of;
    void on_model_changed() { *this = {}; }
};

/// True if the model's tokenizer has stages to show, that is, if it came with a published model.
bool has_tokenizer_page(const Frame& frame, int slot);

/// Draws the typed text → normalized → pretokens → tokens, and how the chosen pretoken became tokens: merge by merge,
/// by looking up tokens, or along the path with the highest score.
void draw_tokenizer(const Frame& frame, int slot, ScrollPage& page, float top);

}  // namespace glassformer::app::views::embedding
