#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

#include "core/base/rng.h"
#include "core/text/byte_pair_tokenizer.h"
#include "core/text/merge_table.h"
#include "core/text/pipeline.h"
#include "core/text/text_file.h"
#include "core/text/utf8.h"
#include "tests/core/error_of.h"
#include "tests/core/random_text.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const std::string story =
    "The boat drifted down the river while the fishermen mended their nets. The water was calm and the wind was "
    "warm; nobody on the boat said anything. Later the river widened, and the men rowed to the northern shore, "
    "where the fires of the camp were burning. «Là-bas», dit l'homme, «la forêt est noire.» 你好世界, 你好!\n\n"
    "aaaa aaaaaaa aaa ababababab abababa\n";

BytePairTraining trained(std::string_view text, int merges) {
    BytePairTraining training(text);
    for (int i = 0; i < merges && training.step(); ++i) continue;
    return training;
}

using Counts = std::map<std::pair<int, int>, std::int64_t>;

/// Counts the pairs in the training's words afresh.
Counts counted(const BytePairTraining& training) {
    Counts counts;
    for (const BytePairTraining::Word& word : training.words())
        for (std::size_t i = 1; i < word.tokens.size(); ++i) counts[{word.tokens[i - 1], word.tokens[i]}] += word.count;
    return counts;
}

/// Encodes a word as the method is defined: merge by merge, each applied everywhere in the word from left to right.
std::vector<int> encoded_by_rounds(std::string_view word, const std::vector<BytePairMerge>& merges) {
    std::vector<int> tokens;
    for (const char byte : word) tokens.push_back(static_cast<unsigned char>(byte));
    for (const BytePairMerge& merge : merges)
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
            if (tokens[i] == merge.left && tokens[i + 1] == merge.right) {
                tokens[i] = merge.token;
                tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            }
    return tokens;
}

}  // namespace

TEST_CASE("the first merges of a small text, counted by hand") {
    // Words: "low" ×2, " low" ×3, " lower" ×2, " newest" ×1. Pairs: l o 7, o w 7, blank l 5, …
    BytePairTraining training("low low low low\nlow lower lower newest");
    const auto first = training.step();
    REQUIRE(first.has_value());
    // l o and o w both occur 7 times; l o wins because l (108) comes before o (111).
    CHECK(first->merge == BytePairMerge{'l', 'o', 256, 7});
    REQUIRE(first->most_frequent.size() >= 3);
    CHECK(first->most_frequent[0] == PairCount{'l', 'o', 7});
    CHECK(first->most_frequent[1] == PairCount{'o', 'w', 7});
    CHECK(first->most_frequent[2] == PairCount{' ', 'l', 5});
    CHECK(training.token_text(256) == "lo");
    CHECK(training.words()[0].tokens == std::vector<int>{' ', 256, 'w'});
    CHECK(training.words()[0].count == 3);
    const auto second = training.step();
    CHECK(second->merge == BytePairMerge{256, 'w', 257, 7});
    const auto third = training.step();
    CHECK(third->merge == BytePairMerge{' ', 257, 258, 5});
    CHECK(training.token_text(258) == " low");
    CHECK(training.words()[0].tokens == std::vector<int>{258});
    CHECK(training.merges() == std::vector<BytePairMerge>{first->merge, second->merge, third->merge});
}

TEST_CASE("overlapping pairs are counted at every position and merged from the left") {
    BytePairTraining training("aaaaa");
    CHECK(training.step()->merge == BytePairMerge{'a', 'a', 256, 4});
    CHECK(training.words()[0].tokens == std::vector<int>{256, 256, 'a'});
    CHECK_FALSE(training.step().has_value());  // 256 256 and 256 a occur once each
    CHECK(training.merges().size() == 1);
}

