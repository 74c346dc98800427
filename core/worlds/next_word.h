#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// A complete sentence, or the beginning of one to continue.
struct NextWordSentence {
    std::vector<std::string> words;
    int noun_pos = -1, verb_pos = -1;     ///< the verb agrees with that noun; −1 for a phrase or a beginning
    int other_pos = -1;                   ///< another noun between them, or −1
    bool several = false;                 ///< whether the noun, and so the verb, is plural
    bool misled = false;                  ///< whether the other noun calls for the other form
    int noun = 0, verb = 0, quality = 0;  ///< indexes of the world's lists
    std::string other_form = {};          ///< the verb's form that does not agree
};

/// A small language for reading from left to right. In most sentences a verb agrees with a noun, past another noun that
/// may call for the other form (Linzen, Dupoux, Goldberg 2016). The others are phrases to memorise.
class NextWordWorld : public FrameWorld<NextWordWorld, NextWordSentence> {
public:
    explicit NextWordWorld(const WordLists& lists);

    /// A random sentence, never a sample. In training one in four is a phrase; held out, none is. Words, and singular
    /// or plural for each noun, are equally likely. No combination of noun, verb and quality is in both splits.
    NextWordSentence generate(Split split, Rng& rng) const;
    static bool held_out(const NextWordSentence& sentence);

private:
    /// The singular and plural forms of words.
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
