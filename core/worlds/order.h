#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/worlds/frame.h"
#include "core/worlds/sample_sentences.h"

namespace glassformer {

/// "the food was bad, not good at all.", with its truth.
struct OpinionSentence {
    std::vector<std::string> words;
    bool positive = false;              ///< what is meant, not what is denied
    int meant_pos = 0, denied_pos = 0;  ///< the two adjectives
    int noun = 0, good = 0, bad = 0;    ///< indexes of the world's lists: `good` and `bad` are both in the sentence
};

/// A small language of opinions in which the words alone say nothing: every sentence praises and blames, and denies one
/// of the two. The same words in another order mean the contrary.
class OrderWorld {
public:
    /// assets/worlds/order.words explains the format. Throws Error naming file and line where it is not kept.
    static OrderWorld parse(std::string_view text, const std::string& file_name);
    static OrderWorld load(const std::filesystem::path& path);

    const std::string& name() const { return name_; }
    const std::string& title() const { return title_; }
    const std::vector<std::string>& positive() const { return positive_; }
    const std::vector<std::string>& negative() const { return negative_; }
    /// Sorted, each word once.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    const std::vector<OpinionSentence>& samples() const { return samples_.all(); }
    int longest_sentence() const { return longest_sentence_; }

    /// A random sentence: every word and the opinion with equal chances; never a sample. No combination of noun,
    /// positive and negative word is in both splits.
    OpinionSentence generate(Split split, Rng& rng) const;
    bool held_out(const OpinionSentence& sentence) const;
    /// The same words with what is meant and what is denied exchanged: the contrary opinion.
    OpinionSentence contrary(const OpinionSentence& sentence) const;

private:
    struct Choice {
        std::size_t frame, noun, degree, good, bad;
        bool positive;
    };
    explicit OrderWorld(const WordLists& lists);
    void read_frames(const WordLists& lists);
    OpinionSentence say(const Choice& choice) const;
    std::optional<OpinionSentence> find(const std::vector<std::string>& words) const;

    std::string name_, title_;
    std::vector<std::string> nouns_, degrees_, positive_, negative_, vocabulary_;
    std::vector<Frame> frames_;
    SampleSentences<OpinionSentence> samples_;
    int longest_sentence_ = 0;
};

}  // namespace glassformer
