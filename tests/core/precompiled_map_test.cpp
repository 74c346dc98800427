// The table that SentencePiece compiles into its models, made here by hand: "A" → "bee", "é" (two bytes) → "e".
#include <doctest/doctest.h>

#include <cstring>

#include "core/text/pipeline.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

std::string to_base64(std::string_view bytes) {
    constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (int k = 0; k < 4; ++k)
            text += i + static_cast<std::size_t>(k) > bytes.size() ? '=' : letters[bits >> (18 - 6 * k) & 63u];
    }
    return text;
}

constexpr std::uint32_t has_value = 1u << 8;
std::uint32_t cell(std::uint32_t label, std::uint32_t offset, std::uint32_t more = 0) {
    return label | offset << 10 | more;
}

std::string table(const std::vector<std::uint32_t>& trie, std::string_view replacements) {
    const auto size = static_cast<std::uint32_t>(4 * trie.size());
    std::string bytes(4 + size, '\0');
    std::memcpy(bytes.data(), &size, 4);
    std::memcpy(bytes.data() + 4, trie.data(), size);
    return bytes + std::string(replacements);
}

/// The root's children are cells 256 … 511; "é" is C3 A9.
std::vector<std::uint32_t> small_trie() {
    std::vector<std::uint32_t> trie(1024);
    trie[0] = cell(0, 256);
    const std::uint32_t a = 256 ^ 0x41, c3 = 256 ^ 0xC3, a9 = (c3 ^ 512) ^ 0xA9;
    trie[a] = cell(0x41, a ^ 600, has_value);
    trie[600] = 2;  // where "bee" begins
    trie[c3] = cell(0xC3, 512);
    trie[a9] = cell(0xA9, a9 ^ 601, has_value);
    trie[601] = 0;
    return trie;
}

std::string applied(const PrecompiledMap& map, const std::string& text) { return map.apply(AlignedText(text)).text(); }

}  // namespace

TEST_CASE("precompiled map: entries of one and two bytes are replaced, everything else stays") {
    // Tables whose last base64 group has one, two and three bytes, with and without a final zero.
    for (const std::string_view texts :
         {std::string_view("e\0bee", 5), std::string_view("e\0bee\0", 6), std::string_view("e\0bee\0\0", 7)}) {
        CAPTURE(texts.size());
        const PrecompiledMap map(to_base64(table(small_trie(), texts)), "the tokenizer");
        CHECK(applied(map, "A cafe\xCC\x81 é, A!") == "bee cafe\xCC\x81 e, bee!");
        CHECK(applied(map, "aè") == "aè");
    }
}

TEST_CASE("precompiled map: a replaced character keeps its place in the source") {
    const PrecompiledMap map(to_base64(table(small_trie(), std::string_view("e\0bee\0", 6))), "the tokenizer");
    const AlignedText out = map.apply(AlignedText("xéy"));
    REQUIRE(out.text() == "xey");
    CHECK(out.source({1, 2}).begin == 1);
    CHECK(out.source({1, 2}).end == 3);
}

TEST_CASE("precompiled map: a broken table is refused, and the error says what has it") {
    const auto refused = [](const std::string& base64) {
        return error_of([&] { PrecompiledMap(base64, "the tokenizer"); }).find("the tokenizer has a") == 0;
    };
    const std::string whole = table(small_trie(), std::string_view("e\0bee\0", 6));
    CHECK_FALSE(refused(to_base64(whole)));
    CHECK(refused("not base64!"));
    CHECK(refused(to_base64(whole.substr(0, 3))));
    CHECK(refused(to_base64(whole.substr(0, 4 + 4 * 1024 - 1))));    // the trie is cut short
    CHECK_FALSE(refused(to_base64(whole.substr(0, 4 + 4 * 1024))));  // without texts
    CHECK(refused(to_base64(table(small_trie(), "\xFF"))));          // not UTF-8
    CHECK(refused(to_base64(std::string("\0\0\0\0", 4))));           // no cells
    CHECK(
        refused(to_base64(std::string("\6\0\0\0"
                                      "abcdef",
                                      10))));  // not whole cells
}

TEST_CASE("precompiled map: entries that point outside the table replace nothing") {
    std::vector<std::uint32_t> trie = small_trie();
    trie[600] = 999;  // beyond the texts
    trie[256 ^ 0xC3] = cell(0xC3, (1u << 21) - 1);
    const PrecompiledMap map(to_base64(table(trie, std::string_view("e\0bee\0", 6))), "the tokenizer");
    CHECK(applied(map, "A é") == "A é");
}
