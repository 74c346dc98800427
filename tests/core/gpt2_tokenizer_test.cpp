#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/text/byte_pair_tokenizer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/pipeline.h"
#include "core/text/utf8.h"
#include "tests/core/error_of.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/random_text.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

using Pieces = std::vector<std::string_view>;
using Texts = std::vector<std::string>;

/// The merges l o, lo w, Ġ low, e r, and the first two of the three bytes of 你.
const SmallGpt2 small({{"l", "o"}, {"lo", "w"}, {"Ġ", "low"}, {"e", "r"}, {"ä", "½"}});

HfTokenizer small_tokenizer() {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    return HfTokenizer::load(folder.path());
}

Texts tokens_of(const Tokenizer& tokenizer, std::string_view text) {
    Texts texts;
    for (const int id : tokenizer.ids(text)) texts.push_back(tokenizer.token_text(id));
    return texts;
}

}  // namespace

TEST_CASE("text is split as GPT-2's published regular expression splits it") {
    CHECK(split_gpt2("") == Pieces{});
    CHECK(split_gpt2("Hello world") == Pieces{"Hello", " world"});
    CHECK(split_gpt2("I'll say we've, he's don't") ==
          Pieces{"I", "'ll", " say", " we", "'ve", ",", " he", "'s", " don", "'t"});
    CHECK(split_gpt2("they're I'm she'd IT'S") == Pieces{"they", "'re", " I", "'m", " she", "'d", " IT", "'", "S"});
    // Only the last blank of a run goes with the word; trailing blanks stay together.
    CHECK(split_gpt2("  two   blanks  ") == Pieces{" ", " two", "  ", " blanks", "  "});
    CHECK(split_gpt2("a\n\nb\t c") == Pieces{"a", "\n", "\n", "b", "\t", " c"});
    CHECK(split_gpt2("42nd 3.14 x²") == Pieces{"42", "nd", " 3", ".", "14", " x", "²"});
    CHECK(split_gpt2("hi!!! (ok) snake_case") == Pieces{"hi", "!!!", " (", "ok", ")", " snake", "_", "case"});
    CHECK(split_gpt2("éa 你好 世界、") == Pieces{"éa", " 你好", " 世界", "、"});
    CHECK(split_gpt2("e\u0301 🦇🏽 ok") ==
          Pieces{"e", "\u0301", " 🦇🏽", " ok"});             // a combining mark is not a letter
    CHECK(split_gpt2("a\u00A0b") == Pieces{"a", "\u00A0", "b"});  // a no-break space is white space
    CHECK(split_gpt2("a\u180E!") == Pieces{"a", "\u180E!"});      // the Mongolian vowel separator is not
    CHECK(split_gpt2("a\u200B!") == Pieces{"a", "\u200B!"});      // nor is the zero-width space
    CHECK(split_gpt2(std::string_view("a\0\x01z", 4)) == Pieces{"a", std::string_view("\0\x01", 2), "z"});
    CHECK(contains(error_of([] { split_gpt2("ab \x85"); }), "at byte 3"));
}

TEST_CASE("bytes are mapped to GPT-2's letters and back") {
    CHECK(byte_letters("a ~\n") == "aĠ~Ċ");
    CHECK(byte_letters(std::string_view("\0\x7F\xA0\xA1\xAD\xAE\xFF", 7)) == "Āġł¡Ń®ÿ");
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
    CHECK(letter_bytes(byte_letters(all)) == all);
    CHECK_FALSE(letter_bytes("a b").has_value());
    CHECK_FALSE(letter_bytes("你").has_value());
    CHECK_FALSE(letter_bytes("\xFF").has_value());
}

TEST_CASE("merges are applied by rank within the pieces") {
    const HfTokenizer tokenizer = small_tokenizer();
    CHECK(tokenizer.size() == 256 + 5 + 1);
    CHECK(tokenizer.ids("a") == std::vector<int>{255 - 'a'});
    CHECK(tokens_of(tokenizer, "low lower slow") == Texts{"low", " low", "er", " ", "s", "low"});
    CHECK(tokens_of(tokenizer, "lo\nw") == Texts{"lo", "⟨0A⟩", "w"});
    CHECK(tokens_of(tokenizer, "你") == Texts{"⟨E4⟩⟨BD⟩", "⟨A0⟩"});
    CHECK(tokenizer.ids(" low") == std::vector<int>{258});
    const std::vector<EncodingStep> steps = tokenizer.steps(byte_letters(" lower")).merges;
    REQUIRE(steps.size() == 4);
    CHECK(steps[0].merge == 0);
    CHECK(steps[2].merge == 2);
    CHECK(steps[3].merge == 3);
    CHECK(steps[3].position == 1);
    CHECK(steps[3].tokens == std::vector<int>{258, 259});
}