TEST_CASE("every step merges the most frequent pair by a fresh count, until each word is one token") {
    BytePairTraining training(story, {.table_size = 5, .min_count = 1});
    const std::vector<BytePairTraining::Word> words = training.words();
    for (;;) {
        const Counts counts = counted(training);
        const auto step = training.step();
        if (!step) {
            CHECK(counts.empty());
            break;
        }
        // std::map is sorted by (left, right), so the first maximum is the pair that the tie-break picks.
        const auto best = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        REQUIRE(std::pair(step->merge.left, step->merge.right) == best->first);
        REQUIRE(step->merge.count == best->second);
        REQUIRE(step->most_frequent[0] == PairCount{step->merge.left, step->merge.right, step->merge.count});
        for (std::size_t i = 0; i < step->most_frequent.size(); ++i) {
            const PairCount& pair = step->most_frequent[i];
            REQUIRE(counts.at({pair.left, pair.right}) == pair.count);
            if (i > 0) REQUIRE(pair.count <= step->most_frequent[i - 1].count);
        }
        REQUIRE(step->most_frequent.size() == std::min<std::size_t>(5, counts.size()));
    }
    CHECK(training.merges().size() > 150);
    REQUIRE(training.words().size() == words.size());
    for (const BytePairTraining::Word& word : training.words()) CHECK(word.tokens.size() == 1);
}

TEST_CASE("a long text without spaces is learned to its end, and its tokens decode to it") {
    // One word of 300,000 bytes. A method that scans the whole word for each merge would take hours.
    std::u32string points;
    Rng rng(17);
    for (int i = 0; i < 100'000; ++i) points.push_back(0x4E00 + static_cast<char32_t>(rng.below(1 + rng.below(600))));
    const std::string text = to_utf8(points);
    BytePairTraining training(text, {.table_size = 1});
    REQUIRE(training.words().size() == 1);
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    int merges = 0;
    for (auto step = training.step(); step; step = training.step(), ++merges) {
        REQUIRE(step->merge.count <= last);
        last = step->merge.count;
    }
    CHECK(merges > 1000);
    const BytePairTokenizer tokenizer(training.merges());
    const std::vector<int> tokens = training.words()[0].tokens;
    CHECK((tokenizer.decode(tokens) == text));
    CHECK((tokenizer.ids(text) == tokens));
}

TEST_CASE("training refuses invalid UTF-8 and empty text, and stops at rare pairs and at long tokens") {
    CHECK(contains(error_of([] { BytePairTraining("abc\xFF"); }), "at byte 3"));
    CHECK(contains(error_of([] { BytePairTraining(""); }), "empty"));
    CHECK_THROWS_AS(trained("ab", 0).token_text(256), Error);
    BytePairTraining rare("ab ac ad");
    CHECK(rare.step()->merge == BytePairMerge{' ', 'a', 256, 2});
    CHECK_FALSE(rare.step().has_value());
    const BytePairTraining runs = trained(std::string(10000, 'a'), 100);
    CHECK(runs.token_text(runs.size() - 1).size() <= max_token_bytes);
    CHECK_NOTHROW(BytePairTokenizer(runs.merges()));
}

TEST_CASE("the tokenizer encodes words as training left them, and any text as merging in rounds does") {
    const BytePairTraining training = trained(story, 50);
    const BytePairTokenizer tokenizer(training.merges());
    CHECK(tokenizer.kind() == "byte_pairs");
    CHECK(tokenizer.size() == 256 + 50);
    for (const BytePairTraining::Word& word : training.words()) {
        const std::string text = tokenizer.decode(word.tokens);
        CHECK(tokenizer.ids(text) == word.tokens);
    }
    for (std::uint64_t i = 0; i < 200; ++i) {
        const std::string text = random_text(i) + "the riverbank abababab aaaaa then";
        std::vector<int> expected;
        for (const std::string_view word : split_gpt2(text)) {
            const std::vector<int> tokens = encoded_by_rounds(word, tokenizer.merges());
            expected.insert(expected.end(), tokens.begin(), tokens.end());
        }
        REQUIRE(tokenizer.ids(text) == expected);
    }
}

TEST_CASE("names that are not in the training text are split into pieces") {
    const BytePairTokenizer tokenizer(trained(story, 100).merges());
    const std::string text = "Aragorn told Frodo to mind Lothlorien";
    const std::vector<int> ids = tokenizer.ids(text);
    CHECK(ids.size() > 6);
    CHECK(ids.size() < text.size());
    CHECK(tokenizer.decode(ids) == text);
    CHECK(tokenizer.ids(" the").size() == 1);  // a word that the training text has
}

TEST_CASE("the encoding steps of a word show each merge") {
    const BytePairTokenizer tokenizer(trained("low low low low\nlow lower lower newest", 3).merges());
    MergeTable table;
    for (const BytePairMerge& merge : tokenizer.merges()) table.add(merge.left, merge.right, merge.token);
    const std::vector<EncodingStep> steps = table.steps({' ', 'l', 'o', 'w', 'l', 'o'});
    REQUIRE(steps.size() == 4);
    CHECK(steps[0].merge == 0);  // l o, the leftmost pair first
    CHECK(steps[0].position == 1);
    CHECK(steps[0].tokens == std::vector<int>{' ', 256, 'w', 'l', 'o'});
    CHECK(steps[1].merge == 0);
    CHECK(steps[1].position == 3);
    CHECK(steps[1].tokens == std::vector<int>{' ', 256, 'w', 256});
    CHECK(steps[2].merge == 1);
    CHECK(steps[2].tokens == std::vector<int>{' ', 257, 256});
    CHECK(steps[3].merge == 2);
    CHECK(steps[3].position == 0);
    CHECK(steps[3].tokens == tokenizer.ids(" lowlo"));
    CHECK(table.steps({'x'}).empty());
}

TEST_CASE("byte pairs encode and decode any text without loss") {
    const BytePairTokenizer tokenizer(trained(story, 200).merges());
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::string text = random_text(i);
        REQUIRE(tokenizer.decode(tokenizer.ids(text)) == text);
    }
    const std::string run(200000, 'a');  // one word
    CHECK(tokenizer.decode(tokenizer.ids(run)) == run);
    CHECK(contains(error_of([&] { tokenizer.ids("ab \xE2\x82 c"); }), "at byte 3"));
    CHECK(contains(error_of([&] { tokenizer.ids(""); }), "no token"));
}

