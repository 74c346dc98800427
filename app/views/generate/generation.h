#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/generate/generator.h"

namespace glassformer::app::views::generate {

/// What a text was before: of one that is longer than the model reads, the words that left its window.
struct GrownText {
    std::vector<int> before;   // ids, in front of those that the model reads
    std::string told, was;     // the text that was sent last, and the one it grew from: others have nothing before them
    bool choose_last = false;  // its last word is chosen once the worker shows it
};

/// How the next word of a text is chosen.
struct GenerationChoice {
    int top_k = 10;                  // draw among so many of the likeliest; 0: among all
    Cut cut;                         // what of these is cut off as well
    std::uint64_t seed = 1;          // the same seed draws the same word after the same text
    int slot = -1;                   // the sentence that is being continued by itself; −1: none
    double next_at = 0;              // then its next word comes, in ImGui's seconds
    std::array<GrownText, 2> grown;  // of A and B

    void on_model_changed() { grown = {}, slot = -1; }
};

/// Whether the model of a card writes from left to right. One that fills hidden words has learned nothing of what comes
/// next, though it may see no word that is to come.
bool generates(const ModelInfo& model);

/// A word that may come next, with the chance that it is drawn.
struct NextWord {
    int id = 0;
    float probability = 0.0f;  // softmax(logits / temperature) over all words
    float chance = 0.0f;       // the same over those alone that can be drawn
};
/// The likeliest words after the last one of a sentence, the likeliest first; at most `most` of them. Of the vocabulary
/// only the rows before `with_text` are words (see words_with_text).
std::vector<NextWord> next_words(const Trace& trace, float temperature, int top_k, std::size_t most,
                                 int with_text = 1 << 20);
/// How many words can be drawn after the last one of a sentence, and their share of the probability.
Remaining remaining_words(const Trace& trace, float temperature, int top_k, const Cut& cut, int with_text = 1 << 20);

/// What softmax(logits / temperature) among the top k draws with the seed after this text, of which `before` tokens are
/// not read any more.
int draw_next(const Trace& trace, float temperature, const GenerationChoice& choice, std::size_t before = 0,
              int words = 1 << 20);
/// The rows of the vocabulary that tokens stand for: a published matrix may have more.
int words_with_text(const ModelInfo& model);

/// The whole text, with what the model does not read any more.
std::string grown_text(const Frame& frame, int slot);
/// How many tokens left the window.
std::size_t left_behind(const Frame& frame, int slot);

/// Why no word can be added: the text has ended. Empty where one can.
std::string why_not_longer(const Frame& frame, int slot);

/// The text that a card shows, with one more word.
std::string text_with(const Frame& frame, int slot, int id);
/// Asks the worker for the text with one more word. Where the model would read no more, the first ones leave its
/// window.
void add_word(const Frame& frame, int slot, int id);
/// Asks for the text without its last word, and with those that had left for it; nothing happens to the only word.
void take_word_back(const Frame& frame, int slot);

/// Lets a text that continues by itself grow; call once a frame.
void go_on_generating(const Frame& frame);

}  // namespace glassformer::app::views::generate