TEST_CASE("the end-of-text token is one token, wherever it occurs") {
    const HfTokenizer tokenizer = small_tokenizer();
    const int end = 261;
    CHECK(tokenizer.token_text(end) == "<|endoftext|>");
    CHECK(tokenizer.ids("<|endoftext|>") == std::vector<int>{end});
    CHECK(tokenizer.ids(" low<|endoftext|> low") == std::vector<int>{258, end, 258});
    const std::string text = "a<|endoftext|><|endoftext|>b<|endoftext";
    CHECK(tokenizer.ids(text).size() == 4 + std::string_view("<|endoftext").size());
    CHECK(tokenizer.decode(tokenizer.ids(text)) == text);
}

TEST_CASE("GPT-2's byte pairs encode and decode any text without loss") {
    // A vocabulary learned from separate text, so that some tokens lie within and some across characters.
    std::string learned;
    for (std::uint64_t i = 5000; i < 5300; ++i) learned += random_text(i) + " 你好世界 🦇 the river é ";
    BytePairTraining training(learned);
    std::vector<std::string> bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
    std::vector<std::pair<std::string, std::string>> merges;
    for (int i = 0; i < 300; ++i) {
        const BytePairMerge merge = training.step().value().merge;
        const auto [left, right] =
            std::pair(static_cast<std::size_t>(merge.left), static_cast<std::size_t>(merge.right));
        merges.emplace_back(byte_letters(bytes[left]), byte_letters(bytes[right]));
        bytes.push_back(bytes[left] + bytes[right]);
    }
    const TemporaryFolder folder;
    SmallGpt2(merges).write_two_files(folder.path());
    const HfTokenizer tokenizer = HfTokenizer::load(folder.path());
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::string text = random_text(i);
        REQUIRE(tokenizer.decode(tokenizer.ids(text)) == text);
    }
    CHECK(tokenizer.ids(" 你好世界").size() < std::string_view(" 你好世界").size());
    const std::string run(300000, ' ');
    CHECK(tokenizer.decode(tokenizer.ids(run)) == run);
}

TEST_CASE("a published tokenizer reads a byte from its code, as decoding writes it") {
    const HfTokenizer tokenizer = small_tokenizer();
    CHECK(tokenizer.ids("a⟨E4⟩⟨BD⟩") == std::vector<int>{255 - 'a', 260});
    CHECK(tokenizer.ids("⟨E4⟩⟨BD⟩⟨A0⟩") == tokenizer.ids("你"));
    for (int id = 0; id < 0x80; ++id)  // the bytes from FF down to 80
        REQUIRE(tokenizer.ids("low" + tokenizer.decode(std::array{id})) == std::vector<int>{257, id});
    const std::string other = to_utf8(U"\U0010F0E4");  // stands for the byte E4 within the tokenizer
    CHECK(tokenizer.decode(tokenizer.ids(other)) == other);
    const std::vector<TokenOfText> tokens = tokenizer.encode("a⟨E4⟩a");
    REQUIRE(tokens.size() == 3);
    CHECK(tokens[1].source == ByteRange{1, 9});
    CHECK(tokens[2].source == ByteRange{9, 10});
}

TEST_CASE("invalid UTF-8, empty text and invalid ids are refused") {
    const HfTokenizer tokenizer = small_tokenizer();
    CHECK(contains(error_of([&] { tokenizer.ids("<|endoftext|>ab\x80"); }), "at byte 15"));
    CHECK(contains(error_of([&] { tokenizer.ids(""); }), "no token"));
    CHECK_THROWS_AS(tokenizer.token_text(262), Error);
    CHECK_THROWS_AS(tokenizer.token_text(-1), Error);
    CHECK_THROWS_AS(tokenizer.decode(std::array{0, 262}), Error);
    CHECK(tokenizer.steps(std::string(1025, 'l')).merges.empty());
    CHECK(tokenizer.decode(std::array{260}) == "⟨E4⟩⟨BD⟩");  // two bytes of three
}