TEST_CASE("bytes that are not a whole character are shown in hexadecimal") {
    const BytePairTokenizer tokenizer({{0xE4, 0xBD, 256, 3}, {256, 0xA0, 257, 3}, {'a', 0xC3, 258, 2}});
    CHECK(tokenizer.token_text('a') == "a");
    CHECK(tokenizer.token_text('\n') == "⟨0A⟩");
    CHECK(tokenizer.token_text(0xC3) == "⟨C3⟩");
    CHECK(tokenizer.token_text(256) == "⟨E4⟩⟨BD⟩");
    CHECK(tokenizer.token_text(257) == "你");
    CHECK(tokenizer.token_text(258) == "a⟨C3⟩");
    CHECK(tokenizer.decode(std::array{258, 0xA9}) == "aé");
    CHECK(tokenizer.decode(std::array{258, int{'b'}}) == "a⟨C3⟩b");  // half a character
    CHECK_THROWS_AS(tokenizer.token_text(259), Error);
    CHECK_THROWS_AS(tokenizer.decode(std::array{-1}), Error);
}

TEST_CASE("a byte that is part of a character is read from its code, as decoding writes it") {
    const BytePairTokenizer tokenizer({{0xE4, 0xBD, 256, 3}, {256, 0xA0, 257, 3}, {' ', 0xE4, 258, 2}});
    for (int byte = 0x80; byte <= 0xFF; ++byte)
        REQUIRE(tokenizer.ids(tokenizer.decode(std::array{byte})) == std::vector<int>{byte});
    CHECK(tokenizer.ids(tokenizer.decode(std::array{'a' + 0, 256, 'b' + 0})) == std::vector<int>{'a', 256, 'b'});
    CHECK(tokenizer.ids("a ⟨E4⟩") == std::vector<int>{'a', 258});  // merged with the blank, as in a whole character
    CHECK(tokenizer.ids("⟨E4⟩⟨BD⟩⟨A0⟩") == tokenizer.ids("你"));
    const std::string other = to_utf8(U"\U0010F0E4");  // stands for the byte E4 within the tokenizer
    CHECK(tokenizer.decode(tokenizer.ids(other)) == other);
    CHECK(tokenizer.ids(other) == std::vector<int>{0xF4, 0x8F, 0x83, 0xA4});
    for (const char* text : {"⟨0A⟩", "⟨e4⟩", "⟨E4", "⟨ E4⟩", "⟨⟩", "⟨ES⟩"}) {
        CAPTURE(text);
        CHECK(tokenizer.ids(text).size() == std::string_view(text).size());  // text as any other
    }
    CHECK(contains(error_of([&] { tokenizer.ids("⟨E4⟩ \xE2\x82 c"); }), "at byte 9"));
}

