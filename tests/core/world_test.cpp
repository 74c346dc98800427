#include "core/worlds/world.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

/// A small world; each test of an error changes one thing in it.
const std::string small_world = R"(title = A small world
[shared]
who  = he | she | {kin}
kin  = the boy
[bat / baseball]
act  = swung | raised
train    = {who} {act} the *.
train    = {who} {act} a *.
held-out = a * {who} {act}.
sample   = He swung the *.
[bat / animal]
kin  = flew | slept
train    = the * {kin} at dusk.
train    = a * {kin}.
held-out = at dusk the * {kin}.
)";

World parse(const std::string& text) { return World::parse(text, "small.grammar"); }

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

std::string numbered(std::string name, int number) { return name += std::to_string(number); }

/// Returns the message of the Error that parsing throws; empty if it throws none.
std::string error_of(const std::string& text) {
    return glassformer::error_of([&] { parse(text); });
}

/// Checks that the small world with one part changed is refused at this line, in words that name the fault.
void check_refused(const std::string& old_part, const std::string& new_part, int line, const std::string& words) {
    const std::string message = error_of(replaced(small_world, old_part, new_part));
    INFO("message: " << message);
    CHECK(message.starts_with(numbered("small.grammar:", line) + ": "));
    CHECK(contains(message, words));
}

std::vector<std::string> texts_of(const std::vector<Sentence>& sentences) {
    std::vector<std::string> texts;
    for (const Sentence& sentence : sentences) texts.push_back(text_of(sentence));
    return texts;
}

}  // namespace

TEST_CASE("a world lists its homonyms, senses, words and samples") {
    const World world = parse(small_world);
    CHECK(world.name() == "small");
    CHECK(world.title() == "A small world");
    REQUIRE(world.homonyms() == std::vector<std::string>{"bat"});
    REQUIRE(world.senses().size() == 2);
    CHECK(world.senses()[0].name == "baseball");
    CHECK(world.senses()[1].name == "animal");
    CHECK(world.vocabulary() == std::vector<std::string>{".", "a", "at", "bat", "boy", "dusk", "flew", "he", "raised",
                                                         "she", "slept", "swung", "the"});
    REQUIRE(world.samples().size() == 1);
    CHECK(world.samples()[0].homonym_pos == 3);
    CHECK(world.samples()[0].sense == 0);
    CHECK(text_of(world.samples()[0]) == "He swung the bat.");
    CHECK(world.longest_sentence() == 6);
}

TEST_CASE("a corpus holds each allowed sentence once and ends when there are no more") {
    const World world = parse(small_world);
    const std::vector<std::string> train = texts_of(world.corpus(Split::train, 1000, 1));
    // Baseball: 2 templates x 3 persons x 2 verbs, less the sample. Animal: 2 x 2.
    CHECK(train.size() == 11 + 4);
    CHECK(std::set<std::string>(train.begin(), train.end()).size() == train.size());
    CHECK(std::count(train.begin(), train.end(), "He swung the bat.") == 0);
    CHECK(std::count(train.begin(), train.end(), "The boy swung the bat.") == 1);
    CHECK(world.corpus(Split::held_out, 1000, 1).size() == 6 + 2);
    CHECK(world.corpus(Split::train, 3, 1).size() == 6);
}

TEST_CASE("a sentence that a held-out template can produce is never a training sentence") {
    const World world = parse(replaced(small_world, "train    = {who} {act} a *.", "train    = a * {kin} {act}."));
    // The new template says only what the held-out one says, so the first one's 6 less the sample are left.
    CHECK(world.corpus(Split::train, 1000, 1).size() == 5 + 4);
}

TEST_CASE("a sentence that both senses can produce belongs to neither") {
    const World world = parse(replaced(small_world, "a * {kin}.", "he {kin} the *.\ntrain = he raised the *."));
    const std::vector<std::string> train = texts_of(world.corpus(Split::train, 1000, 1));
    CHECK(std::count(train.begin(), train.end(), "He flew the bat.") == 1);
    CHECK(std::count(train.begin(), train.end(), "He raised the bat.") == 0);
}

TEST_CASE("a list inside a sense takes precedence over a shared list of the same name") {
    const World world = parse(small_world);
    for (const Sentence& sentence : world.corpus(Split::train, 100, 2)) {
        const bool flies = std::count(sentence.words.begin(), sentence.words.end(), "flew") > 0;
        if (flies) CHECK(sentence.sense == 1);
        if (std::count(sentence.words.begin(), sentence.words.end(), "boy") > 0) CHECK(sentence.sense == 0);
    }
}

