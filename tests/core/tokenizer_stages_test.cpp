// The stages of published tokenizers, as the window shows them, end in the tokens that the model reads.
#include "core/text/tokenizer_stages.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/regular_expression.h"
#include "core/text/tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::shared_ptr<const Tokenizer> load(const json& spec) {
    const TemporaryFolder folder;
    write(folder / "tokenizer.json", spec.dump());
    return load_tokenizer(folder.path());
}

TokenizerStages stages(const Tokenizer& tokenizer, const std::string& text) {
    const std::optional<TokenizerStages> found = tokenizer_stages(tokenizer, text);
    REQUIRE(found);
    CHECK(found->ids == tokenizer.ids(text));
    return *found;
}

Words shown(const TokenizerStages& stages) {
    Words out;
    for (const TokenizerStages::Piece& piece : stages.pieces) out.push_back(piece.shown);
    return out;
}

}  // namespace

TEST_CASE("tokenizer stages: WordPiece looks up the longest piece first") {
    const TemporaryFolder folder;
    write(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\n!\n");
    const auto tokenizer = load_tokenizer(folder.path());
    const TokenizerStages all = stages(*tokenizer, "Unaffable [MASK]!");
    CHECK(all.normalized == "unaffable [MASK]!");
    CHECK(shown(all) == Words{"unaffable", "[MASK]", "!"});
    const PieceSteps& steps = all.pieces[0].steps;
    REQUIRE(steps.way == PieceSteps::Way::longest_first);
    CHECK(steps.tried.front().text == "unaffa");  // no token is longer
    Words found;
    for (const PieceSteps::Tried& one : steps.tried)
        if (one.id >= 0) found.push_back(one.text);
    CHECK(found == Words{"un", "##aff", "##able"});
    CHECK(steps.tried.back().id == all.pieces[0].tokens.back());
    CHECK(all.pieces[1].tokens == std::vector{4});
    CHECK(all.pieces[1].steps.way == PieceSteps::Way::whole);
    // An unknown word ends with a piece that is no token.
    CHECK(stages(*tokenizer, "unx").pieces[0].steps.tried.back().id == -1);
    CHECK_THROWS_AS(tokenizer_stages(*tokenizer, "\xff"), Error);
    CHECK_FALSE(tokenizer_stages(WordTokenizer({"bat"}), "bat"));
}

TEST_CASE("tokenizer stages: pairs are merged one by one until only tokens are left") {
    json vocabulary = json::object();
    for (const char* piece : {"l", "o", "w", "e", "r", "lo", "low", "er"}) vocabulary[piece] = vocabulary.size();
    const auto tokenizer =
        load({{"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
              {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"l o", "lo w", "e r"}}}}});
    const TokenizerStages all = stages(*tokenizer, "lower low");
    CHECK(shown(all) == Words{"lower", "low"});
    const PieceSteps& steps = all.pieces[0].steps;
    REQUIRE(steps.way == PieceSteps::Way::merges);
    CHECK(steps.symbols == std::vector{0, 1, 2, 3, 4});
    REQUIRE(steps.merges.size() == 3);
    CHECK(steps.merges[0].tokens == std::vector{5, 2, 3, 4});
    CHECK(steps.merges[1].merge == 1);
    CHECK(steps.merges[2].tokens == all.pieces[0].tokens);
    CHECK(stages(*tokenizer, std::string(300, 'l')).pieces[0].steps.way == PieceSteps::Way::whole);  // too long
}

TEST_CASE("tokenizer stages: the path that Unigram takes has the highest sum of all paths") {
    const auto tokenizer = load({{"model",
                                  {{"type", "Unigram"},
                                   {"unk_id", 0},
                                   {"vocab", json::parse(R"([["<unk>", 0.0], ["a", -2.0], ["b", -2.5], ["ab", -4.0],
                                                             ["c", -1.0], ["bc", -3.0]])")}}}});
    const TokenizerStages all = stages(*tokenizer, "abc");
    const PieceSteps& steps = all.pieces[0].steps;
    REQUIRE(steps.way == PieceSteps::Way::best_path);
    CHECK(steps.scored.size() == 5);  // a, b, ab, c, bc
    double sum = 0;
    std::vector<int> taken;
    for (const PieceSteps::Scored& one : steps.scored)
        if (one.taken) taken.push_back(one.id), sum += one.score;
    CHECK(taken == all.pieces[0].tokens);
    CHECK(sum == doctest::Approx(-5.0));  // both a|bc and ab|c; a|b|c has −5.5
}

TEST_CASE("tokenizer stages: a GPT-2 folder shows its words, its merges and its special tokens") {
    const TemporaryFolder folder;
    json vocabulary = json::object();
    for (int byte = 0; byte < 256; ++byte) {
        const int letter = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174 ? byte : -1;
        static int others = 0;
        const char32_t point = static_cast<char32_t>(letter >= 0 ? letter : 256 + others++);
        std::string name;
        if (point < 0x80)
            name = static_cast<char>(point);
        else
            name = {static_cast<char>(0xC0 | (point >> 6)), static_cast<char>(0x80 | (point & 0x3F))};
        vocabulary[name] = vocabulary.size();
    }
    const int at = static_cast<int>(vocabulary.size());
    vocabulary["at"] = at, vocabulary["bat"] = at + 1, vocabulary["<|endoftext|>"] = at + 2;
    write(folder / "vocab.json", vocabulary.dump());
    write(folder / "merges.txt", "#version: 0.2\na t\nb at\n");
    const auto tokenizer = load_tokenizer(folder.path());
    REQUIRE(tokenizer->kind() == "tokenizer_json");
    const TokenizerStages all = stages(*tokenizer, "bat<|endoftext|> a\n");
    CHECK(shown(all) == Words{"bat", "<|endoftext|>", " a", "⟨0A⟩"});
    CHECK(all.pieces[0].steps.merges.back().tokens == std::vector{at + 1});
    CHECK(all.pieces[0].steps.symbols.size() == 3);
    CHECK(all.pieces[1].tokens == std::vector{at + 2});
    const TokenizerStages byte = stages(*tokenizer, "a⟨E4⟩");
    CHECK(byte.normalized == "a⟨E4⟩");
    CHECK(shown(byte) == Words{"a", "⟨E4⟩"});
}

TEST_CASE("a regular expression may escape any character but not end in a backslash; white space is Unicode's") {
    CHECK(contains(error_of([] { RegularExpression("a\\", "x.json"); }), "x.json"));
    const RegularExpression blanks("\\s", "x.json"), in_class("[\\s.]+", "x.json"), others("\\S+", "x.json"),
        dot("\\.", "x.json");
    const std::string text = "a\u00a0b.\u180ec";  // U+180E is no longer white space
    CHECK(blanks.matches(text).size() == 1);
    CHECK(in_class.matches(text).size() == 2);
    CHECK(others.matches(text).size() == 2);
    CHECK(dot.matches(text).size() == 1);
}
