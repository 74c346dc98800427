// The world that the program ships with: assets/worlds/translation.words. The rules of French are written here again,
// from a separate dictionary, so that each of the two reveals a mistake in the other.
#include "core/worlds/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/text/words.h"
#include "core/worlds/corpus.h"
#include "tests/core/error_of.h"

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
// English → masculine form, feminine form, and whether it precedes the French noun.
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

// The phrases about towns: their subjects, and the towns whose French name differs.
const std::map<std::string, std::string> arrivals = {{"i have arrived at", "je suis arrivé à"},
                                                     {"we have arrived at", "nous sommes arrivés à"},
                                                     {"he has arrived at", "il est arrivé à"},
                                                     {"she has arrived at", "elle est arrivée à"}};
const std::map<std::string, std::string> other_towns = {
    {"beijing", "pékin"}, {"london", "londres"}, {"lisbon", "lisbonne"}, {"vienna", "vienne"},
    {"moscow", "moscou"}, {"geneva", "genève"},  {"warsaw", "varsovie"}, {"venice", "venise"}};

bool is_phrase(const TranslatedSentence& s) { return std::ranges::find(s.words, "arrived") != s.words.end(); }

/// Returns a phrase such as "je suis arrivé à pékin de xiamen."
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

/// Returns the place of the noun that the French word at `at` belongs to: articles separate the nouns of a sentence.
std::size_t noun_of(const std::vector<std::string>& french, std::size_t at) {
    std::size_t begin = at;
    while (!is_article(french[begin])) --begin;
    while (!is_noun(french[begin])) ++begin;
    return begin;
}

/// Whether the French word at `at` is a right translation of this English word there.
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
            CAPTURE(join_words(s.target));
            REQUIRE(s.target.size() == s.words.size());
            REQUIRE(s.alignment.size() == s.words.size());
            CHECK((std::set(s.alignment.begin(), s.alignment.end()).size() == s.words.size()));
            if (is_phrase(s)) {
                CHECK(join_words(s.target) == french_of_phrase(s.words));
                CHECK(std::ranges::is_sorted(s.alignment));
                CHECK(s.words[4] != s.words[6]);
                continue;
            }
            for (std::size_t i = 0; i < s.target.size(); ++i)
                CHECK(is_right(s.target, i, s.words.at(static_cast<std::size_t>(s.alignment[i]))));
            CHECK(s.words.size() <= static_cast<std::size_t>(world().longest_sentence()));
        }
}