TEST_CASE("byte_pairs.json round trip") {
    const TemporaryFolder folder;
    const BytePairTokenizer tokenizer(trained(story, 80).merges());
    tokenizer.save_in(folder.path());
    const BytePairTokenizer again = BytePairTokenizer::load(folder / "byte_pairs.json");
    CHECK(again.merges() == tokenizer.merges());
    CHECK(again.ids(story) == tokenizer.ids(story));
    BytePairTokenizer({}).save(folder / "none.json");
    CHECK(BytePairTokenizer::load(folder / "none.json").size() == 256);
    CHECK(contains(error_of([&] { tokenizer.save(folder.path()); }), folder.path().string()));
}

TEST_CASE("malformed byte_pairs.json files are refused with the file's name and the reason") {
    const TemporaryFolder folder;
    const auto file = folder / "byte_pairs.json";
    const auto check_refused = [&](const std::string& content, const std::string& reason) {
        write_text_file(file, content);
        const std::string message = error_of([&] { BytePairTokenizer::load(file); });
        INFO("message: " << message);
        CHECK(message.starts_with(file.string()));
        CHECK(contains(message, reason));
    };
    const auto merges = [](const std::string& list) { return "{\"merges\": [" + list + "]}"; };
    const std::string good = R"({"left": 97, "right": 98, "count": 5})";
    check_refused("not JSON", "is not valid JSON");
    check_refused("[]", "has no \"merges\"");
    check_refused(R"({"merges": 3})", "is not a list");
    check_refused(merges("5"), "merge 0 has no \"left\"");
    check_refused(merges(R"({"left": 97, "count": 5})"), "merge 0 has no \"right\"");
    check_refused(merges(R"({"left": 97, "right": 256, "count": 5})"), "merge 0 has the \"right\" \"256\"");
    check_refused(merges(good + R"(, {"left": -1, "right": 256, "count": 5})"), "merge 1 has the \"left\" \"-1\"");
    check_refused(merges(R"({"left": 97, "right": 1e2, "count": 5})"), "merge 0 has the \"right\"");
    check_refused(merges(R"({"left": 97, "right": 98, "count": -5})"), "merge 0 has the \"count\"");
    check_refused(merges(R"({"left": 97, "right": 98, "count": 18446744073709551615})"), "has the \"count\"");
    check_refused(merges(good + ", " + good), "merge 1 makes \"ab\", which is already a token");
    std::string doubling = R"({"left": 97, "right": 97, "count": 1})";
    for (int token = 256; token < 300; ++token) {
        const std::string id = std::to_string(token);
        doubling += ", {\"left\": " + id + ", \"right\": " + id + ", \"count\": 1}";
    }
    check_refused(merges(doubling), "merge 10 makes a token of 2048 bytes");
    CHECK(contains(error_of([] { BytePairTokenizer({{97, 98, 300, 1}}); }), "token 256"));
    CHECK(contains(error_of([] { BytePairTokenizer({{97, 256, 256, 1}}); }), "merge 0 joins"));
    CHECK(contains(error_of([] { BytePairTokenizer({{97, 98, 256, -1}}); }), "negative"));
}
