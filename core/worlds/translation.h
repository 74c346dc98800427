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
    std::vector<std::string> words;   ///< in the source language; "." is a word
    std::vector<std::string> target;  ///< its translation
    std::vector<int> alignment;       ///< target[i] translates words[alignment[i]]
    /// The unit that is held out: each noun's adjectives with the sentence's verb or, for a phrase, its two towns.
    /// Indexes of the world's lists.
    struct Combination {
        int noun, adjective, verb;
        auto operator<=>(const Combination&) const = default;
    };
    std::vector<Combination> combinations;
};

/// A small part of a language with its translation into another: words change places, and words agree with the class of
/// a noun (its gender in French, its measure word in Chinese). assets/worlds/translation.words explains the file
/// format.
class TranslationWorld : public FrameWorld<TranslationWorld, TranslatedSentence> {
public:
    explicit TranslationWorld(const WordLists& lists);

    /// Sorted, without duplicates. vocabulary() is that of the source language.
    const std::vector<std::string>& target_vocabulary() const { return target_vocabulary_; }
    /// A random sentence, never a sample. A training sentence contains no held-out combination of noun, adjective and
    /// verb; a held-out sentence contains at least one.
    TranslatedSentence generate(Split split, Rng& rng) const;
    static bool held_out(const TranslatedSentence& sentence);
    /// The true translation of a sentence (in lower-case words); nothing if it is not in this language.
    std::optional<TranslatedSentence> translate(const std::vector<std::string>& source) const;

private:
    /// A word with its translation: a single form, or one form per noun class. A noun itself has a class.
    struct Word {
        std::string source;
        std::vector<std::string> target;
        std::size_t noun_class = 0;
    };
    struct Nouns {
        std::string slot;
        std::size_t begin, end;  // of nouns_
    };
    /// The content of a slot: a noun phrase, or one word (verb, preposition, town).
    struct Filling {
        std::size_t word = 0, article = 0;
        std::optional<std::size_t> first, second;  // indexes of adjectives_
    };
    /// A sentence with slots, and its translation.
    struct Pattern {
        Frame source, target;
        std::vector<std::size_t> translates;  // target.pieces[i] translates source.pieces[translates[i]]
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
    std::size_t first_ = 0;    // adjectives_ before this index come first in the source language
    std::size_t follows_ = 0;  // those from this index on follow their noun in the translation
    std::vector<Nouns> kinds_;
    std::vector<Pattern> sentences_, phrases_;
    std::vector<std::string> target_vocabulary_;
};

}  // namespace glassformer
