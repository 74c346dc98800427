#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/worlds/corpus.h"

namespace glassformer {

class Rng;

/// What follows a random sequence.
enum class SequenceRule {
    repeated,  ///< the sequence again at once: "ka mo fe ka mo fe"; all its syllables are different
    copied,    ///< a colon, then the sequence again: "b a b : b a b"
    sorted     ///< a colon, then the same letters in alphabetical order: "b a b : a b b"
};

/// A sentence of a SequenceWorld as word ids. Those from `answer` on follow from the others.
struct SequenceSentence {
    static constexpr int most = 64;
    std::array<int, most> words{};
    int length = 0, answer = 0;

    std::span<const int> ids() const { return {words.data(), static_cast<std::size_t>(length)}; }
};

/// Random sequences of symbols, each followed by the result of a rule. One sequence in eight, chosen by a hash of its
/// symbols, is held out: it is in no training sentence, whatever the seed.
class SequenceWorld {
public:
    /// Sequences have `shortest` to `longest` symbols, each length equally likely. Throws Error if a length is below 1,
    /// or too large for the sentence or (repeated) for the number of symbols.
    SequenceWorld(SequenceRule rule, int shortest, int longest);

    SequenceRule rule() const { return rule_; }
    /// The symbols in sort order (32 syllables or 26 letters), then the colon if the rule has one. Sentences use the
    /// ids that WordTokenizer assigns to these words.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    int symbols() const { return symbols_; }
    /// In words.
    int longest_sentence() const { return sentence_length(longest_); }
    /// Allocates nothing.
    SequenceSentence generate(Split split, Rng& rng) const;
    /// The split of a sequence of symbol ids.
    static Split split_of(std::span<const int> sequence);

private:
    int sentence_length(int sequence) const { return 2 * sequence + (rule_ == SequenceRule::repeated ? 0 : 1); }
    void draw_symbols(std::span<int> sequence, Rng& rng) const;

    SequenceRule rule_;
    int shortest_, longest_, symbols_;
    std::vector<std::string> vocabulary_;
};

}  // namespace glassformer
