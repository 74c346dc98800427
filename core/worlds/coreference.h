#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/worlds/frame_world.h"

namespace glassformer {

/// "“I voted for Nader because he was most aligned with my values,” she said.", with the person that each pronoun
/// means.
struct PeopleSentence {
    /// A pronoun, and the word that it means.
    struct Reference {
        int pronoun = 0, antecedent = 0;
    };
    std::vector<std::string> words;
    std::vector<Reference> references;
    int combination = 0;  ///< sum of its words' indexes in their lists; decides its split
};

/// The sentences about people in a coreference file. "he" and "she" mean the man or the woman of the sentence; "I",
/// "me" and "my" mean the speaker.
class PeopleSentences : public FrameWorld<PeopleSentences, PeopleSentence> {
public:
    /// Whether the file has any.
    static bool in(const WordLists& lists) { return lists.has("people"); }
    /// Throws Error naming file and line if the format is violated.
    explicit PeopleSentences(const WordLists& lists);

    /// A random sentence, every word equally likely; never a sample. No combination of words is in both splits.
    PeopleSentence generate(Split split, Rng& rng) const;
    static bool held_out(const PeopleSentence& sentence) { return is_held_out(sentence.combination); }

private:
    /// Indexes of the words in their lists; genders are 0 for a man, 1 for a woman.
    struct Choice {
        std::size_t frame, man, woman, person_gender, pronoun_gender, speaker_gender, act, deed, trait;
    };
    PeopleSentence say(const Choice& choice) const;
    std::optional<PeopleSentence> find(const std::vector<std::string>& words) const;

    std::vector<std::string> men_, women_, acts_, deeds_, traits_;
};

/// "the chicken did not cross the road because it was too tired. it means the chicken.", with its truth.
struct CoreferenceSentence {
    std::vector<std::string> words;
    int pronoun_pos = 0, antecedent_pos = 0, other_pos = 0;
    int answer_pos = -1;                       ///< of "it means the …"; −1 if the sentence does not say it
    bool means_animal = false;                 ///< otherwise the place
    int animal = 0, place = 0, adjective = 0;  ///< indexes of the world's lists
};

/// A small language in which only an adjective tells what "it" means. Animal and place are each the answer in half of
/// the sentences, and each comes first in half of them if the file's sentences are balanced in this way.
class CoreferenceWorld : public FrameWorld<CoreferenceWorld, CoreferenceSentence> {
public:
    explicit CoreferenceWorld(const WordLists& lists);

    const std::vector<std::string>& animals() const { return animals_; }
    const std::vector<std::string>& places() const { return places_; }
    /// First those of animals, then those of places.
    const std::vector<std::string>& adjectives() const { return adjectives_; }
    /// The sentences about people, if the file has any.
    const std::optional<PeopleSentences>& people() const { return people_; }

    /// A random sentence: first what "it" means, then every word, equally likely; never a sample. No combination of
    /// animal, place and adjective is in both splits.
    CoreferenceSentence generate(Split split, Rng& rng) const;
    static bool held_out(const CoreferenceSentence& sentence);

private:
    struct Choice {
        std::size_t frame, animal, place, verb, degree, adjective;
    };
    void add_people(const WordLists& lists);
    bool is_animals(std::size_t adjective) const { return adjective < of_animals_; }
    CoreferenceSentence say(const Choice& choice) const;
    std::optional<CoreferenceSentence> find(const std::vector<std::string>& words) const;

    std::vector<std::string> animals_, places_, verbs_, past_, degrees_, adjectives_;
    std::size_t of_animals_ = 0;
    std::optional<PeopleSentences> people_;
};

}  // namespace glassformer
