// The world that the program ships with: assets/worlds/coreference.words.
#include "core/worlds/coreference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/worlds/corpus.h"

using namespace glassformer;

namespace {

const CoreferenceWorld& world() {
    static const CoreferenceWorld loaded =
        CoreferenceWorld::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/coreference.words");
    return loaded;
}

std::vector<CoreferenceSentence> draw(Split split, int count) {
    Rng rng(5, split == Split::train ? 0 : 1);
    std::vector<CoreferenceSentence> sentences;
    for (int i = 0; i < count; ++i) sentences.push_back(world().generate(split, rng));
    return sentences;
}

const std::set<std::string> tired = {"tired",   "hungry", "lazy", "scared", "sleepy",
                                     "thirsty", "shy",    "sick", "bored",  "nervous"};

const std::string& at(const CoreferenceSentence& s, int position) { return s.words[position]; }

}  // namespace

TEST_CASE("coreference: the adjective alone decides the answer") {
    for (const Split split : {Split::train, Split::held_out})
        for (const CoreferenceSentence& s : draw(split, 2000)) {
            const bool says_tired = std::ranges::any_of(s.words, [](const auto& w) { return tired.contains(w); });
            CHECK(says_tired == s.means_animal);
            CHECK(at(s, s.pronoun_pos) == "it");
            const std::string &answer = at(s, s.antecedent_pos), &other = at(s, s.other_pos);
            CHECK((s.answer_pos < 0 || at(s, s.answer_pos) == answer));
            CHECK(other != answer);
            const auto is_animal = [](const std::string& w) { return std::ranges::count(world().animals(), w) == 1; };
            CHECK(is_animal(answer) == says_tired);
            CHECK(is_animal(other) != says_tired);
            CHECK((s.answer_pos < 0 || s.answer_pos == static_cast<int>(s.words.size()) - 2));
            CHECK(s.words.size() <= static_cast<std::size_t>(world().longest_sentence()));
        }
}

TEST_CASE("coreference: neither position nor frequency gives the answer away") {
    const std::vector<CoreferenceSentence> sentences = draw(Split::train, 20000);
    int animal = 0, first = 0;
    std::map<int, int> balance, all;                      // by position of the animal
    std::map<std::string, std::pair<int, int>> by_other;  // by noun: how often it is the antecedent, and how often not
    for (const CoreferenceSentence& s : sentences) {
        animal += s.means_animal;
        first += s.antecedent_pos < s.other_pos;
        const int animal_pos = s.means_animal ? s.antecedent_pos : s.other_pos;
        balance[animal_pos] += s.means_animal ? 1 : -1;
        ++all[animal_pos];
        ++by_other[at(s, s.antecedent_pos)].first;
        ++by_other[at(s, s.other_pos)].second;
    }
    CHECK(animal / 20000.0 == doctest::Approx(0.5).epsilon(0.04));
    CHECK(first / 20000.0 == doctest::Approx(0.5).epsilon(0.04));
    for (const auto& [position, difference] : balance)
        CHECK(std::abs(difference) < 0.1 * static_cast<double>(all[position]));
    for (const auto& [noun, counts] : by_other) {
        CAPTURE(noun);
        CHECK(static_cast<double>(counts.first) / (counts.first + counts.second) == doctest::Approx(0.5).epsilon(0.16));
    }
}

TEST_CASE("coreference: training and held-out sentences share all words, but no animal, place and adjective together") {
    const auto triples = [](Split split, std::set<std::string>& words) {
        std::set<std::tuple<int, int, int>> seen;
        for (const CoreferenceSentence& s : draw(split, 20000)) {
            seen.insert({s.animal, s.place, s.adjective});
            words.insert(s.words.begin(), s.words.end());
        }
        return seen;
    };
    std::set<std::string> known, asked;
    const auto train = triples(Split::train, known), held_out = triples(Split::held_out, asked);
    for (const auto& triple : held_out) CHECK_FALSE(train.contains(triple));
    CHECK(held_out.size() > 400);
    CHECK(train.size() > 1600);
    for (const Split split : {Split::train, Split::held_out}) {
        Rng rng(6, split == Split::train ? 0 : 1);
        std::set<std::string>& words = split == Split::train ? known : asked;
        for (int i = 0; i < 5000; ++i) {
            const PeopleSentence s = world().people()->generate(split, rng);
            words.insert(s.words.begin(), s.words.end());
        }
    }
    CHECK(known == asked);
    CHECK(std::vector<std::string>(known.begin(), known.end()) == world().vocabulary());
}

TEST_CASE("coreference: the two sentences about the chicken are samples, and in no corpus") {
    REQUIRE(world().samples().size() == 4);
    const CoreferenceSentence &was_tired = world().samples()[0], &was_wide = world().samples()[1];
    CHECK(at(was_tired, was_tired.answer_pos) == "chicken");
    CHECK(was_tired.pronoun_pos == 8);
    CHECK(at(was_wide, was_wide.answer_pos) == "road");
    std::vector<std::string> differ;
    std::ranges::set_difference(std::set(was_tired.words.begin(), was_tired.words.end()),
                                std::set(was_wide.words.begin(), was_wide.words.end()), std::back_inserter(differ));
    CHECK(differ == std::vector<std::string>{"tired"});
    for (const Split split : {Split::train, Split::held_out})
        for (const CoreferenceSentence& s : draw(split, 20000)) {
            CHECK((s.words != was_tired.words));
            CHECK((s.words != was_wide.words));
        }
}

TEST_CASE("coreference: a pronoun for people refers to the man, the woman or the speaker") {
    const std::set<std::string> men = {"nader", "adam", "victor", "peter", "hugo", "oscar"},
                                women = {"maria", "nora", "clara", "alice", "julia", "emma"};
    std::map<std::string, int> asked;
    Rng rng(7);
    for (int i = 0; i < 5000; ++i) {
        const PeopleSentence s = world().people()->generate(Split::train, rng);
        CAPTURE(s.words.size());
        REQUIRE_FALSE(s.references.empty());
        CHECK(s.words.size() <= static_cast<std::size_t>(world().longest_sentence()));
        for (const PeopleSentence::Reference& r : s.references) {
            const std::string &pronoun = s.words[r.pronoun], &meant = s.words[r.antecedent];
            ++asked[pronoun];
            if (pronoun == "he")
                CHECK(men.contains(meant));
            else if (pronoun == "she")
                CHECK(women.contains(meant));
            else
                CHECK((s.words[static_cast<std::size_t>(r.antecedent) + 1] == "said" &&
                       (meant == "he" || meant == "she")));
        }
    }
    for (const char* pronoun : {"he", "she", "i", "me", "my"}) CHECK(asked[pronoun] > 200);
    const PeopleSentence& nader = world().people()->samples().at(0);
    const auto means = [&](std::size_t i) {
        return nader.words[nader.references.at(i).pronoun] + " " + nader.words[nader.references.at(i).antecedent];
    };
    CHECK(means(0) == "he nader");
    CHECK(means(1) == "i she");
    CHECK(means(2) == "my she");
}

TEST_CASE("coreference: a corpus holds distinct sentences, the same for the same seed") {
    const auto words = [](std::uint64_t seed) {
        std::vector<std::vector<std::string>> all;
        for (const CoreferenceSentence& s : distinct_sentences(world(), Split::train, 500, seed))
            all.push_back(s.words);
        return all;
    };
    const auto first = words(1);
    CHECK(first.size() == 500);
    CHECK((std::set(first.begin(), first.end()).size() == 500));
    CHECK((first == words(1)));
    CHECK((first != words(2)));
}
