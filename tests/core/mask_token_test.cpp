// The token for a hidden word, as the tokenizer's own files name it, and hiding words of a text with it.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/sense_vectors.h"
#include "core/base/error.h"
#include "core/text/special_tokens.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_stages.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

constexpr const char* bert_words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhe\nsw\n##ung\nthe\nbat\nfoul\n.\n";

/// Byte-level pairs with a mask that takes the blank before it, as RoBERTa's does.
json pairs(const std::string& mask) {
    json vocabulary{{"<s>", 0}, {"</s>", 1}, {mask, 2}};
    for (const char* letter : {"a", "b", "c", "Ġ", "Ġa", "Ġb", "Ã", "©"}) vocabulary[letter] = vocabulary.size();
    return {{"added_tokens",
             {{{"id", 0}, {"content", "<s>"}, {"special", true}},
              {{"id", 2}, {"content", mask}, {"special", true}, {"lstrip", true}, {"normalized", false}}}},
            {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
            {"decoder", {{"type", "ByteLevel"}}},
            {"post_processor",
             {{"type", "RobertaProcessing"}, {"sep", {"</s>", 1}}, {"cls", {"<s>", 0}}, {"trim_offsets", true}}},
            {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"Ġ a", "Ġ b"}}}}};
}

HfTokenizer load(const TemporaryFolder& folder, const json& spec) {
    write(folder / "tokenizer.json", spec.dump());
    return HfTokenizer::load(folder.path());
}

/// Returns the text with the token at `position` hidden, and what was hidden; "-" where nothing can be hidden.
std::string hidden(const HfTokenizer& t, const std::string& text, int position) {
    const auto replaced = replace_token(t, text, position, "▢");
    return replaced ? replaced->text + "|" + replaced->was : "-";
}

}  // namespace

TEST_CASE("mask token: the tokenizer's own files name it") {
    const TemporaryFolder words, plain, told, objected, none;
    write(words / "vocab.txt", bert_words);
    CHECK(mask_id(*load_tokenizer(words.path())) == 4);
    CHECK(mask_id(WordTokenizer({"bat"})) == WordTokenizer::mask);
    CHECK(mask_id(load(plain, pairs("<mask>"))) == 2);
    CHECK_FALSE(mask_id(load(none, pairs("<hole>"))));
    write(told / "tokenizer_config.json", R"({"mask_token": "<hole>"})");
    CHECK(mask_id(load(told, pairs("<hole>"))) == 2);
    write(objected / "special_tokens_map.json", R"({"mask_token": {"content": "<hole>", "lstrip": true}})");
    const HfTokenizer own = load(objected, pairs("<hole>"));
    CHECK(mask_id(own) == 2);
    const TemporaryFolder saved;
    own.save_in(saved.path());
    CHECK(mask_id(*load_tokenizer(saved.path())) == 2);
}

TEST_CASE("mask token: ▢ in a text is encoded as the tokenizer's own mask") {
    const TemporaryFolder folder, none;
    write(folder / "vocab.txt", bert_words);
    const HfTokenizer t = HfTokenizer::load(folder.path());
    CHECK(with_own_masks(t, "he ▢ the ▢.") == "he [MASK] the [MASK].");
    CHECK(t.ids(with_own_masks(t, "He ▢ the bat")) == std::vector{2, 5, 4, 8, 9, 3});
    CHECK(with_own_masks(load(none, pairs("<hole>")), "a ▢") == "a ▢");
    // Byte ranges refer to the text as given, where ▢ has three bytes.
    CHECK(ids_with_masks(t, "He ▢ the bat") == std::vector{2, 5, 4, 8, 9, 3});
    const std::vector<TokenOfText> tokens = encode_with_masks(t, "he ▢ the ▢.");
    std::vector<ByteRange> bytes;
    for (const TokenOfText& token : tokens) bytes.push_back(token.source);
    CHECK(bytes == std::vector<ByteRange>{{0, 0}, {0, 2}, {3, 6}, {7, 10}, {11, 14}, {14, 15}, {0, 0}});
}

