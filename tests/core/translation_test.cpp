// The world that the program ships with: assets/worlds/translation.words. The rules of French are written here once
// more, from a dictionary of its own, so that a mistake in the one is seen by the other.
#include "core/worlds/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/text/words.h"
#include "core/worlds/corpus.h"

using namespace glassformer;

namespace {

const TranslationWorld& world() {
    static const TranslationWorld loaded =
        TranslationWorld::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/translation.words");
    return loaded;
}

std::vector<TranslatedSentence> draw(Split split, int count) {
    Rng rng(5, split == Split::train ? 0 : 1);
    std::vector<TranslatedSentence> sentences;
    for (int i = 0; i < count; ++i) sentences.push_back(world().generate(split, rng));
    return sentences;
}

const std::map<std::string, std::string> masculine = {
    {"chat", "cat"},      {"chien", "dog"},       {"garçon", "boy"},  {"roi", "king"},
    {"cheval", "horse"},  {"livre", "book"},      {"sac", "bag"},     {"chapeau", "hat"},
    {"gâteau", "cake"},   {"boulanger", "baker"}, {"parc", "park"},   {"bateau", "boat"},
    {"couteau", "knife"}, {"jardin", "garden"},   {"pont", "bridge"}, {"marché", "market"}};
const std::map<std::string, std::string> feminine = {
    {"fille", "girl"},   {"femme", "woman"},  {"reine", "queen"},   {"vache", "cow"},
    {"souris", "mouse"}, {"clé", "key"},      {"chèvre", "goat"},   {"voiture", "car"},
    {"table", "table"},  {"chaise", "chair"}, {"rue", "street"},    {"pomme", "apple"},
    {"fleur", "flower"}, {"maison", "house"}, {"boutique", "shop"}, {"forêt", "forest"}};
// English → masculine form, feminine form, and whether it is before the French noun.
struct Adjective {
    std::string m, f;
    bool before;
};
const std::map<std::string, Adjective> adjectives = {
    {"big", {"grand", "grande", true}},         {"small", {"petit", "petite", true}},
    {"pretty", {"joli", "jolie", true}},        {"good", {"bon", "bonne", true}},
    {"bad", {"mauvais", "mauvaise", true}},     {"old", {"vieux", "vieille", true}},
    {"new", {"nouveau", "nouvelle", true}},     {"black", {"noir", "noire", false}},
    {"white", {"blanc", "blanche", false}},     {"green", {"vert", "verte", false}},
    {"red", {"rouge", "rouge", false}},         {"blue", {"bleu", "bleue", false}},
    {"grey", {"gris", "grise", false}},         {"brown", {"brun", "brune", false}},
    {"strange", {"étrange", "étrange", false}}, {"round", {"rond", "ronde", false}},
    {"yellow", {"jaune", "jaune", false}}};
const std::map<std::string, std::string> plain = {
    {"sees", "voit"},   {"finds", "trouve"},    {"watches", "regarde"}, {"wants", "veut"},   {"sells", "vend"},
    {"buys", "achète"}, {"hides", "cache"},     {"carries", "porte"},   {"paints", "peint"}, {"takes", "prend"},
    {"in", "dans"},     {"behind", "derrière"}, {"under", "sous"},      {".", "."},          {",", ","}};

// The phrases about towns: who says it, and the towns that have another name in French.
const std::map<std::string, std::string> arrivals = {{"i have arrived at", "je suis arrivé à"},
                                                     {"we have arrived at", "nous sommes arrivés à"},
                                                     {"he has arrived at", "il est arrivé à"},
                                                     {"she has arrived at", "elle est arrivée à"}};
const std::map<std::string, std::string> other_towns = {
    {"beijing", "pékin"}, {"london", "londres"}, {"lisbon", "lisbonne"}, {"vienna", "vienne"},
    {"moscow", "moscou"}, {"geneva", "genève"},  {"warsaw", "varsovie"}, {"venice", "venise"}};

bool is_phrase(const TranslatedSentence& s) { return std::ranges::find(s.words, "arrived") != s.words.end(); }

/// "je suis arrivé à pékin de xiamen."
std::string french_of_phrase(const std::vector<std::string>& words) {
    const auto town = [](const std::string& english) {
        const auto found = other_towns.find(english);
        return found == other_towns.end() ? english : found->second;
    };
    return arrivals.at(join_words(std::span(words).first(4))) + " " + town(words[4]) + " de " + town(words[6]) + ".";
}

bool is_noun(const std::string& french) { return masculine.contains(french) || feminine.contains(french); }
bool is_article(const std::string& french) {
    return french == "le" || french == "la" || french == "un" || french == "une";
}

/// The place of the noun that the French word at `at` belongs to: nouns of a sentence are parted by their articles.
std::size_t noun_of(const std::vector<std::string>& french, std::size_t at) {
    std::size_t begin = at;
    while (!is_article(french[begin])) --begin;
    while (!is_noun(french[begin])) ++begin;
    return begin;
}

/// Whether the French word at `at` is right for this English word, there.
bool is_right(const std::vector<std::string>& french, std::size_t at, const std::string& english) {
    const std::string& word = french[at];
    if (const auto found = plain.find(english); found != plain.end()) return word == found->second;
    const std::size_t noun = noun_of(french, at);
    const bool is_feminine = feminine.contains(french[noun]);
    if (english == "the") return word == (is_feminine ? "la" : "le");
    if (english == "a") return word == (is_feminine ? "une" : "un");
    if (const auto found = adjectives.find(english); found != adjectives.end())
        return word == (is_feminine ? found->second.f : found->second.m) && (at < noun) == found->second.before;
    return at == noun && (is_feminine ? feminine : masculine).at(word) == english;
}

}  // namespace

