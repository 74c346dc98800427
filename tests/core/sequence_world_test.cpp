#include "core/worlds/sequence_world.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/text/word_tokenizer.h"

using namespace glassformer;

namespace {

constexpr int shortest = 3, longest = 10, sentences = 2000;

std::vector<SequenceSentence> draw(const SequenceWorld& world, Split split, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<SequenceSentence> drawn;
    for (int i = 0; i < sentences; ++i) drawn.push_back(world.generate(split, rng));
    return drawn;
}

/// Returns the sequence, without the colon before its answer.
std::vector<int> sequence_of(const SequenceWorld& world, const SequenceSentence& s) {
    const int colon = world.rule() == SequenceRule::repeated ? 0 : 1;
    return {s.words.begin(), s.words.begin() + s.answer - colon};
}

std::vector<int> answer_of(const SequenceSentence& s) {
    return {s.words.begin() + s.answer, s.words.begin() + s.length};
}

}  // namespace

TEST_CASE("a repeated sequence has no syllable twice in its first half, and its second half is the same") {
    const SequenceWorld world(SequenceRule::repeated, 6, 16);
    CHECK(world.symbols() == 32);
    CHECK(world.longest_sentence() == 32);
    std::set<int> lengths;
    for (const SequenceSentence& s : draw(world, Split::train, 3)) {
        const std::vector<int> sequence = sequence_of(world, s);
        CHECK(answer_of(s) == sequence);
        CHECK(std::set<int>(sequence.begin(), sequence.end()).size() == sequence.size());
        lengths.insert(static_cast<int>(sequence.size()));
    }
    CHECK(lengths.size() == 11);
    CHECK(*lengths.begin() == 6);
    CHECK(*lengths.rbegin() == 16);
}

TEST_CASE("a copied or sorted sequence is followed by a colon and its answer") {
    const SequenceWorld copied(SequenceRule::copied, shortest, longest),
        sorted(SequenceRule::sorted, shortest, longest);
    const WordTokenizer words(copied.vocabulary());
    int with_repeats = 0;
    for (const SequenceWorld* world : {&copied, &sorted})
        for (const SequenceSentence& s : draw(*world, Split::train, 4)) {
            std::vector<int> expected = sequence_of(*world, s);
            with_repeats += std::set<int>(expected.begin(), expected.end()).size() < expected.size();
            if (world == &sorted) std::sort(expected.begin(), expected.end());
            CHECK(answer_of(s) == expected);
            CHECK(words.word(s.words[s.answer - 1]) == ":");
        }
    CHECK(with_repeats > sentences / 4);  // letters may repeat
}

TEST_CASE("ids are in alphabetical order, and the tokenizer has the same") {
    const SequenceWorld world(SequenceRule::sorted, shortest, longest);
    const WordTokenizer words(world.vocabulary());
    for (const SequenceSentence& s : draw(world, Split::train, 5)) {
        const std::vector<int> answer = answer_of(s);
        for (std::size_t i = 1; i < answer.size(); ++i) CHECK(words.word(answer[i - 1]) <= words.word(answer[i]));
    }
}

TEST_CASE("no held-out sequence is a training sequence, whatever the seeds, and an eighth is held out") {
    for (const SequenceRule rule : {SequenceRule::repeated, SequenceRule::copied, SequenceRule::sorted}) {
        // Two symbols per sequence, so that there are few sequences and each is drawn many times.
        const SequenceWorld world(rule, 2, 2);
        std::set<std::vector<int>> train, held_out;
        for (const std::uint64_t seed : {1u, 2u}) {
            for (const auto& s : draw(world, Split::train, seed)) train.insert(sequence_of(world, s));
            for (const auto& s : draw(world, Split::held_out, seed)) held_out.insert(sequence_of(world, s));
        }
        for (const auto& sequence : held_out) CHECK(train.count(sequence) == 0);
        const double share = static_cast<double>(held_out.size()) / static_cast<double>(train.size() + held_out.size());
        CHECK(share > 0.08);
        CHECK(share < 0.18);
    }
}

TEST_CASE("invalid lengths are refused") {
    CHECK_THROWS_AS(SequenceWorld(SequenceRule::copied, 0, 4), Error);
    CHECK_THROWS_AS(SequenceWorld(SequenceRule::copied, 5, 4), Error);
    CHECK_THROWS_AS(SequenceWorld(SequenceRule::repeated, 6, 33), Error);
    CHECK_THROWS_AS(SequenceWorld(SequenceRule::sorted, 6, 32), Error);
    CHECK(SequenceWorld(SequenceRule::sorted, 31, 31).longest_sentence() == 63);
}
