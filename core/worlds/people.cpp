#include "core/worlds/people.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

const std::array<std::string, 2> he_or_she = {"he", "she"};
constexpr std::array<std::string_view, 3> of_the_speaker = {"i", "me", "my"};

}  // namespace

PeopleSentences::PeopleSentences(const WordLists& lists)
    : name_(lists.name()),
      men_(lists.column("man")),
      women_(lists.column("woman")),
      acts_(lists.column("act")),
      deeds_(lists.column("deed")),
      traits_(lists.column("trait")) {
    for (const ListEntry& entry : lists.phrases("people")) {
        Frame frame = frame_of(lists, entry, {"man", "woman", "person", "pronoun", "speaker", "act", "deed", "trait"});
        const bool two = frame.has("man") && frame.has("woman");
        if (two == frame.has("person")) lists.fail(entry.line, "the sentence needs {person}, or {man} and {woman}");
        if (!frame.has("pronoun") && !frame.has("speaker"))
            lists.fail(entry.line, "the sentence has no {pronoun} and no {speaker}, so nothing is asked");
        frames_.push_back(std::move(frame));
    }
    samples_.read(
        lists, [this](const std::vector<std::string>& words) { return find(words); }, "people_sample");
}

std::vector<std::string> PeopleSentences::vocabulary() const {
    std::vector<std::string> said(he_or_she.begin(), he_or_she.end());
    return vocabulary_of({&men_, &women_, &acts_, &deeds_, &traits_, &said}, frames_);
}

int PeopleSentences::longest_sentence() const {
    std::size_t longest = 0;
    for (const Frame& frame : frames_) longest = std::max(longest, frame.pieces.size());
    return static_cast<int>(longest);
}

PeopleSentence PeopleSentences::say(const Choice& choice) const {
    const Frame& frame = frames_[choice.frame];
    const bool two = frame.has("man");
    // Where one person is named, the pronoun is of that one.
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
    // Only of what the sentence says: the same words are always in the same split.
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

// Samples are few, so everything is simply tried.
std::optional<PeopleSentence> PeopleSentences::find(const std::vector<std::string>& words) const {
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const Frame& frame = frames_[f];
        if (frame.pieces.size() != words.size()) continue;
        const auto index = [&](const std::vector<std::string>& list, std::string_view slot) {
            return std::min(index_of_slot(frame, slot, words, list), list.size() - 1);
        };
        for (std::size_t genders = 0; genders < 8; ++genders) {
            const bool woman = genders & 1u;
            const Choice choice{f,
                                index(men_, frame.has("person") && !woman ? "person" : "man"),
                                index(women_, frame.has("person") && woman ? "person" : "woman"),
                                genders & 1u,
                                (genders >> 1u) & 1u,
                                (genders >> 2u) & 1u,
                                index(acts_, "act"),
                                index(deeds_, "deed"),
                                index(traits_, "trait")};
            if (PeopleSentence said = say(choice); said.words == words) return said;
        }
    }
    return std::nullopt;
}

PeopleSentence PeopleSentences::generate(Split split, Rng& rng) const {
    const auto draw = [&] {
        return say({rng.below(frames_.size()), rng.below(men_.size()), rng.below(women_.size()), rng.below(2),
                    rng.below(2), rng.below(2), rng.below(acts_.size()), rng.below(deeds_.size()),
                    rng.below(traits_.size())});
    };
    return samples_.draw_other(split, name_, draw, [](const PeopleSentence& s) { return is_held_out(s.combination); });
}

}  // namespace glassformer