TEST_CASE("translation: every French word is right: meaning, agreement, order, alignment") {
    for (const Split split : {Split::train, Split::held_out})
        for (const TranslatedSentence& s : draw(split, 3000)) {
            CAPTURE(join_words(s.words));
            CAPTURE(join_words(s.french));
            REQUIRE(s.french.size() == s.words.size());
            REQUIRE(s.alignment.size() == s.words.size());
            CHECK((std::set(s.alignment.begin(), s.alignment.end()).size() == s.words.size()));
            if (is_phrase(s)) {
                CHECK(join_words(s.french) == french_of_phrase(s.words));
                CHECK(std::ranges::is_sorted(s.alignment));
                CHECK(s.words[4] != s.words[6]);
                continue;
            }
            for (std::size_t i = 0; i < s.french.size(); ++i)
                CHECK(is_right(s.french, i, s.words.at(static_cast<std::size_t>(s.alignment[i]))));
            CHECK(s.words.size() <= static_cast<std::size_t>(world().longest_sentence()));
        }
}

TEST_CASE("translation: words cross exactly where an adjective stands after its French noun") {
    int crossing = 0, straight = 0;
    for (const TranslatedSentence& s : draw(Split::train, 3000)) {
        const bool after = std::ranges::any_of(s.words, [](const std::string& word) {
            const auto found = adjectives.find(word);
            return found != adjectives.end() && !found->second.before;
        });
        CHECK(std::ranges::is_sorted(s.alignment) == !after);
        ++(after ? crossing : straight);
    }
    CHECK(crossing > 1000);
    CHECK(straight > 300);
}

TEST_CASE("translation: training never joins a noun and an adjective with a verb as a held-out sentence does") {
    using Combination = TranslatedSentence::Combination;
    std::set<Combination> trained;
    std::set<std::string> known_english, known_french;
    std::set<std::vector<std::string>> sentences;
    for (const TranslatedSentence& s : draw(Split::train, 20000)) {
        trained.insert(s.combinations.begin(), s.combinations.end());
        known_english.insert(s.words.begin(), s.words.end());
        known_french.insert(s.french.begin(), s.french.end());
        sentences.insert(s.words);
    }
    CHECK(trained.size() > 4000);
    for (const TranslatedSentence& s : draw(Split::held_out, 20000)) {
        CHECK(std::ranges::any_of(s.combinations, [&](const Combination& c) { return !trained.contains(c); }));
        CHECK_FALSE(sentences.contains(s.words));
    }
    CHECK(std::vector<std::string>(known_english.begin(), known_english.end()) == world().english());
    CHECK(std::vector<std::string>(known_french.begin(), known_french.end()) == world().french());
}

TEST_CASE("translation: which combinations are held out is told by their places in the lists alone") {
    const auto is_held_out_here = [](const TranslatedSentence::Combination& c) {
        return is_held_out(c.noun + c.adjective + c.verb);
    };
    for (const TranslatedSentence& s : draw(Split::train, 5000))
        CHECK(std::ranges::none_of(s.combinations, is_held_out_here));
    for (const TranslatedSentence& s : draw(Split::held_out, 5000))
        CHECK(std::ranges::any_of(s.combinations, is_held_out_here));
}

TEST_CASE("translation: any sentence of the language can be translated, and nothing else") {
    for (const TranslatedSentence& s : draw(Split::train, 500)) {
        const auto found = world().translate(s.words);
        REQUIRE(found);
        CHECK(found->french == s.french);
        CHECK(found->alignment == s.alignment);
        CHECK(found->combinations == s.combinations);
    }
    const auto french = [](const char* english) {
        const auto found = world().translate(split_words(english));
        return found ? join_words(found->french) : "nothing";
    };
    CHECK(french("A small white mouse sees the old table.") == "une petite souris blanche voit la vieille table.");
    CHECK(french("In the park, the king sells a car.") == "dans le parc, le roi vend une voiture.");
    CHECK(french("I have arrived at Beijing from Xiamen.") == "je suis arrivé à pékin de xiamen.");
    CHECK(french("She has arrived at Xiamen from Venice.") == "elle est arrivée à xiamen de venise.");
    CHECK(french("I have arrived at the house from Xiamen.") == "nothing");
    CHECK(french("The mouse sees the table") == "nothing");
    CHECK(french("The white small mouse sees the table.") == "nothing");
    CHECK(french("The mouse sees the table. The") == "nothing");
    CHECK(french("The") == "nothing");
    CHECK(french("The mouse sees the garden.") == "nothing");
}

TEST_CASE("translation: samples are translated and in no corpus") {
    REQUIRE(world().samples().size() == 5);
    CHECK(join_words(world().samples()[0].french) == "le chat noir voit une grande chaise blanche dans le jardin.");
    CHECK(world().samples()[0].alignment == std::vector<int>{0, 2, 1, 3, 4, 5, 7, 6, 8, 9, 10, 11});
    for (const Split split : {Split::train, Split::held_out})
        for (const TranslatedSentence& s : draw(split, 20000))
            for (const TranslatedSentence& sample : world().samples()) CHECK((s.words != sample.words));
}
