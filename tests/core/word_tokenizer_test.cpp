#include "core/text/word_tokenizer.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/error.h"
#include "core/text/utf8.h"
#include "core/text/words.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

using Words = std::vector<std::string>;

std::vector<int> ids_of(const WordTokenizer& tokenizer, const std::string& text) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : tokenizer.encode(text)) ids.push_back(token.id);
    return ids;
}

/// Checks that a vocabulary file of these bytes is refused, naming the file, the line and the reason.
void check_refused(const std::string& bytes, int line, const std::string& reason) {
    const TemporaryFolder folder;
    const std::filesystem::path vocab_file = folder / "vocab.txt";
    std::ofstream(vocab_file, std::ios::binary) << bytes;
    const std::string message = error_of([&] { WordTokenizer::load(vocab_file); });
    INFO("message: " << message);
    CHECK(message.starts_with(vocab_file.string() + ":" + std::to_string(line) + ": "));
    CHECK(contains(message, reason));
}

}  // namespace

TEST_CASE("invalid UTF-8 is found at the right byte") {
    CHECK(is_valid_utf8("a\xC3\xA9\xE2\x96\xA2\xF0\x9F\xA6\x87"));  // a é ▢ 🦇
    const auto bad_at = [](std::string_view bytes) {
        std::size_t offset = 99;
        CHECK_FALSE(is_valid_utf8(bytes, &offset));
        return offset;
    };
    CHECK(bad_at("ab\x80") == 2);             // a continuation byte alone
    CHECK(bad_at("a\xC3") == 1);              // cut short
    CHECK(bad_at("\xC0\xAF") == 0);           // overlong "/"
    CHECK(bad_at("\xE0\x80\xAF") == 0);       // overlong in three bytes
    CHECK(bad_at("\xED\xA0\x80") == 0);       // a surrogate
    CHECK(bad_at("x\xF4\x90\x80\x80") == 1);  // above U+10FFFF
    CHECK(bad_at("\xE2\x96z") == 0);          // a letter where a continuation belongs
    CHECK(to_utf8(code_points("é▢🦇")) == "é▢🦇");
}

TEST_CASE("words of every script are split at their punctuation") {
    CHECK(split_words("Летучая мышь, вылетела!") == Words{"летучая", "мышь", ",", "вылетела", "!"});
    CHECK(split_words("שלום עולם.") == Words{"שלום", "עולם", "."});
    CHECK(split_words("צה״ל") == Words{"צה״ל"});  // an abbreviation is one word
    CHECK(split_words("هل هذا خفاش؟ نعم، هو.") == Words{"هل", "هذا", "خفاش", "؟", "نعم", "،", "هو", "."});
    CHECK(split_words("लड़की आई।") == Words{"लड़की", "आई", "।"});  // with its marks
    CHECK(split_words("蝙蝠飞了，（是吗？）") == Words{"蝙蝠飞了", "，", "（", "是吗", "？", "）"});
    CHECK(join_words(Words{"蝙蝠", "飞", "了", "，", "bat", "2", "。"}) == "蝙蝠飞了， bat 2 。");
    CHECK(join_words(Words{"هل", "نعم", "؟"}) == "هل نعم؟");
}

TEST_CASE("text without spaces is split into the words of the vocabulary") {
    const WordTokenizer tokenizer({"我", "喜欢", "喜", "欢", "北京", "京大", "大学", "北京大学", "学生", "。", "bat"});
    const auto words_of = [&](const std::string& text) {
        Words words;
        for (const WordTokenizer::Token& token : tokenizer.encode(text))
            words.push_back((token.id == WordTokenizer::unknown ? "?" : "") + token.text);
        return words;
    };
    CHECK(words_of("我喜欢北京大学。") == Words{"我", "喜欢", "北京大学", "。"});  // the fewest
    CHECK(words_of("北京大学学生") == Words{"北京大学", "学生"});
    CHECK(words_of("我喜欢狗狗。") == Words{"我", "喜欢", "?狗狗", "。"});  // unknown characters stay together
    CHECK(words_of("狗bat我") == Words{"?狗", "bat", "我"});
    CHECK(words_of("我 喜欢 北京") == Words{"我", "喜欢", "北京"});
    CHECK(words_of("the bat") == Words{"?the", "bat"});
}