TEST_CASE("mask token: a token is hidden in place, also within a word") {
    const TemporaryFolder folder, paired;
    write(folder / "vocab.txt", bert_words);
    const HfTokenizer t = HfTokenizer::load(folder.path());
    const std::string text = "He swung the bat.";
    CHECK(hidden(t, text, 1) == "▢ swung the bat.|He");
    CHECK(hidden(t, text, 2) == "He ▢ the bat.|swung");  // the whole word: without "sw", "ung" would be another token
    CHECK(hidden(t, text, 3) == "He sw▢ the bat.|ung");
    CHECK(hidden(t, text, 6) == "He swung the bat▢|.");
    for (const int nowhere : {-1, 0, 7, 8}) CHECK(hidden(t, text, nowhere) == "-");  // [CLS] and [SEP] have no text
    for (const int position : {1, 3, 4, 5, 6}) {
        const auto replaced = replace_token(t, text, position, "[MASK]");
        REQUIRE(replaced);
        std::vector<int> expected = t.ids(text);
        expected[position] = *t.mask_id();
        CHECK(t.ids(replaced->text) == expected);
        CHECK(replace_token(t, replaced->text, position, replaced->was)->text == text);  // and back
    }
    const HfTokenizer pair = load(paired, pairs("<mask>"));
    CHECK(hidden(pair, "a b c", 2) == "a ▢ c|b");  // the blank before it stays
    CHECK(pair.ids(replace_token(pair, "a b a", 2, "<mask>")->text) == std::vector{0, 3, 2, 7, 1});
    CHECK(hidden(pair, "a b c", 3) == "-");  // a blank alone
    CHECK(hidden(pair, "aé", 2) == "a▢|é");  // half of a character hides all of it
    CHECK_THROWS_AS(replace_token(pair, "\xff", 0, "x"), Error);
}

TEST_CASE("only token: the tokens that a tokenizer adds to every text do not count, nor does an unknown one") {
    const TemporaryFolder words, letters;
    write(words / "vocab.txt", bert_words);
    const std::shared_ptr<const Tokenizer> bert = load_tokenizer(words.path());
    CHECK(only_token(*bert, "bat") == 9);
    CHECK(only_token(*bert, "Bat") == 9);
    CHECK(only_token(*bert, "▢") == 4);
    CHECK(only_token(*bert, "[UNK]") == 1);
    for (const char* none : {"swung", "he bat", "zebra", " ", "", "\xff"}) {
        CAPTURE(none);
        CHECK_FALSE(only_token(*bert, none));
    }
    const HfTokenizer roberta = load(letters, pairs("<mask>"));
    CHECK(only_token(roberta, "b") == 4);
    CHECK(only_token(roberta, "<mask>") == 2);  // the number of our own tokenizers' unknown token
    const WordTokenizer own({"bat", "<eos>"});
    CHECK(only_token(own, "Bat") == 3);
    CHECK(only_token(own, "<eos>") == 4);
    CHECK_FALSE(only_token(own, "zebra"));
    CHECK_FALSE(only_token(own, " "));
}

TEST_CASE("mask token: what looks into a text reads ▢ as the model does") {
    const TemporaryFolder words, letters;
    write(words / "vocab.txt", bert_words);
    const std::shared_ptr<const Tokenizer> bert = load_tokenizer(words.path());
    const TokenizerStages stages = *tokenizer_stages(*bert, "he ▢");
    CHECK(stages.ids == std::vector<int>{2, 5, 4, 3});
    CHECK(stages.ids == ids_with_masks(*bert, "he ▢"));
    CHECK(stages.normalized == "he [MASK]");
    const HfTokenizer roberta = load(letters, pairs("<mask>"));
    const std::string text = "a ▢ b";  // <s> a <mask> Ġb </s>
    const auto word = tokens_of_word(roberta, text, *find_word(text, "b"));
    REQUIRE(word);
    CHECK(word->first == 3);
    CHECK(word->count == 1);
}
