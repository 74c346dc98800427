#include "core/worlds/coreference.h"

#include <algorithm>
#include <array>

#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

const std::array<std::string, 2> he_or_she = {"he", "she"};
constexpr std::array<std::string_view, 3> of_the_speaker = {"i", "me", "my"};

constexpr std::string_view pronoun = "it";

}  // namespace

PeopleSentences::PeopleSentences(const WordLists& lists)
    : FrameWorld(lists),
      men_(lists.column("man")),
      women_(lists.column("woman")),
      acts_(lists.column("act")),
      deeds_(lists.column("deed")),
      traits_(lists.column("trait")) {
    read_frames(lists, {"man", "woman", "person", "pronoun", "speaker", "act", "deed", "trait"}, {}, "people");
    for (const Frame& frame : frames_) {
        const bool two = frame.has("man") && frame.has("woman");
        if (two == frame.has("person"))
            lists.fail_in_line(frame.line, "the sentence needs {person}, or {man} and {woman}");
        if (!frame.has("pronoun") && !frame.has("speaker"))
            lists.fail_in_line(frame.line,
                               "the sentence has no {pronoun} and no {speaker}, so there is nothing to ask");
    }
    const std::vector<std::string> said(he_or_she.begin(), he_or_she.end());
    vocabulary_ = vocabulary_of({&men_, &women_, &acts_, &deeds_, &traits_, &said}, frames_);
    samples_.read(
        lists, [this](const std::vector<std::string>& words) { return find(words); }, "people_sample");
}

PeopleSentence PeopleSentences::say(const Choice& choice) const {
    const Frame& frame = frames_[choice.frame];
    const bool two = frame.has("man");
    // If only one person is named, the pronoun refers to that one.
    const std::size_t meant = two ? choice.pronoun_gender : choice.person_gender;
    const SlotWord words[] = {{"man", men_[choice.man]},
                              {"woman", women_[choice.woman]},
                              {"person", choice.person_gender == 0 ? men_[choice.man] : women_[choice.woman]},
                              {"pronoun", he_or_she[meant]},
                              {"speaker", he_or_she[choice.speaker_gender]},
                              {"act", acts_[choice.act]},
                              {"deed", deeds_[choice.deed]},
                              {"trait", traits_[choice.trait]}};
    PeopleSentence sentence;
    sentence.words = fill(frame, words);
    const std::size_t person = meant == 0 ? choice.man : choice.woman;
    // Depends only on what the sentence says, so the same words are always in the same split.
    sentence.combination =
        static_cast<int>(person + (frame.has("act") ? choice.act : choice.deed) +
                         (frame.has("trait") ? choice.trait : 0) + (frame.has("speaker") ? choice.speaker_gender : 0));
    const int pronoun = position_of(frame, true, "pronoun"), speaker = position_of(frame, true, "speaker");
    if (pronoun >= 0)
        sentence.references.push_back({pronoun, position_of(frame, true,
                                                            !two         ? "person"
                                                            : meant == 0 ? "man"
                                                                         : "woman")});
    for (int place = 0; speaker >= 0 && place < static_cast<int>(frame.pieces.size()); ++place) {
        const Frame::Piece& piece = frame.pieces[place];
        if (!piece.is_slot && std::ranges::find(of_the_speaker, piece.text) != of_the_speaker.end())
            sentence.references.push_back({place, speaker});
    }
    return sentence;
}

// Simply tries all combinations of genders.
std::optional<PeopleSentence> PeopleSentences::find(const std::vector<std::string>& words) const {
    for (std::size_t genders = 0; genders < 8; ++genders) {
        const bool woman = genders & 1u;
        const auto said = find_said(words, [&](std::size_t f, const auto& index) {
            const bool one = frames_[f].has("person");
            return say({f, index(men_, one && !woman ? "person" : "man"),
                        index(women_, one && woman ? "person" : "woman"), genders & 1u, (genders >> 1u) & 1u,
                        (genders >> 2u) & 1u, index(acts_, "act"), index(deeds_, "deed"), index(traits_, "trait")});
        });
        if (said) return said;
    }
    return std::nullopt;
}

PeopleSentence PeopleSentences::generate(Split split, Rng& rng) const {
    const auto draw = [&] {
        return say({rng.below(frames_.size()), rng.below(men_.size()), rng.below(women_.size()), rng.below(2),
                    rng.below(2), rng.below(2), rng.below(acts_.size()), rng.below(deeds_.size()),
                    rng.below(traits_.size())});
    };
    return draw_other(split, draw);
}

