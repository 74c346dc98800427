#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// A sentence and its translation.
struct TranslatedSentence {
    std::vector<std::string> words;   ///< of the source language; "." is a word
    std::vector<std::string> target;  ///< its translation
    std::vector<int> alignment;       ///< target[i] says what words[alignment[i]] says
    /// What is held out: each noun's adjectives with the sentence's verb; of a phrase its two towns. Indexes of the
    /// world's lists.
    struct Combination {
        int noun, adjective, verb;
        auto operator<=>(const Combination&) const = default;
    };
    std::vector<Combination> combinations;
};

/// A small part of a language with its translation into another one: words that cross, and words that agree with the
/// class of a noun (its gender in French, its measure word in Chinese). assets/worlds/translation.words says how such a
/// file is written.
class TranslationWorld : public FrameWorld<TranslationWorld, TranslatedSentence> {
public:
    explicit TranslationWorld(const WordLists& lists);

    /// Sorted, each word once; vocabulary() has those of the source language.
    const std::vector<std::string>& target_vocabulary() const { return target_vocabulary_; }
    /// A random sentence, never a sample. A training sentence holds no held-out combination of noun, adjective and
    /// verb; a held-out sentence holds at least one.
    TranslatedSentence generate(Split split, Rng& rng) const;
    static bool held_out(const TranslatedSentence& sentence);
    /// The true translation of a sentence (in lower-case words); nothing where it is not of this language.
    std::optional<TranslatedSentence> translate(const std::vector<std::string>& source) const;

private:
    /// A word with its translation: one form, or one for each class of nouns. A noun has a class.
    struct Word {
        std::string source;
        std::vector<std::string> target;
        std::size_t noun_class = 0;
    };
    struct Nouns {
        std::string slot;
        std::size_t begin, end;  // of nouns_
    };
    /// What is in a slot: a noun phrase, or one word (verb, preposition, town).
    struct Filling {
        std::size_t word = 0, article = 0;
        std::optional<std::size_t> first, second;  // indexes of adjectives_
    };
    /// A sentence with slots, and its translation.
    struct Pattern {
        Frame source, target;
        std::vector<std::size_t> translates;  // target.pieces[i] says what source.pieces[translates[i]] says
    };
    static constexpr std::array noun_slots = {"someone", "something", "somewhere"};

    void read_words(const WordLists& lists);
    void read_adjectives(const WordLists& lists);
    void read_nouns(const WordLists& lists);
    void read_sentences(const WordLists& lists);
    void read_phrases(const WordLists& lists);
    Pattern pattern_of(const WordLists& lists, const ListEntry& entry, std::initializer_list<std::string_view> slots);
    void require_one_meaning(const WordLists& lists) const;
    void require_no_elision(const WordLists& lists, int line, const std::string& word) const;
    void list_words();
    const Nouns* nouns_of(std::string_view slot) const;
    const std::vector<Word>& words_of(std::string_view slot) const;
    Filling draw(const Frame::Piece& piece, Rng& rng) const;
    TranslatedSentence say(const Pattern& pattern, const std::vector<Filling>& fillings) const;
    TranslatedSentence say_phrase(const Pattern& phrase, std::size_t to, std::size_t from) const;
    void say_noun_phrase(const Filling& filling, int begin, TranslatedSentence& sentence) const;
    std::optional<Filling> read(const Frame::Piece& piece, const std::vector<std::string>& words,
                                std::size_t& at) const;
    std::optional<TranslatedSentence> translate(const Pattern& pattern, const std::vector<std::string>& words) const;

    std::vector<std::string> classes_;  // of nouns: "le", "la"
    bool is_french_ = true;
    std::vector<Word> articles_, nouns_, adjectives_, verbs_, prepositions_, towns_;
    std::size_t first_ = 0;    // adjectives_ up to here come first in the source language
    std::size_t follows_ = 0;  // and from here on come after their noun in its translation
    std::vector<Nouns> kinds_;
    std::vector<Pattern> sentences_, phrases_;
    std::vector<std::string> target_vocabulary_;
};

}  // namespace glassformer
