#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// A sentence to go on with, or its beginning.
struct NextWordSentence {
    std::vector<std::string> words;
    int noun_pos = -1, verb_pos = -1;     ///< the verb agrees with that noun; −1: a phrase, or a beginning
    int other_pos = -1;                   ///< another noun between them, or −1
    bool several = false;                 ///< whether the noun, and so the verb, is of several
    bool misled = false;                  ///< whether the other noun asks for the other form
    int noun = 0, verb = 0, quality = 0;  ///< indexes of the world's lists
    std::string other_form = {};          ///< the verb's form that does not agree
};

/// A small language to be read from left to right. In most sentences a verb agrees with a noun, past another one that
/// may ask for the other form (Linzen, Dupoux, Goldberg 2016); the others are phrases learned as they stand.
class NextWordWorld : public FrameWorld<NextWordWorld, NextWordSentence> {
public:
    explicit NextWordWorld(const WordLists& lists);

    /// A random sentence, never a sample: in training one in four is a phrase, held out none is. Every word, and
    /// whether a noun is of one or of several, has equal chances. No combination of noun, verb and quality is in both
    /// splits.
    NextWordSentence generate(Split split, Rng& rng) const;
    static bool held_out(const NextWordSentence& sentence);

private:
    /// A word for one, and its form for several.
    using Forms = std::array<std::vector<std::string>, 2>;
    struct Choice {
        std::size_t frame, noun, other, verb, quality, where;
        bool several, several_others;
    };
    void list_words();
    NextWordSentence say(const Choice& choice) const;
    std::optional<NextWordSentence> find(const std::vector<std::string>& words) const;
    bool knows(const std::string& word) const;

    Forms nouns_, verbs_;
    std::vector<std::string> qualities_, wheres_;
    std::vector<NextWordSentence> phrases_;
};

}  // namespace glassformer
