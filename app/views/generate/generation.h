#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/generate/generator.h"
#include "core/text/word_tokenizer.h"

namespace glassformer::app::views::generate {

/// What a text had before the part that the model reads: the words that left its window.
struct GrownText {
    std::vector<WordTokenizer::Token> before;  // before those that the model reads
    std::string told, was;     // the last text sent, and the one it grew from: any other text has nothing before it
    bool choose_last = false;  // choose its last word once the worker shows it
};

/// How the next word of a text is chosen.
struct GenerationChoice {
    int top_k = 10;                  // sample from this many of the likeliest words; 0: from all
    Cut cut;                         // further limits on these words
    std::uint64_t seed = 1;          // the same seed draws the same word after the same text
    int slot = -1;                   // the sentence that continues by itself; −1: none
    std::string from;                // the text that it continues; once another one is chosen, it stops
    double next_at = 0;              // when its next word comes, in ImGui's seconds
    std::array<GrownText, 2> grown;  // of A and B

    void on_model_changed() { grown = {}, slot = -1; }
    void on_second_model_changed() {
        grown[1] = {};
        if (slot == 1) slot = -1;
    }
};

/// True if the model of a card generates text from left to right. A model that fills in hidden words does not: even if
/// it cannot see later words, it has not learned to predict the next one.
bool generates(const ModelInfo& model);

/// A possible next word, and the chance that it is sampled.
struct NextWord {
    int id = 0;
    float probability = 0.0f;  // softmax(logits / temperature) over all words
    float chance = 0.0f;       // the same over only those words that can be sampled
};
/// The likeliest next words after a sentence, likeliest first, at most `most` of them. Only the rows of the vocabulary
/// before `with_text` are words (see words_with_text).
std::vector<NextWord> next_words(const Trace& trace, float temperature, int top_k, std::size_t most,
                                 int with_text = 1 << 20);
/// How many words can be sampled after a sentence, and their share of the probability.
Remaining remaining_words(const Trace& trace, float temperature, int top_k, const Cut& cut, int with_text = 1 << 20);

/// Samples a word from the top k of softmax(logits / temperature). The same seed and text give the same word; `before`
/// is the number of tokens that have left the window.
int draw_next(const Trace& trace, float temperature, const GenerationChoice& choice, std::size_t before = 0,
              int words = 1 << 20);
/// Number of vocabulary rows that stand for a token: a published matrix may have more rows.
int words_with_text(const ModelInfo& model);

/// The whole text, with the part that the model no longer reads.
std::string grown_text(const Frame& frame, int slot);
/// Number of tokens that have left the window.
std::size_t left_behind(const Frame& frame, int slot);

/// Why no word can be added: the text has ended, or a logit is infinite or NaN. Empty if one can.
std::string why_not_longer(const Frame& frame, int slot);

/// The text that a card shows, with one more word.
std::string text_with(const Frame& frame, int slot, int id);
/// Asks the worker for the text with one more word. If that exceeds the model's window, the first words leave it.
void add_word(const Frame& frame, int slot, int id);
/// False for the only word of a text.
bool can_take_back(const Frame& frame, int slot);
/// Asks for the text without its last word, if it can be taken back; a word that left the window returns.
void take_word_back(const Frame& frame, int slot);

/// From now on, the text of this card continues by itself, until another one takes its place.
void start_generating(const Frame& frame, int slot);
/// Call this once per frame: adds the next word to a text that continues by itself.
void go_on_generating(const Frame& frame);

}  // namespace glassformer::app::views::generate