TEST_CASE("text is split into lower-case words") {
    CHECK(split_words("He swung the bat, and hit a foul.") ==
          Words{"he", "swung", "the", "bat", ",", "and", "hit", "a", "foul", "."});
    CHECK(split_words("The chicken didn't; DIDN’T!") == Words{"the", "chicken", "didn't", ";", "didn't", "!"});
    CHECK(split_words("'quoted' rock'n'roll") == Words{"'", "quoted", "'", "rock'n'roll"});
    CHECK(split_words("Élan ÉCOLE ×") == Words{"élan", "école", "×"});
    CHECK(split_words("a\tb\x01"
                      "c\nd\xC2\xA0"
                      "e") == Words{"a", "b", "c", "d", "e"});
    CHECK(split_words(" \n ").empty());
}

TEST_CASE("special tokens come first, then the words in their order") {
    const WordTokenizer tokenizer({"bat", "a", "."});
    CHECK(tokenizer.size() == 6);
    CHECK(tokenizer.word(WordTokenizer::pad) == "<pad>");
    CHECK(tokenizer.word(WordTokenizer::mask) == "<mask>");
    CHECK(tokenizer.word(WordTokenizer::unknown) == "<unk>");
    CHECK(tokenizer.find("bat") == 3);
    CHECK(tokenizer.find(".") == 5);
    CHECK_FALSE(tokenizer.find("cave").has_value());
    CHECK_THROWS_AS(tokenizer.word(6), Error);
    CHECK_THROWS_AS(tokenizer.word(-1), Error);
}

TEST_CASE("a vocabulary refuses duplicate and malformed words") {
    CHECK(contains(error_of([] { WordTokenizer({"a", "bat", "a"}); }), "'a' appears twice"));
    CHECK(contains(error_of([] { WordTokenizer({"<mask>"}); }), "'<mask>' appears twice"));
    CHECK_THROWS_AS(WordTokenizer({""}), Error);
    CHECK_THROWS_AS(WordTokenizer({"two words"}), Error);
    CHECK_THROWS_AS(WordTokenizer({"line\n"}), Error);
    CHECK_THROWS_AS(WordTokenizer({"\xFF"}), Error);
}

TEST_CASE("encode finds words, masks and unknown words") {
    const WordTokenizer tokenizer({"a", "bat", "hit", "."});
    CHECK(ids_of(tokenizer, "A BAT hit.") == std::vector<int>{3, 4, 5, 6});
    for (const char* mask : {"▢", "□", "_", "___", "[mask]", "[MASK]", "<mask>", "<Mask>"}) {
        INFO(mask);
        CHECK(ids_of(tokenizer, std::string("hit a ") + mask + ".") == std::vector<int>{5, 3, WordTokenizer::mask, 6});
    }
    CHECK(ids_of(tokenizer, "_ _▢") == std::vector<int>{1, 1, 1});
    const std::vector<WordTokenizer::Token> tokens = tokenizer.encode("a Zébra");
    REQUIRE(tokens.size() == 2);
    CHECK(tokens[1].id == WordTokenizer::unknown);
    CHECK(tokens[1].text == "zébra");
    CHECK(ids_of(tokenizer, "<pad>") == std::vector<int>{2, 2, 2});  // typing cannot produce padding
    const std::vector<int> generated = {3, WordTokenizer::unknown, WordTokenizer::unknown, 4, WordTokenizer::mask};
    CHECK(tokenizer.ids(tokenizer.decode(generated)) == generated);  // a generated "<unk>" is one word
}

TEST_CASE("encode refuses text without words and invalid UTF-8") {
    const WordTokenizer tokenizer({"a"});
    CHECK(contains(error_of([&] { tokenizer.encode(" \t\n"); }), "no word"));
    CHECK(contains(error_of([&] { tokenizer.encode(""); }), "no word"));
    CHECK(contains(error_of([&] { tokenizer.encode("a b\xC3( c"); }), "at byte 3"));
}

