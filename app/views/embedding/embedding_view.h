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

/// How many words may have a name and a dot of their own: all of a small vocabulary; of a large one those of the
/// sentence, the neighbours of the word that is looked at, and the first ones. The others are faint points.
inline constexpr int most_words_named = 600;

/// Which words those are, ascending.
std::vector<int> words_named(const EmbeddingFrame& e);

/// The words as dots, with as many names as there is room for. Dots are registered as "A/embed 12" with their first
/// coordinate, the faint points of a large vocabulary together as "A/embed points" with their number. A click looks at
/// a word; in three dimensions dragging and the arrow keys turn.
void draw_embedding_cloud(const EmbeddingFrame& e, const Box& box);

struct LearnedMerges;

/// Byte-pair encoding, merge by merge: what the view of the embedding shows on its second page, for A and for B.
struct BytePairsLook {
    struct Of {
        std::string text = "Aragorn told Frodo to mind Lothlorien";  // that is cut into tokens, as typed
        float merges = 0;                                            // how many are done
        std::shared_ptr<LearnedMerges> learned;
        std::shared_ptr<const Tokenizer> tokenizer;  // that they belong to; null: learned here
    };
    int page = 0;  // of the view: 0 the map, 1 this one
    std::array<Of, 2> of;
};

/// The typed text after so many merges, the merge that comes next, and the pairs that it was chosen from. The merges
/// are those of the model where it reads byte pairs; else they are learned here from the shipped text.
void draw_byte_pairs(const Frame& frame, int slot, ScrollPage& page, float top);

/// The stages of a published tokenizer: what the view of the embedding shows on its third page, for A and for B.
struct TokenizerLook {
    struct Of {
        std::string text;  // as typed; until something is typed, the sentence's own
        bool typed = false;
        int pretoken = 0;  // whose steps are shown
        // The stages of the text that was looked at last, and whose they are.
        std::string read_text, error;
        std::optional<TokenizerStages> stages;
        std::shared_ptr<const Tokenizer> tokenizer;
    };
    std::array<Of, 2> of;
    void on_model_changed() { *this = {}; }
};

/// Whether the model's tokenizer has stages to show: it came with a published model.
bool has_tokenizer_page(const Frame& frame, int slot);

/// Typed text → normalized → pretokens → tokens, and how the chosen one became its tokens: merge by merge, the tokens
/// that were looked up, or the path with the highest score.
void draw_tokenizer(const Frame& frame, int slot, ScrollPage& page, float top);

}  // namespace glassformer::app::views::embedding
