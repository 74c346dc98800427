#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/worlds/frame.h"
#include "core/worlds/sample_sentences.h"

namespace glassformer {

/// "“I voted for Nader because he was most aligned with my values,” she said.": which person each pronoun means.
struct PeopleSentence {
    /// A pronoun, and the word that it means.
    struct Reference {
        int pronoun = 0, antecedent = 0;
    };
    std::vector<std::string> words;
    std::vector<Reference> references;
    int combination = 0;  ///< sum of the places of its words in their lists: decides its split
};

/// The sentences of people in a file of coreference. "he" and "she" stand for the man or the woman of the sentence;
/// "I", "me" and "my" for whoever says it.
class PeopleSentences {
public:
    /// Whether the file has any.
    static bool in(const WordLists& lists) { return lists.has("people"); }
    /// Throws Error naming file and line where the format is not kept.
    explicit PeopleSentences(const WordLists& lists);

    /// Sorted, each word once.
    std::vector<std::string> vocabulary() const;
    const std::vector<PeopleSentence>& samples() const { return samples_.all(); }
    int longest_sentence() const;

    /// A random one, every word with equal chances; never a sample. No combination of words is in both splits.
    PeopleSentence generate(Split split, Rng& rng) const;

private:
    /// The places of the words in their lists; the genders: 0 a man, 1 a woman.
    struct Choice {
        std::size_t frame, man, woman, person_gender, pronoun_gender, speaker_gender, act, deed, trait;
    };
    PeopleSentence say(const Choice& choice) const;
    std::optional<PeopleSentence> find(const std::vector<std::string>& words) const;

    std::string name_;
    std::vector<std::string> men_, women_, acts_, deeds_, traits_;
    std::vector<Frame> frames_;
    SampleSentences<PeopleSentence> samples_;
};

}  // namespace glassformer