TEST_CASE("a word is known with composed and with decomposed accents") {
    const WordTokenizer tokenizer({"caf\u00E9", "e\u0301te\u0301"});
    CHECK(tokenizer.ids("cafe\u0301 \u00E9t\u00E9 e\u0301te\u0301") == std::vector<int>{3, 4, 4});
    CHECK(tokenizer.encode("CAFE\u0301").front().text == "caf\u00E9");
    CHECK(tokenizer.encode("cafe\u0300").front().text == "cafe\u0300");  // unknown words stay as typed
}

TEST_CASE("decode joins words and drops padding") {
    const WordTokenizer tokenizer({"a", "bat", "hit", ".", ","});
    CHECK(tokenizer.decode(std::array{3, 4, 7, 5, 1, 6, 0, 0}) == "a bat, hit <mask>.");
    CHECK_THROWS_AS(tokenizer.decode(std::array{8}), Error);
}

TEST_CASE("edit distance counts a swap of neighbours as one") {
    CHECK(edit_distance(U"bat", U"bat") == 0);
    CHECK(edit_distance(U"bat", U"abt") == 1);
    CHECK(edit_distance(U"cave", U"caves") == 1);
    CHECK(edit_distance(U"cave", U"gave") == 1);
    CHECK(edit_distance(U"", U"foul") == 4);
    CHECK(edit_distance(U"kitten", U"sitting") == 3);
}

TEST_CASE("nearest words: fewest typing errors first, ties alphabetical") {
    const WordTokenizer tokenizer({"foul", "swung", "bat", "cat", "café", "at"});
    CHECK(tokenizer.nearest("FUOL", 1) == Words{"foul"});
    CHECK(tokenizer.nearest("hat", 3) == Words{"at", "bat", "cat"});
    CHECK(tokenizer.nearest("cafè", 1) == Words{"café"});
    CHECK(tokenizer.nearest("bat", 99) == Words{"bat", "at", "cat", "café"});  // the others have no letter in its place
    CHECK(tokenizer.nearest("bat", 0).empty());
    CHECK(tokenizer.nearest(std::string(1000000, 'x'), 2).empty());
    CHECK(tokenizer.nearest(std::string(1000000, 't'), 2) == Words{"at", "bat"});
    CHECK(tokenizer.nearest("蝙蝠", 3).empty());
}

TEST_CASE("a vocabulary file round trip") {
    const WordTokenizer tokenizer({"bat", "école", ".", "didn't"});
    const TemporaryFolder folder;
    const std::filesystem::path vocab_file = folder / "vocab.txt";
    tokenizer.save(vocab_file);
    const WordTokenizer again = WordTokenizer::load(vocab_file);
    REQUIRE(again.size() == tokenizer.size());
    for (int id = 0; id < tokenizer.size(); ++id) CHECK(again.word(id) == tokenizer.word(id));
    std::ofstream(vocab_file, std::ios::binary) << "<pad>\r\n<mask>\r\n<unk>\r\nbat";
    CHECK(WordTokenizer::load(vocab_file).word(3) == "bat");
}

TEST_CASE("malformed vocabulary files are refused with file and line") {
    check_refused("", 1, "<pad>");
    check_refused("<pad>\n<mask>\n", 3, "<unk>");
    check_refused("<pad>\n<unk>\n<mask>\n", 2, "<mask>");
    check_refused("<pad>\n<mask>\n<unk>\nbat\n\ncave\n", 5, "an empty word");
    check_refused("<pad>\n<mask>\n<unk>\nbat\ncave\nbat\n", 6, "'bat' is already in line 4");
    check_refused("<pad>\n<mask>\n<unk>\nbat\n<pad>\n", 5, "'<pad>' is already in line 1");
    check_refused("<pad>\n<mask>\n<unk>\nthe bat\n", 4, "contains a space");
    check_refused("<pad>\n<mask>\n<unk>\nb\xE9t\n", 4, "is not UTF-8");
}

TEST_CASE("vocabulary files that cannot be read or written are refused, and the error names them") {
    const TemporaryFolder folder;
    const auto names = [](const std::string& message, const std::filesystem::path& path) {
        return contains(message, path.string());
    };
    CHECK(names(error_of([&] { WordTokenizer::load(folder / "none.txt"); }), folder / "none.txt"));
    CHECK(names(error_of([&] { WordTokenizer::load(folder.path()); }), folder.path()));
    CHECK(names(error_of([&] { WordTokenizer({"a"}).save(folder.path()); }), folder.path()));
}
