#include "core/worlds/coreference.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/words.h"
#include "core/worlds/corpus.h"

namespace glassformer {
namespace {

constexpr std::string_view pronoun = "it";

std::vector<std::string> column(const std::vector<ListEntry>& entries, std::size_t index = 0) {
    std::vector<std::string> words;
    for (const ListEntry& entry : entries) words.push_back(entry.word(index));
    return words;
}

}  // namespace

CoreferenceWorld CoreferenceWorld::parse(std::string_view text, const std::string& file_name) {
    return CoreferenceWorld(WordLists::parse(text, file_name));
}

CoreferenceWorld CoreferenceWorld::load(const std::filesystem::path& path) {
    return CoreferenceWorld(WordLists::load(path));
}

CoreferenceWorld::CoreferenceWorld(const WordLists& lists) : name_(lists.name()), title_(lists.title()) {
    lists.expect({"animal", "place", "verb", "degree", "of_animal", "of_place", "sentence", "sample"});
    animals_ = column(lists.words("animal"));
    places_ = column(lists.words("place"));
    verbs_ = column(lists.words("verb", 2));
    past_ = column(lists.words("verb", 2), 1);
    degrees_ = column(lists.words("degree"));
    adjectives_ = column(lists.words("of_animal"));
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
    list_words();
    read_samples(lists);
}

void CoreferenceWorld::read_frames(const WordLists& lists) {
    for (const ListEntry& entry : lists.phrases("sentence")) {
        Frame frame = frame_of(lists, entry, {"animal", "place", "do", "done", "degree", "of", "answer"});
        for (const std::string_view slot : {"animal", "place", "degree", "of", "answer"})
            if (!frame.has(slot)) lists.fail(entry.line, "the sentence has no {" + std::string(slot) + "}");
        if (frame.has("do") == frame.has("done")) lists.fail(entry.line, "the sentence needs {do} or {done}");
        if (position_of(frame, false, pronoun) < 0) lists.fail(entry.line, "the sentence has no \"it\"");
        longest_sentence_ = std::max(longest_sentence_, static_cast<int>(frame.pieces.size()));
        frames_.push_back(std::move(frame));
    }
}

void CoreferenceWorld::list_words() {
    std::set<std::string> words;
    for (const auto* list : {&animals_, &places_, &verbs_, &past_, &degrees_, &adjectives_})
        words.insert(list->begin(), list->end());
    for (const Frame& frame : frames_)
        for (const Frame::Piece& piece : frame.pieces)
            if (!piece.is_slot) words.insert(piece.text);
    vocabulary_.assign(words.begin(), words.end());
}

void CoreferenceWorld::read_samples(const WordLists& lists) {
    for (const ListEntry& entry : lists.phrases("sample")) {
        const std::vector<std::string>& words = entry.columns.front();
        std::optional<CoreferenceSentence> sample = find(words);
        if (!sample) lists.fail(entry.line, "the sample '" + join_words(words) + "' is no true sentence of this world");
        samples_.push_back(*std::move(sample));
        sample_words_.insert(words);
    }
}

// Samples are few, so every place of every list is simply compared.
std::optional<CoreferenceSentence> CoreferenceWorld::find(const std::vector<std::string>& words) const {
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const Frame& frame = frames_[f];
        if (frame.pieces.size() != words.size()) continue;
        const auto index = [&](const std::vector<std::string>& list, std::string_view slot) {
            const int position = position_of(frame, true, slot);
            const auto found =
                position < 0 ? list.begin() : std::ranges::find(list, words[static_cast<std::size_t>(position)]);
            return static_cast<std::size_t>(found - list.begin());
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
    for (int draws = 0; draws < max_draws; ++draws) {
        const bool means_animal = rng.below(2) == 0;
        const std::size_t adjective =
            means_animal ? rng.below(of_animals_) : of_animals_ + rng.below(adjectives_.size() - of_animals_);
        CoreferenceSentence sentence =
            say({rng.below(frames_.size()), rng.below(animals_.size()), rng.below(places_.size()),
                 rng.below(verbs_.size()), rng.below(degrees_.size()), adjective});
        if (held_out(sentence) == (split == Split::held_out) && !sample_words_.contains(sentence.words))
            return sentence;
    }
    throw Error("the world '" + name_ + "' finds no sentence that is not a sample");
}

}  // namespace glassformer
