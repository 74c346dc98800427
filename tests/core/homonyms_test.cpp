// The world that the program ships with: assets/worlds/homonyms.grammar.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/text/utf8.h"
#include "core/text/word_tokenizer.h"
#include "core/worlds/world.h"

using namespace glassformer;

namespace {

const std::string path = GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar";

const World& homonyms() {
    static const World world = World::load(path);
    return world;
}

/// Returns the share of `asked` sentences about homonym h that have the sense commoner in `known` at their position.
double position_accuracy(const std::vector<Sentence>& known, const std::vector<Sentence>& asked, int h) {
    std::map<int, int> balance;  // position → sentences of the second sense minus those of the first
    for (const Sentence& s : known) {
        if (s.sense / 2 == h) balance[s.homonym_pos] += s.sense % 2 ? 1 : -1;
    }
    int right = 0, all = 0;
    for (const Sentence& s : asked) {
        if (s.sense / 2 != h) continue;
        ++all;
        right += (balance[s.homonym_pos] > 0) == (s.sense % 2 == 1);
    }
    REQUIRE(all > 0);
    return static_cast<double>(right) / all;
}

}  // namespace

TEST_CASE("the homonym world is large enough to be interesting and small enough to learn") {
    const World& world = homonyms();
    CHECK(world.homonyms().size() >= 8);
    CHECK(world.senses().size() == 2 * world.homonyms().size());
    CHECK(world.vocabulary().size() >= 250);
    CHECK(world.vocabulary().size() <= 340);
    CHECK(world.longest_sentence() <= 13);
    CHECK(world.samples().size() >= 24);
    REQUIRE(world.samples().size() >= 2);
    CHECK(text_of(world.samples()[0]) == "He swung the bat and hit a foul.");
    CHECK(text_of(world.samples()[1]) == "He noticed the furry bat after the sunset.");
    CHECK(world.senses()[world.samples()[0].sense].name == "baseball");
    CHECK(world.senses()[world.samples()[1].sense].name == "animal");
}

TEST_CASE("each sense has 300 training and 40 held-out sentences, and none is in both") {
    const World& world = homonyms();
    const std::vector<Sentence> train = world.corpus(Split::train, 300, 1);
    const std::vector<Sentence> held_out = world.corpus(Split::held_out, 40, 2);
    REQUIRE(train.size() == 300 * world.senses().size());
    REQUIRE(held_out.size() == 40 * world.senses().size());
    std::set<std::vector<std::string>> trained;
    for (std::size_t i = 0; i < train.size(); ++i) {
        CHECK(train[i].sense == static_cast<int>(i / 300));
        trained.insert(train[i].words);
    }
    CHECK(trained.size() == train.size());
    for (const Sentence& sentence : held_out) CHECK_FALSE(trained.contains(sentence.words));
}

TEST_CASE("a sentence has 5 to 13 words, a final period, and one homonym at its marked position") {
    const World& world = homonyms();
    const std::set<std::string> homonym_words(world.homonyms().begin(), world.homonyms().end());
    std::vector<Sentence> all = world.corpus(Split::train, 200, 3);
    for (const Sentence& s : world.corpus(Split::held_out, 100, 3)) all.push_back(s);
    for (const Sentence& s : world.samples()) all.push_back(s);
    int faults = 0;
    for (const Sentence& s : all) {
        const auto count = std::count_if(s.words.begin(), s.words.end(),
                                         [&](const std::string& word) { return homonym_words.contains(word); });
        const std::string& homonym = world.senses()[s.sense].homonym;
        const bool good = s.words.size() >= 5 && s.words.size() <= 13 && s.words.back() == "." && count == 1 &&
                          s.words[s.homonym_pos] == homonym;
        if (!good) MESSAGE(text_of(s));
        faults += !good;
    }
    CHECK(faults == 0);
}

TEST_CASE("the lecture's sentences fit the training templates, but are never drawn") {
    const World& world = homonyms();
    Rng rng(4);
    std::set<std::string> drawn;
    for (int i = 0; i < 20000; ++i) drawn.insert(text_of(world.generate(Split::train, i % 2, rng)));
    CHECK(drawn.contains("She swung the bat and hit a foul."));
    CHECK(drawn.contains("The bat flew out of the cave at dusk."));
    for (const Sentence& sample : world.samples()) CHECK_FALSE(drawn.contains(text_of(sample)));
}

TEST_CASE("every word of a sample occurs in training") {
    std::set<std::string> met;
    for (const Sentence& s : homonyms().corpus(Split::train, 300, 5)) met.insert(s.words.begin(), s.words.end());
    for (const Sentence& sample : homonyms().samples()) {
        for (const std::string& word : sample.words) {
            INFO(word);
            CHECK(met.contains(word));
        }
    }
    CHECK(met.size() == homonyms().vocabulary().size());
}

