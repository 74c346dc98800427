#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// "the food was bad, not good at all.", with its truth.
struct OpinionSentence {
    std::vector<std::string> words;
    bool positive = false;              ///< what is meant, not what is denied
    int meant_pos = 0, denied_pos = 0;  ///< the two adjectives
    int noun = 0, good = 0, bad = 0;    ///< indexes of the world's lists: `good` and `bad` are both in the sentence
};

/// A small language of opinions in which the words alone say nothing: every sentence contains praise and blame, and
/// denies one of them. The same words in another order mean the opposite.
class OrderWorld : public FrameWorld<OrderWorld, OpinionSentence> {
public:
    explicit OrderWorld(const WordLists& lists);

    const std::vector<std::string>& positive() const { return positive_; }
    const std::vector<std::string>& negative() const { return negative_; }

    /// A random sentence, every word and the opinion equally likely; never a sample. No combination of noun, positive
    /// and negative word is in both splits.
    OpinionSentence generate(Split split, Rng& rng) const;
    static bool held_out(const OpinionSentence& sentence);
    /// The opposite opinion: the same words, with what is meant and what is denied swapped.
    OpinionSentence contrary(const OpinionSentence& sentence) const;

private:
    struct Choice {
        std::size_t frame, noun, degree, good, bad;
        bool positive;
    };
    OpinionSentence say(const Choice& choice) const;
    std::optional<OpinionSentence> find(const std::vector<std::string>& words) const;

    std::vector<std::string> nouns_, degrees_, positive_, negative_;
};

}  // namespace glassformer