TEST_CASE("translation: alignments cross exactly where a French adjective follows its noun") {
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

TEST_CASE("translation: each held-out sentence combines a noun, an adjective and a verb as training never does") {
    using Combination = TranslatedSentence::Combination;
    std::set<Combination> trained;
    std::set<std::string> known_english, known_french;
    std::set<std::vector<std::string>> sentences;
    for (const TranslatedSentence& s : draw(Split::train, 20000)) {
        trained.insert(s.combinations.begin(), s.combinations.end());
        known_english.insert(s.words.begin(), s.words.end());
        known_french.insert(s.target.begin(), s.target.end());
        sentences.insert(s.words);
    }
    CHECK(trained.size() > 4000);
    for (const TranslatedSentence& s : draw(Split::held_out, 20000)) {
        CHECK(std::ranges::any_of(s.combinations, [&](const Combination& c) { return !trained.contains(c); }));
        CHECK_FALSE(sentences.contains(s.words));
    }
    CHECK(std::vector<std::string>(known_english.begin(), known_english.end()) == world().vocabulary());
    CHECK(std::vector<std::string>(known_french.begin(), known_french.end()) == world().target_vocabulary());
}

TEST_CASE("translation: which combinations are held out depends only on their indices in the lists") {
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
        CHECK(found->target == s.target);
        CHECK(found->alignment == s.alignment);
        CHECK(found->combinations == s.combinations);
    }
    const auto french = [](const char* english) {
        const auto found = world().translate(split_words(english));
        return found ? join_words(found->target) : "nothing";
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

TEST_CASE("translation: samples have translations, and are in no corpus") {
    REQUIRE(world().samples().size() == 5);
    CHECK(join_words(world().samples()[0].target) == "le chat noir voit une grande chaise blanche dans le jardin.");
    CHECK(world().samples()[0].alignment == std::vector<int>{0, 2, 1, 3, 4, 5, 7, 6, 8, 9, 10, 11});
    for (const Split split : {Split::train, Split::held_out})
        for (const TranslatedSentence& s : draw(split, 20000))
            for (const TranslatedSentence& sample : world().samples()) CHECK((s.words != sample.words));
}

// The Chinese world: its rules, too, are written here again.
namespace {

const TranslationWorld& chinese_world() {
    static const TranslationWorld loaded =
        TranslationWorld::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/translation_zh.words");
    return loaded;
}

const std::map<std::string, std::string> measure_words = {
    {"猫", "只"},     {"狗", "只"},   {"老鼠", "只"}, {"山羊", "只"}, {"牛", "头"},   {"马", "匹"},   {"男孩", "名"},
    {"女孩", "名"},   {"女人", "位"}, {"国王", "位"}, {"王后", "位"}, {"书", "本"},   {"包", "个"},   {"苹果", "个"},
    {"面包师", "位"}, {"帽子", "顶"}, {"蛋糕", "块"}, {"船", "条"},   {"刀", "把"},   {"钥匙", "把"}, {"椅子", "把"},
    {"汽车", "辆"},   {"桌子", "张"}, {"花", "朵"},   {"花园", "个"}, {"公园", "个"}, {"市场", "个"}, {"街", "条"},
    {"桥", "座"},     {"房子", "座"}, {"商店", "家"}, {"森林", "片"}};

}  // namespace

TEST_CASE("translation: in Chinese, articles have the noun's measure word, and old differs for living things") {
    Rng rng(5, 0);
    int old = 0;
    for (int i = 0; i < 3000; ++i) {
        const TranslatedSentence s = chinese_world().generate(Split::train, rng);
        CAPTURE(join_words(s.target));
        REQUIRE(s.alignment.size() == s.target.size());
        CHECK(s.target.size() <= static_cast<std::size_t>(chinese_world().longest_sentence()));
        for (std::size_t at = 0; at < s.target.size(); ++at) {
            const std::string& word = s.words.at(static_cast<std::size_t>(s.alignment[at]));
            const std::size_t noun = static_cast<std::size_t>(
                std::find_if(s.target.begin() + static_cast<std::ptrdiff_t>(at), s.target.end(),
                             [](const std::string& w) { return measure_words.contains(w); }) -
                s.target.begin());
            if (word == "the" || word == "a") {
                REQUIRE(noun < s.target.size());
                CHECK(s.target[at] == (word == "the" ? "这" : "一") + measure_words.at(s.target[noun]));
            }
            if (word == "old") {
                REQUIRE(noun < s.target.size());
                const std::set<std::string> living{"只", "头", "匹", "名", "位"};
                CHECK(s.target[at] == (living.contains(measure_words.at(s.target[noun])) ? "老" : "旧"));
                ++old;
            }
        }
    }
    CHECK(old > 100);
}

TEST_CASE("translation: in Chinese, a place comes before the verb, a colour before a size") {
    const auto chinese = [](const char* english) {
        const auto found = chinese_world().translate(split_words(english));
        return found ? join_words(found->target) : "nothing";
    };
    CHECK(chinese("The black cat sees a big white chair in the garden.") ==
          join_words(split_words("这只 黑色的 猫 在 这个 花园 里 看见 一把 白色的 大 椅子 。")));
    CHECK(chinese("Under a table, the old queen hides an apple.") == "nothing");
    CHECK(chinese("Under a bridge, the old queen hides an apple.") == "nothing");  // "an" is not in its vocabulary
    CHECK(chinese("Under a bridge, the old queen hides a key.") ==
          join_words(split_words("在 一座 桥 下面 ， 这位 老 王后 藏起 一把 钥匙 。")));
    CHECK(chinese("I have arrived at Beijing from Xiamen.") == join_words(split_words("我 从 厦门 来到 了 北京 。")));
    const auto found = chinese_world().translate(split_words("The cat sees a chair under the old bridge."));
    REQUIRE(found);
    CHECK(found->alignment == std::vector<int>{0, 1, 5, 6, 7, 8, 5, 2, 3, 4, 9});
}

TEST_CASE("translation: the word order and alignment that a file gives are checked") {
    const auto error_of = [](const std::string& line) {
        std::string text = R"(class = 个 | 只
article = the / 这个 / 这只
someone = cat / 只 猫
something = bag / 个 包
somewhere = park / 个 公园
before = big / 大
ahead = red / 红色的
verb = sees / 看见 | finds / 找到 | wants / 想要 | sells / 卖掉 | buys / 买下
where = in / 里
sample = the cat sees the bag.
sentence = {someone} {verb} {something}.
)";
        return glassformer::error_of([&] { TranslationWorld::parse(text + line + "\n", "own.words"); });
    };
    const auto says = [&](const std::string& line, const char* part) {
        CAPTURE(line);
        CAPTURE(error_of(line));
        CHECK(contains(error_of(line), part));
    };
    CHECK(error_of("") == "");
    CHECK(error_of("sentence = in {somewhere}, {someone} {verb}. / 在 {somewhere} ， {someone} {verb} 。") == "");
    says("sentence = {someone} {verb} {something}. / {someone} {verb} 。", "{something} must be in the sentence and");
    says("sentence = {someone} {verb} now. / {someone} {verb} 。", "the sentence has 2 words, its translation 1");
    says("sentence = {someone} {verb}. / {someone} {verb} 。 / 1 2", "the translation has 3 words, the third column 2");
    says("sentence = {someone} {verb}. / {someone} {verb} 。 / 1 2 4", "'4' is not a position");
    says("sentence = {someone} {verb}. / {someone} {verb} 。 / 1 2 x", "'x' is not a position");
    says("sentence = {someone} {verb}. / {someone} {verb} 。 / 2 1 3", "{someone} must translate itself");
    says("someone = dog / 条 狗", "the classes are: 个, 只");
    says("article = a / 一个 / 一只 / 一条", "needs 3 columns");
    says("after = red / 红的", "'red' appears twice");
}
