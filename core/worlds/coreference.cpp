#include "core/worlds/coreference.h"

#include <algorithm>

#include "core/worlds/corpus.h"

namespace glassformer {
namespace {

constexpr std::string_view pronoun = "it";

}  // namespace

CoreferenceWorld CoreferenceWorld::parse(std::string_view text, const std::string& file_name) {
    return CoreferenceWorld(WordLists::parse(text, file_name));
}

CoreferenceWorld CoreferenceWorld::load(const std::filesystem::path& path) {
    return CoreferenceWorld(WordLists::load(path));
}

CoreferenceWorld::CoreferenceWorld(const WordLists& lists) : name_(lists.name()), title_(lists.title()) {
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
            lists.fail(entry.line, "'" + entry.word() + "' is said of animals too, so it would not tell what is meant");
        adjectives_.push_back(entry.word());
    }
    if (of_animals_ < held_out_one_in || adjectives_.size() - of_animals_ < held_out_one_in)
        lists.fail(lists.phrases("of_place").front().line,
                   "five adjectives of animals and five of places are the fewest that can be held out fairly");
    read_frames(lists);
    vocabulary_ = vocabulary_of({&animals_, &places_, &verbs_, &past_, &degrees_, &adjectives_}, frames_);
    if (PeopleSentences::in(lists)) add_people(lists);
    samples_.read(lists, [this](const std::vector<std::string>& words) { return find(words); });
}

void CoreferenceWorld::add_people(const WordLists& lists) {
    people_.emplace(lists);
    longest_sentence_ = std::max(longest_sentence_, people_->longest_sentence());
    const std::vector<std::string> more = people_->vocabulary();
    vocabulary_.insert(vocabulary_.end(), more.begin(), more.end());
    std::ranges::sort(vocabulary_);
    vocabulary_.erase(std::unique(vocabulary_.begin(), vocabulary_.end()), vocabulary_.end());
}

void CoreferenceWorld::read_frames(const WordLists& lists) {
    for (const ListEntry& entry : lists.phrases("sentence")) {
        Frame frame = frame_of(lists, entry, {"animal", "place", "do", "done", "degree", "of", "answer"});
        for (const std::string_view slot : {"animal", "place", "degree", "of"})
            if (!frame.has(slot)) lists.fail(entry.line, "the sentence has no {" + std::string(slot) + "}");
        if (frame.has("do") == frame.has("done")) lists.fail(entry.line, "the sentence needs {do} or {done}");
        if (position_of(frame, false, pronoun) < 0) lists.fail(entry.line, "the sentence has no \"it\"");
        longest_sentence_ = std::max(longest_sentence_, static_cast<int>(frame.pieces.size()));
        frames_.push_back(std::move(frame));
    }
}

// Samples are few, so every place of every list is simply compared.
std::optional<CoreferenceSentence> CoreferenceWorld::find(const std::vector<std::string>& words) const {
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const Frame& frame = frames_[f];
        if (frame.pieces.size() != words.size()) continue;
        const auto index = [&](const std::vector<std::string>& list, std::string_view slot) {
            return index_of_slot(frame, slot, words, list);
        };
        const Choice choice{f,
                            index(animals_, "animal"),
                            index(places_, "place"),
                            frame.has("do") ? index(verbs_, "do") : index(past_, "done"),
                            index(degrees_, "degree"),
                            index(adjectives_, "of")};
        if (choice.animal == animals_.size() || choice.place == places_.size() || choice.verb == verbs_.size() ||
            choice.degree == degrees_.size() || choice.adjective == adjectives_.size())
            continue;
        if (CoreferenceSentence said = say(choice); said.words == words) return said;
    }
    return std::nullopt;
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

bool CoreferenceWorld::held_out(const CoreferenceSentence& sentence) const {
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
    return samples_.draw_other(split, name_, draw, [this](const CoreferenceSentence& s) { return held_out(s); });
}

}  // namespace glassformer
