#include "core/worlds/next_word.h"

#include <algorithm>
#include <set>

#include "core/worlds/corpus.h"

namespace glassformer {
namespace {

constexpr std::uint64_t phrase_one_in = 4;

/// Both forms of each entry. Throws Error if they are the same, because then agreement could not be observed.
std::array<std::vector<std::string>, 2> forms(const WordLists& lists, std::string_view name) {
    for (const ListEntry& entry : lists.words(name, 2))
        if (entry.word(0) == entry.word(1))
            lists.fail_in_line(entry.line, "'{1}' has the same form in singular and plural", entry.word());
    return {lists.column(name, 2, 0), lists.column(name, 2, 1)};
}

}  // namespace

NextWordWorld::NextWordWorld(const WordLists& lists)
    : FrameWorld(lists),
      nouns_(forms(lists, "noun")),
      verbs_(forms(lists, "verb")),
      qualities_(lists.column("quality")),
      wheres_(lists.column("where")) {
    lists.expect({"noun", "verb", "quality", "where", "sentence", "phrase", "sample"});
    if (nouns_[0].size() < held_out_one_in)
        lists.fail_in_line(lists.words("noun", 2).front().line,
                           "at least five nouns are needed, so that some can be held out");
    read_frames(lists, {"noun", "verb", "quality", "where", "other"}, {"noun", "verb", "quality"});
    for (const Frame& frame : frames_)
        if (position_of(frame, true, "verb") < position_of(frame, true, "noun"))
            lists.fail_in_line(frame.line, "the verb comes before its noun: nothing could tell its form");
    for (const ListEntry& entry : lists.phrases("phrase")) {
        phrases_.push_back({entry.columns.front()});
        make_room(entry.columns.front().size());
    }
    list_words();
    samples_.read(lists, [this](const std::vector<std::string>& words) { return find(words); });
}

void NextWordWorld::list_words() {
    vocabulary_ = vocabulary_of({&nouns_[0], &nouns_[1], &verbs_[0], &verbs_[1], &qualities_, &wheres_}, frames_);
    std::set<std::string> words(vocabulary_.begin(), vocabulary_.end());
    for (const NextWordSentence& phrase : phrases_) words.insert(phrase.words.begin(), phrase.words.end());
    vocabulary_.assign(words.begin(), words.end());
}

NextWordSentence NextWordWorld::say(const Choice& choice) const {
    const Frame& frame = frames_[choice.frame];
    const SlotWord words[] = {{"noun", nouns_[choice.several][choice.noun]},
                              {"other", nouns_[choice.several_others][choice.other]},
                              {"verb", verbs_[choice.several][choice.verb]},
                              {"quality", qualities_[choice.quality]},
                              {"where", wheres_[choice.where]}};
    NextWordSentence sentence;
    sentence.words = fill(frame, words);
    sentence.noun_pos = position_of(frame, true, "noun");
    sentence.verb_pos = position_of(frame, true, "verb");
    sentence.other_pos = position_of(frame, true, "other");
    sentence.several = choice.several;
    sentence.misled = sentence.other_pos >= 0 && choice.several_others != choice.several;
    sentence.noun = static_cast<int>(choice.noun);
    sentence.verb = static_cast<int>(choice.verb);
    sentence.quality = static_cast<int>(choice.quality);
    sentence.other_form = verbs_[!choice.several][choice.verb];
    return sentence;
}

bool NextWordWorld::knows(const std::string& word) const { return std::ranges::binary_search(vocabulary_, word); }

// A sample that no frame can produce is a beginning.
std::optional<NextWordSentence> NextWordWorld::find(const std::vector<std::string>& words) const {
    const auto said = find_said(words, [&](std::size_t f, const auto& index) {
        const auto are_several = [&](std::string_view slot) {
            return index_of_slot(frames_[f], slot, words, nouns_[0]) == nouns_[0].size();
        };
        const bool several = are_several("noun"), several_others = are_several("other");
        return say({f, index(nouns_[several], "noun"), index(nouns_[several_others], "other"),
                    index(verbs_[several], "verb"), index(qualities_, "quality"), index(wheres_, "where"), several,
                    several_others});
    });
    const bool begins = words.back() != "." && static_cast<int>(words.size()) <= longest_sentence_ &&
                        std::ranges::all_of(words, [this](const std::string& word) { return knows(word); });
    return said || !begins ? said : NextWordSentence{words};
}

bool NextWordWorld::held_out(const NextWordSentence& sentence) {
    return sentence.verb_pos >= 0 && is_held_out(sentence.noun + sentence.verb + sentence.quality);
}

NextWordSentence NextWordWorld::generate(Split split, Rng& rng) const {
    const auto draw = [&] {
        if (split == Split::train && rng.below(phrase_one_in) == 0) return phrases_[rng.below(phrases_.size())];
        return say({rng.below(frames_.size()), rng.below(nouns_[0].size()), rng.below(nouns_[0].size()),
                    rng.below(verbs_[0].size()), rng.below(qualities_.size()), rng.below(wheres_.size()),
                    rng.below(2) == 0, rng.below(2) == 0});
    };
    return draw_other(split, draw);
}

}  // namespace glassformer