TEST_CASE("a shared template is filled in with the lists of each sense") {
    std::string text = replaced(small_world, "kin  = the boy", "kin  = the boy\ntrain = he {act} one *.");
    text = replaced(text, "[bat / animal]", "[bat / animal]\nact = fed | saw");
    const std::vector<std::string> train = texts_of(parse(text).corpus(Split::train, 1000, 1));
    CHECK(std::count(train.begin(), train.end(), "He swung one bat.") == 1);
    CHECK(std::count(train.begin(), train.end(), "He saw one bat.") == 1);
}

TEST_CASE("the senses of a homonym are adjacent, wherever their sections are") {
    std::string bank = small_world.substr(small_world.find("[bat / baseball]"));
    while (contains(bank, "[bat ")) bank = replaced(bank, "[bat ", "[bank ");
    const std::size_t animal = small_world.find("[bat / animal]");
    const World world = parse(small_world.substr(0, animal) + bank + small_world.substr(animal));
    REQUIRE(world.senses().size() == 4);
    CHECK(world.homonyms() == std::vector<std::string>{"bat", "bank"});
    CHECK(world.senses()[1].homonym == "bat");
    CHECK(world.senses()[2].homonym == "bank");
}

TEST_CASE("Windows line endings, capitals and a byte-order mark change nothing") {
    std::string text = replaced(small_world, "he | she", "HE | She");
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
    const TemporaryFolder folder;
    const auto path = folder / "windows.grammar";
    std::ofstream(path, std::ios::binary) << "\xEF\xBB\xBF" << text;
    CHECK(World::load(path).vocabulary() == parse(small_world).vocabulary());
}

TEST_CASE("text_of writes capitals and punctuation") {
    CHECK(text_of({{"élan", "was", ",", "he", "said", ",", "here", "."}, 0, 0}) == "Élan was, he said, here.");
    CHECK(text_of({{"7", "bats", "."}, 1, 0}) == "7 bats.");
    CHECK(text_of({{}, 0, 0}).empty());
}

TEST_CASE("generate refuses a sense that does not exist") {
    Rng rng(1);
    const World world = parse(small_world);
    CHECK_THROWS_AS(world.generate(Split::train, 2, rng), Error);
    CHECK_THROWS_AS(world.generate(Split::train, -1, rng), Error);
    CHECK(world.generate(Split::train, 1, rng).sense == 1);
}

TEST_CASE("unknown list") { check_refused("{who} {act} the", "{whom} {act} the", 7, "unknown list {whom}"); }

TEST_CASE("endless recursion is refused, and the error names the cycle") {
    check_refused("the boy", "the {who}", 3, "{who} -> {kin} -> {who}");
    check_refused("the boy", "the {kin}", 4, "{kin} -> {kin}");
}

TEST_CASE("lists that are nested too deeply") {
    std::string chain = "the {a0}\n";
    for (int i = 0; i < 5000; ++i) chain += numbered("a", i) + " = {" + numbered("a", i + 1) + "}\n";
    const std::string message = error_of(replaced(small_world, "the boy", chain + "a5000 = boy"));
    CHECK(contains(message, "small.grammar:"));
    CHECK(contains(message, "nested more than 32 deep"));
}

TEST_CASE("a template without * or with two") {
    check_refused("{act} the *.", "{act} the bag.", 7, "has no *, which marks the homonym");
    check_refused("{act} the *.", "{act} the * *.", 7, "has more than one *");
}

TEST_CASE("a * in a list") { check_refused("the boy", "the *", 4, "contains a *"); }

TEST_CASE("a sense without training or held-out templates") {
    check_refused("held-out = a *", "train = a *", 5, "[bat / baseball] has no held-out template");
    std::string text = replaced(small_world, "train    = the * {kin} at dusk.\n", "");
    text = replaced(text, "train    = a * {kin}.\n", "");
    CHECK(contains(error_of(text), "small.grammar:11: [bat / animal] has no train template"));
}

TEST_CASE("a homonym that does not have two senses") {
    check_refused("[bat / animal]", "[bank / animal]", 5, "'bat' needs two senses, but has 1");
    const std::string third = "[bat / hero]\ntrain = a * slept.\nheld-out = slept a *.\n";
    CHECK(contains(error_of(small_world + third), "'bat' needs two senses, but has 3"));
}

TEST_CASE("an empty list or entry") {
    check_refused("the boy", "", 4, "'kin' is empty");
    check_refused("the boy", "the boy |", 4, "the list 'kin' has an empty entry");
    check_refused("he | she", "he || she", 3, "the list 'who' has an empty entry");
}