CoreferenceWorld::CoreferenceWorld(const WordLists& lists) : FrameWorld(lists) {
    if (PeopleSentences::in(lists))
        lists.expect({"animal", "place", "verb", "degree", "of_animal", "of_place", "sentence", "sample", "man",
                      "woman", "act", "deed", "trait", "people", "people_sample"});
    else
        lists.expect({"animal", "place", "verb", "degree", "of_animal", "of_place", "sentence", "sample"});
    animals_ = lists.column("animal");
    places_ = lists.column("place");
    verbs_ = lists.column("verb", 2);
    past_ = lists.column("verb", 2, 1);
    degrees_ = lists.column("degree");
    adjectives_ = lists.column("of_animal");
    of_animals_ = adjectives_.size();
    for (const ListEntry& entry : lists.words("of_place")) {
        if (std::ranges::find(adjectives_, entry.word()) != adjectives_.end())
            lists.fail_in_line(entry.line, "'{1}' is also said of animals, so it would not tell what is meant",
                               entry.word());
        adjectives_.push_back(entry.word());
    }
    if (of_animals_ < held_out_one_in || adjectives_.size() - of_animals_ < held_out_one_in)
        lists.fail_in_line(
            lists.phrases("of_place").front().line,
            "at least five adjectives of animals and five of places are needed, so that some can be held out");
    read_frames(lists, {"animal", "place", "do", "done", "degree", "of", "answer"},
                {"animal", "place", "degree", "of"});
    for (const Frame& frame : frames_) {
        if (frame.has("do") == frame.has("done")) lists.fail_in_line(frame.line, "the sentence needs {do} or {done}");
        if (position_of(frame, false, pronoun) < 0) lists.fail_in_line(frame.line, "the sentence has no \"it\"");
    }
    vocabulary_ = vocabulary_of({&animals_, &places_, &verbs_, &past_, &degrees_, &adjectives_}, frames_);
    if (PeopleSentences::in(lists)) add_people(lists);
    samples_.read(lists, [this](const std::vector<std::string>& words) { return find(words); });
}

void CoreferenceWorld::add_people(const WordLists& lists) {
    people_.emplace(lists);
    longest_sentence_ = std::max(longest_sentence_, people_->longest_sentence());
    vocabulary_.insert(vocabulary_.end(), people_->vocabulary().begin(), people_->vocabulary().end());
    std::ranges::sort(vocabulary_);
    vocabulary_.erase(std::unique(vocabulary_.begin(), vocabulary_.end()), vocabulary_.end());
}

std::optional<CoreferenceSentence> CoreferenceWorld::find(const std::vector<std::string>& words) const {
    return find_said(words, [&](std::size_t f, const auto& index) {
        return say({f, index(animals_, "animal"), index(places_, "place"),
                    frames_[f].has("do") ? index(verbs_, "do") : index(past_, "done"), index(degrees_, "degree"),
                    index(adjectives_, "of")});
    });
}

CoreferenceSentence CoreferenceWorld::say(const Choice& choice) const {
    const Frame& frame = frames_[choice.frame];
    CoreferenceSentence sentence;
    sentence.means_animal = is_animals(choice.adjective);
    sentence.animal = static_cast<int>(choice.animal);
    sentence.place = static_cast<int>(choice.place);
    sentence.adjective = static_cast<int>(choice.adjective);
    const std::string &animal = animals_[choice.animal], &place = places_[choice.place];
    const SlotWord words[] = {{"animal", animal},
                              {"place", place},
                              {"do", verbs_[choice.verb]},
                              {"done", past_[choice.verb]},
                              {"degree", degrees_[choice.degree]},
                              {"of", adjectives_[choice.adjective]},
                              {"answer", sentence.means_animal ? animal : place}};
    sentence.words = fill(frame, words);
    sentence.pronoun_pos = position_of(frame, false, pronoun);
    sentence.antecedent_pos = position_of(frame, true, sentence.means_animal ? "animal" : "place");
    sentence.other_pos = position_of(frame, true, sentence.means_animal ? "place" : "animal");
    sentence.answer_pos = position_of(frame, true, "answer");
    return sentence;
}

bool CoreferenceWorld::held_out(const CoreferenceSentence& sentence) {
    return is_held_out(sentence.animal + sentence.place + sentence.adjective);
}

CoreferenceSentence CoreferenceWorld::generate(Split split, Rng& rng) const {
    const auto draw = [&] {
        const bool means_animal = rng.below(2) == 0;
        const std::size_t adjective =
            means_animal ? rng.below(of_animals_) : of_animals_ + rng.below(adjectives_.size() - of_animals_);
        return say({rng.below(frames_.size()), rng.below(animals_.size()), rng.below(places_.size()),
                    rng.below(verbs_.size()), rng.below(degrees_.size()), adjective});
    };
    return draw_other(split, draw);
}

}  // namespace glassformer
