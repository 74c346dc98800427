// The world that the program ships with: assets/worlds/order.words.
#include "core/worlds/order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/rng.h"
#include "core/text/words.h"

using namespace glassformer;

namespace {

const OrderWorld& world() {
    static const OrderWorld loaded = OrderWorld::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/order.words");
    return loaded;
}

std::vector<OpinionSentence> draw(Split split, int count) {
    Rng rng(5, split == Split::train ? 0 : 1);
    std::vector<OpinionSentence> sentences;
    for (int i = 0; i < count; ++i) sentences.push_back(world().generate(split, rng));
    return sentences;
}

const std::set<std::string> praise = {"good",     "great",     "lovely", "fine",    "excellent",
                                      "pleasant", "wonderful", "nice",   "perfect", "charming"},
                            blame = {"bad",      "awful", "terrible", "poor",     "boring",
                                     "horrible", "dull",  "nasty",    "dreadful", "ugly"};

/// Reads as a person does: the adjective after "not", whatever is between them, is denied; the other one is meant.
bool praises(const std::vector<std::string>& words) {
    bool denied = false, result = false;
    for (const std::string& word : words) {
        if (word == "not") denied = true;
        if (!praise.contains(word) && !blame.contains(word)) continue;
        if (!denied) result = praise.contains(word);
        denied = false;
    }
    return result;
}

}  // namespace

TEST_CASE("order: the label is what a reader understands, and the contrary sentence has the opposite label") {
    for (const Split split : {Split::train, Split::held_out})
        for (const OpinionSentence& s : draw(split, 2000)) {
            CAPTURE(join_words(s.words));
            CHECK(praises(s.words) == s.positive);
            const OpinionSentence other = world().contrary(s);
            CHECK(praises(other.words) == !s.positive);
            CHECK(other.positive == !s.positive);
            CHECK((std::multiset(s.words.begin(), s.words.end()) ==
                   std::multiset(other.words.begin(), other.words.end())));
            CHECK(world().held_out(other) == (split == Split::held_out));
        }
}

TEST_CASE("order: classes are balanced, and neither words nor the order of praise and blame give them away") {
    const std::vector<OpinionSentence> sentences = draw(Split::train, 20000);
    std::map<std::string, std::pair<int, int>> by_word;
    int positive = 0, praise_first = 0;
    for (const OpinionSentence& s : sentences) {
        positive += s.positive;
        for (const std::string& word : s.words) ++(s.positive ? by_word[word].first : by_word[word].second);
        const auto first =
            std::ranges::find_if(s.words, [](const auto& w) { return praise.contains(w) || blame.contains(w); });
        praise_first += praise.contains(*first) == s.positive;
    }
    CHECK(positive / 20000.0 == doctest::Approx(0.5).epsilon(0.04));
    CHECK(praise_first / 20000.0 == doctest::Approx(0.5).epsilon(0.04));
    for (const auto& [word, counts] : by_word) {
        CAPTURE(word);
        CHECK(static_cast<double>(counts.first) / (counts.first + counts.second) == doctest::Approx(0.5).epsilon(0.12));
    }
}

TEST_CASE("order: a bag of words says nothing: the majority label of known bags is right half of the time") {
    std::map<std::multiset<std::string>, int> balance;
    for (const OpinionSentence& s : draw(Split::train, 20000))
        balance[{s.words.begin(), s.words.end()}] += s.positive ? 1 : -1;
    Rng rng(6);
    int right = 0, known = 0;
    for (int i = 0; i < 20000; ++i) {
        const OpinionSentence s = world().generate(Split::train, rng);
        const auto bag = balance.find({s.words.begin(), s.words.end()});
        if (bag == balance.end() || bag->second == 0) continue;
        ++known;
        right += (bag->second > 0) == s.positive;
    }
    CHECK(known > 8000);
    CHECK(static_cast<double>(right) / known == doctest::Approx(0.5).epsilon(0.05));
}

TEST_CASE("order: training and held-out sentences share all words, but no noun, praise and blame together") {
    const auto triples = [](Split split, std::set<std::string>& words) {
        std::set<std::tuple<int, int, int>> seen;
        for (const OpinionSentence& s : draw(split, 20000)) {
            seen.insert({s.noun, s.good, s.bad});
            words.insert(s.words.begin(), s.words.end());
        }
        return seen;
    };
    std::set<std::string> known, asked;
    const auto train = triples(Split::train, known), held_out = triples(Split::held_out, asked);
    for (const auto& triple : held_out) CHECK_FALSE(train.contains(triple));
    CHECK(train.size() == 960);
    CHECK(held_out.size() == 240);
    CHECK(known == asked);
    CHECK(std::vector<std::string>(known.begin(), known.end()) == world().vocabulary());
}

TEST_CASE("order: the two sentences about the food are samples, and in no corpus") {
    REQUIRE(world().samples().size() == 2);
    const OpinionSentence &bad = world().samples()[0], &good = world().samples()[1];
    CHECK(join_words(bad.words) == "the food was bad, not good at all.");
    CHECK_FALSE(bad.positive);
    CHECK(good.positive);
    CHECK(world().contrary(bad).words == good.words);
    for (const Split split : {Split::train, Split::held_out})
        for (const OpinionSentence& s : draw(split, 20000)) {
            CHECK((s.words != bad.words));
            CHECK((s.words != good.words));
        }
}