TEST_CASE("the position of the homonym does not give its sense away") {
    const std::vector<Sentence> train = homonyms().corpus(Split::train, 300, 6);
    const std::vector<Sentence> held_out = homonyms().corpus(Split::held_out, 100, 6);
    for (int h = 0; h < static_cast<int>(homonyms().homonyms().size()); ++h) {
        INFO(homonyms().homonyms()[h]);
        CHECK(position_accuracy(train, train, h) <= 0.65);
        CHECK(position_accuracy(train, held_out, h) <= 0.65);
        CHECK(position_accuracy(held_out, held_out, h) <= 0.65);
    }
}

TEST_CASE("the same seed gives the same corpus, another seed another") {
    const auto words = [](std::uint64_t seed) {
        std::vector<std::vector<std::string>> all;
        for (const Sentence& s : homonyms().corpus(Split::train, 20, seed)) all.push_back(s.words);
        return all;
    };
    CHECK(words(1) == words(1));
    CHECK(words(1) != words(2));
}

TEST_CASE("a tokenizer with the world's vocabulary knows every sentence") {
    const WordTokenizer tokenizer(homonyms().vocabulary());
    for (const Sentence& s : homonyms().corpus(Split::held_out, 20, 7)) {
        const std::vector<WordTokenizer::Token> tokens = tokenizer.encode(text_of(s));
        REQUIRE(tokens.size() == s.words.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) CHECK(tokenizer.word(tokens[i].id) == s.words[i]);
    }
}

TEST_CASE("a damaged grammar is read or refused with an error, and nothing else happens") {
    std::ifstream file(path, std::ios::binary);
    const std::string intact(std::istreambuf_iterator<char>(file), {});
    Rng rng(8);
    int read = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = intact;
        for (std::uint64_t edits = 1 + rng.below(4); edits > 0; --edits) {
            const std::size_t at = rng.below(text.size());
            static constexpr std::string_view telling = "{}|*=[]/#\n .\xC3";
            const char byte = rng.below(2) ? telling[rng.below(telling.size())] : static_cast<char>(rng.below(256));
            switch (rng.below(4)) {
                case 0:
                    text[at] = byte;
                    break;
                case 1:
                    text.erase(at, 1 + rng.below(40));
                    break;
                case 2:
                    text.insert(at, 1, byte);
                    break;
                default:
                    text.insert(at, text.substr(rng.below(text.size()), rng.below(60)));
            }
        }
        try {
            World::parse(text, "damaged.grammar");
            ++read;
        } catch (const Error& error) {
            ++refused;
            REQUIRE(std::string(error.what()).starts_with("damaged.grammar:"));
        }
    }
    // Both happen often; any other outcome would have ended the test.
    CHECK(read > 100);
    CHECK(refused > 100);
}

TEST_CASE("the Chinese world: each character is a word, and the tokenizer reads every sentence") {
    const World world = World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms_zh.grammar");
    CHECK(world.by_character());
    CHECK(world.homonyms().size() >= 5);
    for (const std::string& word : world.vocabulary()) CHECK(code_points(word).size() == 1);
    CHECK(text_of(world.samples()[0]) == "他戴上了表，看了时间。");
    CHECK(world.samples()[0].words.size() == world.samples()[1].words.size());
    for (const Split split : {Split::train, Split::held_out})
        CHECK(world.corpus(split, 40, 1).size() == 40 * world.senses().size());
    const WordTokenizer tokenizer(world.vocabulary());
    for (const Sentence& s : world.corpus(Split::held_out, 20, 7)) {
        std::vector<std::string> read;
        for (const WordTokenizer::Token& token : tokenizer.encode(text_of(s))) read.push_back(token.text);
        CHECK(read == s.words);
    }
}

TEST_CASE("a grammar of characters splits only scripts without spaces, and an unknown unit is refused") {
    const std::string rest =
        "[好 / 一]\ntrain = bat 你们*。\nheld-out = 你们 bat*。\n[好 / 二]\ntrain = 我们 bat*。\n"
        "held-out = bat 我们*。\n";
    const Grammar grammar = parse_grammar("unit = characters\n" + rest, "t.grammar");
    REQUIRE(grammar.senses[0].train[0].phrase.size() == 5);
    CHECK(grammar.senses[0].train[0].phrase[0].word == "bat");
    CHECK(grammar.senses[0].train[0].phrase[2].word == "们");
    CHECK(parse_grammar(rest, "t.grammar").senses[0].train[0].phrase.size() == 4);
    CHECK_THROWS_WITH_AS(parse_grammar("unit = letters\n" + rest, "t.grammar"),
                         "t.grammar:1: unknown unit 'letters'; expected words or characters", Error);
}
