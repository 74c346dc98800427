#include "core/worlds/order.h"

#include <algorithm>
#include <utility>

#include "core/worlds/corpus.h"

namespace glassformer {

OrderWorld::OrderWorld(const WordLists& lists)
    : FrameWorld(lists),
      nouns_(lists.column("noun")),
      degrees_(lists.column("degree")),
      positive_(lists.column("positive")),
      negative_(lists.column("negative")) {
    lists.expect({"noun", "degree", "positive", "negative", "sentence", "sample"});
    for (const ListEntry& entry : lists.words("negative"))
        if (std::ranges::find(positive_, entry.word()) != positive_.end())
            lists.fail_in_line(entry.line, "'{1}' is also a positive word", entry.word());
    if (negative_.size() < held_out_one_in)
        lists.fail_in_line(lists.words("negative").front().line,
                           "at least five negative words are needed, so that some can be held out");
    read_frames(lists, {"noun", "degree", "meant", "denied"}, {"noun", "meant", "denied"});
    vocabulary_ = vocabulary_of({&nouns_, &degrees_, &positive_, &negative_}, frames_);
    samples_.read(lists, [this](const std::vector<std::string>& words) { return find(words); });
}

std::optional<OpinionSentence> OrderWorld::find(const std::vector<std::string>& words) const {
    return find_said(words, [&](std::size_t f, const auto& index) {
        const bool positive = index_of_slot(frames_[f], "meant", words, positive_) < positive_.size();
        return say({f, index(nouns_, "noun"), index(degrees_, "degree"),
                    index(positive_, positive ? "meant" : "denied"), index(negative_, positive ? "denied" : "meant"),
                    positive});
    });
}

OpinionSentence OrderWorld::say(const Choice& choice) const {
    const Frame& frame = frames_[choice.frame];
    const std::string &good = positive_[choice.good], &bad = negative_[choice.bad];
    const SlotWord words[] = {{"noun", nouns_[choice.noun]},
                              {"degree", degrees_[choice.degree]},
                              {"meant", choice.positive ? good : bad},
                              {"denied", choice.positive ? bad : good}};
    OpinionSentence sentence;
    sentence.words = fill(frame, words);
    sentence.positive = choice.positive;
    sentence.meant_pos = position_of(frame, true, "meant");
    sentence.denied_pos = position_of(frame, true, "denied");
    sentence.noun = static_cast<int>(choice.noun);
    sentence.good = static_cast<int>(choice.good);
    sentence.bad = static_cast<int>(choice.bad);
    return sentence;
}

bool OrderWorld::held_out(const OpinionSentence& sentence) {
    return is_held_out(sentence.noun + sentence.good + sentence.bad);
}

OpinionSentence OrderWorld::contrary(const OpinionSentence& sentence) const {
    OpinionSentence other = sentence;
    other.positive = !sentence.positive;
    std::swap(other.words[other.meant_pos], other.words[other.denied_pos]);
    return other;
}

OpinionSentence OrderWorld::generate(Split split, Rng& rng) const {
    const auto draw = [&] {
        return say({rng.below(frames_.size()), rng.below(nouns_.size()), rng.below(degrees_.size()),
                    rng.below(positive_.size()), rng.below(negative_.size()), rng.below(2) == 0});
    };
    return draw_other(split, draw);
}

}  // namespace glassformer
