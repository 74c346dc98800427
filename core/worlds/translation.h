#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// An English sentence and its French, word by word.
struct TranslatedSentence {
    std::vector<std::string> words;   ///< English; "." is a word
    std::vector<std::string> french;  ///< as many words, in French order
    std::vector<int> alignment;       ///< french[i] says what words[alignment[i]] says
    /// What is held out: each noun's adjectives with the sentence's verb; of a phrase its two towns. Indexes of the
    /// world's lists.
    struct Combination {
        int noun, adjective, verb;
        auto operator<=>(const Combination&) const = default;
    };
    std::vector<Combination> combinations;
};

/// A small part of English with its French: gender agreement, and adjectives that cross their noun.
class TranslationWorld : public FrameWorld<TranslationWorld, TranslatedSentence> {
public:
    explicit TranslationWorld(const WordLists& lists);

    /// Sorted, each word once.
    const std::vector<std::string>& english() const { return vocabulary(); }
    const std::vector<std::string>& french() const { return french_; }
    /// A random sentence, never a sample. A training sentence holds no held-out combination of noun, adjective and
    /// verb; a held-out sentence holds at least one.
    TranslatedSentence generate(Split split, Rng& rng) const;
    static bool held_out(const TranslatedSentence& sentence);
    /// The true translation of an English sentence (in lower-case words); nothing where it is not of this language.
    std::optional<TranslatedSentence> translate(const std::vector<std::string>& english) const;

private:
    /// A word with its French. Articles and adjectives have a form for each gender (masculine, feminine); a noun has
    /// one, and a gender.
    struct Word {
        std::string english;
        std::array<std::string, 2> french;
        std::size_t gender = 0;
    };
    struct Nouns {
        std::string slot;
        std::size_t begin, end;  // of nouns_
    };
    /// What is in a slot: a noun phrase, or one word (verb, preposition).
    struct Filling {
        std::size_t word = 0, article = 0;
        std::optional<std::size_t> before, after;  // indexes of adjectives_
    };
    static constexpr std::array noun_slots = {"someone", "something", "somewhere"};
    /// A sentence whose French has its words in the same places: only its towns differ.
    struct Phrase {
        Frame english, french;
    };

    void read_words(const WordLists& lists);
    void require_one_meaning(const WordLists& lists) const;
    void list_words();
    const Nouns* nouns_of(std::string_view slot) const;
    Filling draw(const Frame::Piece& piece, Rng& rng) const;
    TranslatedSentence say(const Frame& frame, const std::vector<Filling>& fillings) const;
    void say_noun_phrase(const Filling& filling, TranslatedSentence& sentence) const;
    std::optional<Filling> read(const Frame::Piece& piece, const std::vector<std::string>& words,
                                std::size_t& at) const;
    std::optional<TranslatedSentence> translate(const Frame& frame, const std::vector<std::string>& words) const;
    void read_phrases(const WordLists& lists);
    TranslatedSentence say(const Phrase& phrase, std::size_t to, std::size_t from) const;
    std::optional<TranslatedSentence> translate(const Phrase& phrase, const std::vector<std::string>& words) const;

    std::vector<Word> articles_, nouns_, adjectives_, verbs_, prepositions_;
    std::size_t before_ = 0;  // adjectives_ up to here stand before their French noun
    std::vector<Nouns> kinds_;
    std::vector<Word> towns_;
    std::vector<Phrase> phrases_;
    std::vector<std::string> french_;
};

}  // namespace glassformer