TEST_CASE("a line that is not understood") {
    check_refused("kin  = the boy", "kin the boy", 4, "line not understood: 'kin the boy'");
    check_refused("kin  = the boy", "my kin = the boy", 4, "line not understood");
    check_refused("[bat / animal]", "[bat]", 11, "section not understood: 'bat'");
    check_refused("[bat / animal]", "[the bat / animal]", 11, "section not understood");
    check_refused("[bat / animal]", "[bat / animal", 11, "section without ]");
    check_refused("title =", "who =", 1, "'who' comes before the first section");
    check_refused("He swung the *", "He {act} the *", 10, "a sample is a finished sentence");
    check_refused("kin  = the boy", "sample = a *", 4, "a sample belongs to a sense");
    check_refused("{act} the *.", "{act} the * | a *.", 7, "contains a |");
}

TEST_CASE("a list, section, sample or title defined twice") {
    check_refused("kin  = the boy", "who  = the boy", 4, "the list 'who' is already in line 3");
    check_refused("[bat / animal]", "[bat/baseball]", 11, "section [bat / baseball] is already in line 5");
    check_refused("[bat / animal]", "[shared]", 11, "section [shared] is already in line 2");
    check_refused("title = A small world", "title = A\ntitle = B", 2, "the title appears twice");
    check_refused("sample   = He swung the *.", "sample = He swung the *.\nsample = he swung the * .", 11,
                  "appears twice");
}

TEST_CASE("unbalanced braces") {
    check_refused("{who} {act} the", "{who {act} the", 7, "a { without its }");
    check_refused("{act} the *.", "{act the *.", 7, "a { without its }");
    check_refused("{who} {act} the", "who} {act} the", 7, "a } without its {");
}

TEST_CASE("sentences that are too long or too many") {
    std::string doubling = "{d0}\nd7 = boy boy\n";
    for (int i = 0; i < 7; ++i) {
        const std::string next = numbered("{d", i + 1) + "}";
        doubling += numbered("d", i) + " = " + next + " " + next + "\n";
    }
    check_refused("the boy", doubling, 16, "more than 64 words");
    std::string words;
    for (int i = 0; i < 65; ++i) words += "boy ";
    check_refused("the boy", words, 4, "more than 64 words");
    std::string choices;
    for (int i = 0; i < 20; ++i) choices += "{who} ";
    for (int i = 0; i < 20; ++i) choices += "{act} ";
    check_refused("train    = {who}", "train = " + choices, 7, "too many sentences");
}

TEST_CASE("too many sections or templates") {
    std::string sections = small_world, templates = small_world;
    for (int i = 0; i < 130; ++i) {
        sections += numbered("[w", i) + " / x]\n";
        templates += "train = the * slept.\n";
    }
    CHECK(contains(error_of(sections), "more than 128 sections"));
    CHECK(contains(error_of(templates), "more than 128 templates in [bat / animal]"));
}

TEST_CASE("a homonym written as a plain word") { check_refused("he | she", "he | a bat", 7, "write * for it"); }

TEST_CASE("a word that is in no training template") {
    check_refused("He swung", "He threw", 10, "'threw' is in no training template");
    check_refused("at dusk the *", "at dawn the *", 15, "'dawn' is in no training template");
}

TEST_CASE("a sense without a training sentence of its own") {
    std::string text = replaced(small_world, "train    = {who} {act} the *.", "train    = a * {who} {act}.");
    text = replaced(text, "train    = {who} {act} a *.", "train    = a * the boy {act}.");
    text = replaced(text, "sample   = He swung the *.", "");
    CHECK(contains(error_of(text), "small.grammar:5: [bat / baseball] has no training sentence of its own"));
}

TEST_CASE("text that is not UTF-8, and an empty file") {
    check_refused("the boy", "the \xFFoy", 4, "is not UTF-8");
    CHECK(contains(error_of(""), "small.grammar:1: the file has no section [homonym / sense]"));
    CHECK(contains(error_of("# nothing\n[shared]\n"), "small.grammar:2: the file has no section [homonym / sense]"));
}

TEST_CASE("files that cannot be a grammar are refused, and the error names them") {
    const auto refused = [](const std::filesystem::path& path, const std::string& words) {
        const std::string message = glassformer::error_of([&] { World::load(path); });
        return contains(message, path.string()) && contains(message, words);
    };
    const TemporaryFolder folder;
    CHECK(refused(folder / "none.grammar", "no such file"));
    CHECK(refused(folder.path(), "is a directory"));
    const auto path = folder / "large.grammar";
    std::ofstream(path) << std::string(World::max_file_bytes + 1, '#');
    CHECK(refused(path, "is larger than"));
    std::ofstream(path) << "\xC3";
    CHECK(refused(path, "is not UTF-8"));
}
