#include "core/text/character_tokenizer.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/text/text_file.h"
#include "tests/core/error_of.h"
#include "tests/core/random_text.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

TEST_CASE("the characters of a text get ids in the order of their code points") {
    const CharacterTokenizer tokenizer = CharacterTokenizer::from_text("bad Cab\né");
    CHECK(tokenizer.kind() == "characters");
    CHECK(tokenizer.size() == 9);  // <pad> <unk> \n blank C a b d é
    CHECK(tokenizer.token_text(0) == "<pad>");
    CHECK(tokenizer.token_text(1) == "<unk>");
    CHECK(tokenizer.token_text(2) == "⟨0A⟩");
    CHECK(tokenizer.token_text(3) == " ");
    CHECK(tokenizer.token_text(8) == "é");
    CHECK(tokenizer.ids("bC é") == std::vector<int>{6, 4, 3, 8});
    CHECK_THROWS_AS(tokenizer.token_text(9), Error);
    CHECK_THROWS_AS(tokenizer.token_text(-1), Error);
}

TEST_CASE("an accented letter may be typed composed or decomposed, whichever form the training text has") {
    const std::string composed = "caf\u00E9", decomposed = "cafe\u0301";
    const CharacterTokenizer of_one = CharacterTokenizer::from_text(composed),
                             of_two = CharacterTokenizer::from_text(decomposed);
    CHECK(of_one.decode(of_one.ids(decomposed)) == composed);
    CHECK(of_two.decode(of_two.ids(composed)) == decomposed);
    CHECK(of_two.decode(of_two.ids(decomposed)) == decomposed);
    // Composing that would not help is left undone: an accent that the text never had stays one unknown character.
    CHECK(of_one.ids("e\u0301").size() == 1);
    CHECK(of_one.ids("c\u0301") == std::vector<int>{of_one.ids("c").front(), CharacterTokenizer::unknown});
    CHECK(CharacterTokenizer::from_text("e\u0301\u00E9").ids("e\u0301").size() == 2);
}

TEST_CASE("text of known characters is encoded and decoded without loss") {
    for (std::uint64_t i = 0; i < 200; ++i) {
        const std::string text = random_text(i);
        const CharacterTokenizer tokenizer = CharacterTokenizer::from_text(text);
        CHECK(tokenizer.decode(tokenizer.ids(text)) == text);
    }
}

TEST_CASE("an unknown character becomes <unk>, and padding decodes to nothing") {
    const CharacterTokenizer tokenizer = CharacterTokenizer::from_text("ab");
    CHECK(tokenizer.ids("aZb") == std::vector<int>{2, CharacterTokenizer::unknown, 3});
    CHECK(tokenizer.ids("<pad>")[0] == CharacterTokenizer::unknown);
    CHECK(tokenizer.decode(std::array{2, 1, 3, 0, 0}) == "a<unk>b");
    CHECK_THROWS_AS(tokenizer.decode(std::array{4}), Error);
}

TEST_CASE("invalid and repeated characters, invalid UTF-8 and empty text are refused") {
    CHECK(contains(error_of([] { CharacterTokenizer(U"aba"); }), "\"a\" appears twice"));
    CHECK_FALSE(error_of([] { CharacterTokenizer(std::u32string{0xD800}); }).empty());
    CHECK_FALSE(error_of([] { CharacterTokenizer(std::u32string{0x110000}); }).empty());
    CHECK(contains(error_of([] { CharacterTokenizer::from_text("ab\xC3("); }), "at byte 2"));
    CHECK(contains(error_of([] { CharacterTokenizer::from_text(""); }), "no character"));
    const CharacterTokenizer tokenizer(U"a");
    CHECK(contains(error_of([&] { tokenizer.ids("a\xFF"); }), "at byte 1"));
    CHECK(contains(error_of([&] { tokenizer.ids(""); }), "no character"));
}

TEST_CASE("characters.json round trip") {
    const TemporaryFolder folder;
    const std::string text = std::string(1, '\0') + "\n\"\\ aé你🦇\u0301";
    const CharacterTokenizer tokenizer = CharacterTokenizer::from_text(text);
    tokenizer.save_in(folder.path());
    const CharacterTokenizer again = CharacterTokenizer::load(folder / "characters.json");
    CHECK(again.size() == tokenizer.size());
    CHECK(again.ids(text) == tokenizer.ids(text));
    CHECK(again.decode(again.ids(text)) == text);
    CHECK(contains(error_of([&] { tokenizer.save(folder.path()); }), folder.path().string()));
}

TEST_CASE("malformed characters.json files are refused with the file's name and the reason") {
    const TemporaryFolder folder;
    const auto file = folder / "characters.json";
    const auto check_refused = [&](const std::string& content, const std::string& reason) {
        write_text_file(file, content);
        const std::string message = error_of([&] { CharacterTokenizer::load(file); });
        INFO("message: " << message);
        CHECK(message.starts_with(file.string()));
        CHECK(contains(message, reason));
    };
    check_refused("", "is not valid JSON");
    check_refused(R"({"characters": ["a", )", "is not valid JSON (at byte 2");
    check_refused("[1]", "has no \"characters\"");
    check_refused(R"({"characters": "abc"})", "is not a list");
    check_refused(R"({"characters": ["a", "bc"]})", "entry 1");
    check_refused(R"({"characters": ["a", ""]})", "entry 1");
    check_refused(R"({"characters": [7]})", "entry 0");
    check_refused(R"({"characters": ["a", "b", "a"]})", "\"a\" appears twice");
    check_refused(R"({"characters": ["a"], "characters": ["b"]})", "the key \"characters\" appears twice");
    check_refused("{\"characters\": [\"\xE9\"]}", "is not UTF-8");
    check_refused(R"({"characters": [1e999]})", "out of range");
    check_refused(std::string(100000, '['), "nested more than 32 levels deep");
    CHECK(contains(error_of([&] { CharacterTokenizer::load(folder / "none.json"); }), "none.json"));
}
