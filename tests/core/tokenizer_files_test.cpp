#include <doctest/doctest.h>

#include <string>

#include "core/text/byte_pair_tokenizer.h"
#include "core/text/character_tokenizer.h"
#include "core/text/json_file.h"
#include "core/text/text_file.h"
#include "core/text/tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "tests/contains.h"
#include "tests/core/error_of.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const SmallGpt2 small(std::vector{std::pair<std::string, std::string>("a", "b")});

/// Saves the tokenizer, loads it from the folder and compares the two.
void check_round_trip(const Tokenizer& tokenizer, const std::string& text) {
    const TemporaryFolder folder;
    tokenizer.save_in(folder.path());
    const auto again = load_tokenizer(folder.path());
    REQUIRE(again);
    CHECK(again->kind() == tokenizer.kind());
    CHECK(again->size() == tokenizer.size());
    CHECK(again->ids(text) == tokenizer.ids(text));
    CHECK(again->decode(again->ids(text)) == text);
}

}  // namespace

TEST_CASE("each kind of tokenizer is found in the folder that it was saved in") {
    check_round_trip(WordTokenizer({"a", "bat"}), "a bat");
    check_round_trip(CharacterTokenizer::from_text("abc"), "cab");
    check_round_trip(BytePairTokenizer({{'a', 'b', 256, 2}}), "cab é");
    const TemporaryFolder folder;
    write_text_file(folder / "tokenizer.json", small.fast_tokenizer(true).dump());
    const auto gpt2 = load_tokenizer(folder.path());
    REQUIRE(gpt2);
    CHECK(gpt2->kind() == "tokenizer_json");
    check_round_trip(*gpt2, "cab é<|endoftext|>");
}

TEST_CASE("a folder without a tokenizer has none, and a folder that does not exist is an error") {
    const TemporaryFolder folder;
    CHECK(load_tokenizer(folder.path()) == nullptr);
    write_text_file(folder / "config.json", "{}");
    CHECK(load_tokenizer(folder.path()) == nullptr);
    CHECK(contains(error_of([&] { load_tokenizer(folder / "no such"); }), "no such: is not a folder"));
    CHECK(contains(error_of([&] { load_tokenizer(folder / "config.json"); }), "is not a folder"));
}

TEST_CASE("a malformed or incomplete tokenizer is refused, and the error names the file") {
    const auto check_refused = [](const std::string& file, const std::string& content, const std::string& named) {
        const TemporaryFolder folder;
        write_text_file(folder / file, content);
        const std::string message = error_of([&] { load_tokenizer(folder.path()); });
        INFO("message: " << message);
        CHECK(message.starts_with((folder / named).string() + ":"));
    };
    check_refused("vocab.txt", "<pad>\nbat\n", "vocab.txt");
    check_refused("characters.json", "{}", "characters.json");
    check_refused("byte_pairs.json", "{}", "byte_pairs.json");
    check_refused("tokenizer.json", "{}", "tokenizer.json");
    check_refused("vocab.json", small.vocabulary.dump(), "merges.txt");
    check_refused("merges.txt", "a b\n", "vocab.json");
}

TEST_CASE("if a folder has several tokenizers, the first in the documented order is used") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    CHECK(load_tokenizer(folder.path())->kind() == "tokenizer_json");
    BytePairTokenizer({}).save_in(folder.path());
    CHECK(load_tokenizer(folder.path())->kind() == "byte_pairs");
    CharacterTokenizer(U"ab").save_in(folder.path());
    CHECK(load_tokenizer(folder.path())->kind() == "characters");
    WordTokenizer({"a"}).save_in(folder.path());
    CHECK(load_tokenizer(folder.path())->kind() == "words");
}

// json::parse with a callback looks through the list again after each of its objects: that would take minutes.
TEST_CASE("a JSON file of a million objects is parsed in one go") {
    const TemporaryFolder folder;
    std::string text = "[{}";
    for (int i = 1; i < 1'000'000; ++i) text += ",{}";
    text += "]";
    write_text_file(folder / "many.json", text);
    CHECK(read_json_file(folder / "many.json", 1 << 26).size() == 1'000'000);
    CHECK(parse_json(text).size() == 1'000'000);
}

TEST_CASE("a vocabulary of empty lines is refused before they fill the memory") {
    const TemporaryFolder folder;
    write_text_file(folder / "vocab.txt", std::string(3'000'000, '\n'));
    CHECK(contains(error_of([&] { load_tokenizer(folder.path()); }), "has more than 2097152 lines"));
}

TEST_CASE("text files: a small file takes no more memory for a large limit") {
    const TemporaryFolder folder;
    write_text_file(folder / "t", "bat");
    // More memory than any machine has: reserving it would fail.
    CHECK(read_text_file(folder / "t", std::size_t{1} << 60) == "bat");
    CHECK(contains(error_of([&] { read_text_file(folder / "t", 2); }), "is larger than 2 bytes"));
}
