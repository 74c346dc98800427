// Published tokenizers: each stage of tokenizer.json against its definition, and malformed files.
#include "core/text/hf_tokenizer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

HfTokenizer load(const json& spec) {
    const TemporaryFolder folder;
    write(folder / "tokenizer.json", spec.dump());
    return HfTokenizer::load(folder.path());
}

std::string error_of_spec(const json& spec) {
    return error_of([&] { load(spec); });
}

std::vector<std::string> pieces(const HfTokenizer& t, std::string_view text) {
    std::vector<std::string> out;
    for (const TokenOfText& token : t.encode(text)) out.push_back(t.piece(token.id));
    return out;
}

/// Returns the piece of the typed text that each token stands for.
std::vector<std::string> sources(const HfTokenizer& t, std::string_view text) {
    std::vector<std::string> out;
    for (const TokenOfText& token : t.encode(text))
        out.emplace_back(text.substr(token.source.begin, token.source.end - token.source.begin));
    return out;
}

using Words = std::vector<std::string>;

json word_level(const Words& words) {
    json vocabulary = {{"[UNK]", 0}};
    for (const std::string& word : words) vocabulary[word] = vocabulary.size();
    return {{"model", {{"type", "WordLevel"}, {"unk_token", "[UNK]"}, {"vocab", vocabulary}}}};
}

json byte_fallback_spec() {
    json vocabulary{{"<unk>", 0}, {"<s>", 1}};
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
        vocabulary[name] = vocabulary.size();
    }
    for (const char* piece : {"▁", "H", "i", "Hi", "▁Hi"}) vocabulary[piece] = vocabulary.size();
    return {{"added_tokens", {{{"id", 1}, {"content", "<s>"}, {"special", true}}}},
            {"normalizer",
             {{"type", "Sequence"},
              {"normalizers",
               {{{"type", "Prepend"}, {"prepend", "▁"}},
                {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}}}}},
            {"post_processor",
             {{"type", "TemplateProcessing"},
              {"single",
               {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}}, {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
              {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}}},
            {"decoder",
             {{"type", "Sequence"},
              {"decoders",
               {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                {{"type", "ByteFallback"}},
                {{"type", "Fuse"}},
                {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
            {"model",
             {{"type", "BPE"},
              {"unk_token", "<unk>"},
              {"fuse_unk", true},
              {"byte_fallback", true},
              {"vocab", vocabulary},
              {"merges", {"H i", json{"▁", "Hi"}}}}}};
}

}  // namespace

TEST_CASE("published tokenizer: pairs fall back to bytes for unknown characters, like Llama 2's") {
    const HfTokenizer t = load(byte_fallback_spec());
    CHECK(pieces(t, "Hi Hi") == Words{"<s>", "▁Hi", "▁Hi"});
    CHECK(sources(t, "Hi Hi") == Words{"", "Hi", " Hi"});
    CHECK(pieces(t, "Hi你") == Words{"<s>", "▁Hi", "<0xE4>", "<0xBD>", "<0xA0>"});
    CHECK(sources(t, "Hi你") == Words{"", "Hi", "你", "你", "你"});
    CHECK(pieces(t, "Hi⟨E4⟩⟨BD⟩ Hi") == Words{"<s>", "▁Hi", "<0xE4>", "<0xBD>", "▁Hi"});
    CHECK(sources(t, "Hi⟨E4⟩ Hi") == Words{"", "Hi", "⟨E4⟩", " Hi"});
    CHECK(t.decode(t.ids("Hi你 Hi")) == "<s> Hi你 Hi");  // the blank before "Hi" is not the first of the text
    CHECK_THROWS_AS(t.ids(""), Error);
    CHECK_THROWS_AS(t.encode("\xff"), Error);
    CHECK_THROWS_AS(t.piece(t.size()), Error);
    const TemporaryFolder folder;
    t.save_in(folder.path());
    CHECK(HfTokenizer::load(folder.path()).ids("Hi你") == t.ids("Hi你"));
    CHECK(load_tokenizer(folder.path())->kind() == "tokenizer_json");
}

TEST_CASE("published tokenizer: decoding drops the first space only if the tokenizer added it") {
    const auto decoded = [](const json& decoder) {
        const HfTokenizer t =
            load({{"decoder", decoder},
                  {"model", {{"type", "BPE"}, {"vocab", {{"▁a", 0}, {"b", 1}}}, {"merges", json::array()}}}});
        return t.decode(std::vector<int>{0, 1, 0});
    };
    const json metaspace{{"type", "Metaspace"}, {"replacement", "▁"}};
    const auto with = [&](const char* name, const json& value) {
        json spec = metaspace;
        spec[name] = value;
        return spec;
    };
    CHECK(decoded(metaspace) == "ab a");
    CHECK(decoded(with("prepend_scheme", "always")) == "ab a");
    CHECK(decoded(with("prepend_scheme", "first")) == "ab a");
    CHECK(decoded(with("prepend_scheme", "never")) == " ab a");
    CHECK(decoded(with("add_prefix_space", true)) == "ab a");
    CHECK(decoded(with("add_prefix_space", false)) == " ab a");
}

TEST_CASE("published tokenizer: whole pieces come before merges if ignore_merges is set") {
    json spec{{"model",
               {{"type", "BPE"},
                {"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"abc", 4}}},
                {"merges", {"a b"}},
                {"ignore_merges", true}}}};
    CHECK(pieces(load(spec), "abc") == Words{"abc"});
    spec["model"]["ignore_merges"] = false;
    CHECK(pieces(load(spec), "abc") == Words{"ab", "c"});
}

TEST_CASE("published tokenizer: WordPiece with BERT's stages") {
    const TemporaryFolder folder;
    write(folder / "vocab.txt",
          "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nun\r\n##aff\r\n##able\r\ncafe\r\n,\r\n你\r\n");
    const HfTokenizer t = HfTokenizer::load(folder.path());
    CHECK(pieces(t, "UNaffable, Café你") == Words{"[CLS]", "un", "##aff", "##able", ",", "cafe", "你", "[SEP]"});
    CHECK(sources(t, "UNaffable, Café你") == Words{"", "UN", "aff", "able", ",", "Café", "你", ""});
    CHECK(pieces(t, "unaffably [MASK]") == Words{"[CLS]", "[UNK]", "[MASK]", "[SEP]"});
    CHECK(pieces(t, "Cafe\u0301") == Words{"[CLS]", "cafe", "[SEP]"});
    CHECK(load_tokenizer(folder.path())->kind() == "tokenizer_json");
    CHECK(t.token_text(6) == "##aff");
    CHECK(t.decode(t.ids("UNaffable, Café你")) == "[CLS] unaffable, cafe 你 [SEP]");
}

TEST_CASE("published tokenizer: WordPiece decodes without spaces before punctuation") {
    const TemporaryFolder folder;
    write(folder / "vocab.txt", "[UNK]\n[CLS]\n[SEP]\ni\nit\n'\ns\ndo\nnot\n!\n");
    const HfTokenizer t = HfTokenizer::load(folder.path());
    CHECK(t.decode(t.ids("It's!")) == "[CLS] it's! [SEP]");
    CHECK(t.decode(t.ids("I do not!")) == "[CLS] i do not! [SEP]");
}

TEST_CASE("published tokenizer: Unigram takes the path with the highest sum of scores") {
    const json spec{
        {"model",
         {{"type", "Unigram"},
          {"unk_id", 0},
          {"vocab", json::array({json::array({"<unk>", 0.0}), json::array({"a", 0.0}), json::array({"b", 0.0}),
                                 json::array({"c", 0.0}), json::array({"d", 0.0}), json::array({"cd", 1.0}),
                                 json::array({"ab", 2.0}), json::array({"abc", 5.0}), json::array({"abcd", 10.0})})}}}};
    const HfTokenizer t = load(spec);
    CHECK(sources(t, "abcdacdxx") == Words{"abcd", "a", "cd", "xx"});
    CHECK(t.ids("abcdacdxx") == std::vector<int>{8, 1, 5, 0});
}

TEST_CASE("published tokenizer: pre-tokenizers split text as they are defined") {
    const auto cut = [](const json& stage, std::string_view text) {
        json spec = word_level({});
        spec["pre_tokenizer"] = stage;
        return sources(load(spec), text);
    };
    const auto split = [](const char* behavior, bool invert = false) {
        return json{{"type", "Split"}, {"pattern", {{"String", "-"}}}, {"behavior", behavior}, {"invert", invert}};
    };
    CHECK(cut(split("Removed"), "the-final--countdown") == Words{"the", "final", "countdown"});
    CHECK(cut(split("Isolated"), "the-final--countdown") == Words{"the", "-", "final", "-", "-", "countdown"});
    CHECK(cut(split("MergedWithPrevious"), "the-final--countdown") == Words{"the-", "final-", "-", "countdown"});
    CHECK(cut(split("MergedWithNext"), "the-final--countdown") == Words{"the", "-final", "-", "-countdown"});
    CHECK(cut(split("Contiguous"), "the-final--countdown") == Words{"the", "-", "final", "--", "countdown"});
    CHECK(cut(split("Removed", true), "a-b") == Words{"-"});
    CHECK(cut({{"type", "Whitespace"}}, "Hey friend!! नमस्ते") == Words{"Hey", "friend", "!!", "नमस्ते"});
    // Joiners are word characters, as are letters in circles.
    CHECK(cut({{"type", "Whitespace"}}, "می\u200Cخواهم ⓐb 👨\u200D👩") ==
          Words{"می\u200Cخواهم", "ⓐb", "👨", "\u200D", "👩"});
    CHECK(cut({{"type", "WhitespaceSplit"}}, " Hey\u3000you! ") == Words{"Hey", "you!"});
    CHECK(cut({{"type", "BertPreTokenizer"}}, "Hey, you。") == Words{"Hey", ",", "you", "。"});
    CHECK(cut({{"type", "Digits"}, {"individual_digits", true}}, "a123b") == Words{"a", "1", "2", "3", "b"});
    CHECK(cut({{"type", "Digits"}, {"individual_digits", false}}, "a123b") == Words{"a", "123", "b"});
    CHECK(cut({{"type", "Punctuation"}}, "Hi!!") == Words{"Hi", "!", "!"});
    CHECK(cut({{"type", "CharDelimiterSplit"}, {"delimiter", "|"}}, "a|b||") == Words{"a", "b"});
    CHECK(cut({{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}}, "Hey   friend!") ==
          Words{"Hey", " ", " ", " friend!"});
    CHECK(cut({{"type", "ByteLevel"}, {"add_prefix_space", false}}, "Hello there       dear") ==
          Words{"Hello", " there", "      ", " dear"});
    const std::string llama3 =
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    CHECK(cut({{"type", "Split"}, {"pattern", {{"Regex", llama3}}}, {"behavior", "Isolated"}}, "I'M 12345, ok\n\n x") ==
          Words{"I", "'M", " ", "123", "45", ",", " ok", "\n\n", " x"});
}

TEST_CASE("published tokenizer: normalizers change the text, and each token still knows its source") {
    const auto check = [](const json& stage, const std::string& text, const std::string& becomes, const Words& of) {
        json spec = word_level({becomes});
        spec["normalizer"] = stage;
        const HfTokenizer t = load(spec);
        CAPTURE(stage.dump());
        CHECK(pieces(t, text) == Words{becomes});
        CHECK(sources(t, text) == of);
    };
    check({{"type", "NFC"}}, "e\u0301", "é", {"e\u0301"});
    check({{"type", "NFD"}}, "é", "e\u0301", {"é"});
    check({{"type", "NFKC"}}, "ﬁ①", "fi1", {"ﬁ①"});
    check({{"type", "Lowercase"}}, "ÀΣЖ", "àσж", {"ÀΣЖ"});
    check({{"type", "Strip"}}, "  a ", "a", {"a"});
    check({{"type", "Sequence"}, {"normalizers", {{{"type", "NFD"}}, {{"type", "StripAccents"}}}}}, "Ünï", "Uni",
          {"Ünï"});
    check({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "_"}}, "a   b", "a_b", {"a   b"});
    // Hangul letters compose although none of them is a combining mark.
    check({{"type", "NFC"}}, "\u1112\u1161\u11ab", "한", {"\u1112\u1161\u11ab"});
}

TEST_CASE("published tokenizer: added tokens match their text, and take the spaces that they strip") {
    json spec = word_level({"a", "b"});
    spec["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
    spec["normalizer"] = {{"type", "Lowercase"}};
    spec["added_tokens"] = {{{"id", 10}, {"content", "<mask>"}, {"special", true}, {"lstrip", true}},
                            {{"id", 11}, {"content", "Yes"}, {"single_word", true}, {"normalized", true}},
                            {{"id", 12}, {"content", "<m"}, {"special", true}}};
    const HfTokenizer t = load(spec);
    CHECK(t.ids("a <mask>b") == std::vector<int>{1, 10, 2});
    CHECK(sources(t, "a <mask>b") == Words{"a", " <mask>", "b"});
    CHECK(t.ids("YES a") == std::vector<int>{11, 1});
    CHECK(t.ids("yesa") == std::vector<int>{0});
    CHECK(t.ids("<m a") == std::vector<int>{12, 1});
}

TEST_CASE("published tokenizer: a word may have the id 0") {
    json spec = word_level({});
    spec["model"]["vocab"] = {{"the", 0}, {"[UNK]", 1}};
    spec["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
    CHECK(load(spec).ids("the bat the") == std::vector<int>{0, 1, 0});
}

TEST_CASE("published tokenizer: RoBERTa's files load with CRLF, and give its special tokens and offsets") {
    const TemporaryFolder folder;
    json vocabulary{{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}, {"<mask>", 4}};
    for (const char* piece : {"H", "i", "Ġ", "Hi", "ĠHi"}) vocabulary[piece] = vocabulary.size();
    write(folder / "vocab.json", vocabulary.dump());
    write(folder / "merges.txt", "#version: 0.2\r\nH i\r\nĠ Hi\r\n");
    const HfTokenizer t = HfTokenizer::load(folder.path());
    CHECK(pieces(t, "Hi Hi") == Words{"<s>", "Hi", "ĠHi", "</s>"});
    CHECK(sources(t, "Hi Hi") == Words{"", "Hi", "Hi", ""});
    CHECK(t.decode(t.ids("Hi Hi")) == "<s>Hi Hi</s>");
    CHECK(load_tokenizer(folder.path())->kind() == "tokenizer_json");
}

TEST_CASE("published tokenizer: Qwen 2's vocab.json and merges.txt split text as tokenizer_config.json says") {
    const TemporaryFolder folder;
    json vocabulary = json::object();
    for (const char* piece : {"Ã", "©", "e", "Ì", "ģ", "!", "Ċ", "1", "2", "Ã©", "!Ċ", "!ĊĊ", "12"})
        vocabulary[piece] = vocabulary.size();
    write(folder / "vocab.json", vocabulary.dump());
    write(folder / "merges.txt", "#version: 0.2\nÃ ©\n! Ċ\n!Ċ Ċ\n1 2\n");
    write(folder / "tokenizer_config.json",
          R"({"tokenizer_class": "Qwen2Tokenizer",
              "added_tokens_decoder": {"20": {"content": "<|end|>", "special": true}}})");
    const HfTokenizer t = HfTokenizer::load(folder.path());
    CHECK(pieces(t, "e\u0301!\n\n12<|end|>") == Words{"Ã©", "!ĊĊ", "1", "2", "<|end|>"});
    CHECK(t.ids("<|end|>") == std::vector<int>{20});
    CHECK(load_tokenizer(folder.path())->kind() == "tokenizer_json");
    write(folder / "tokenizer_config.json", R"({"added_tokens_decoder": {"two": {"content": "x"}}})");
    CHECK_THROWS_WITH_AS(HfTokenizer::load(folder.path()), doctest::Contains("\"two\""), Error);
}

TEST_CASE("published tokenizer: a file's fault is named, and nothing hangs") {
    const auto names = [](const json& spec, const std::string& part) {
        const std::string message = error_of_spec(spec);
        CAPTURE(message);
        CHECK(contains(message, "tokenizer.json"));
        CHECK(contains(message, part));
    };
    const json good = word_level({"a"});
    const auto with = [&](const char* stage, const json& value) {
        json spec = good;
        spec[stage] = value;
        return spec;
    };
    names(json::object(), "model");
    names(with("model", {{"type", "Guess"}}), "Guess");
    names(with("normalizer", {{"type", "Shout"}}), "Shout");
    names(with("pre_tokenizer", {{"type", "Chop"}}), "Chop");
    names(with("post_processor", {{"type", "Stamp"}}), "Stamp");
    names(with("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}}),
          "broken");
    names(with("added_tokens", json::array({{{"content", "x"}}})), "\"id\"");
    names(with("added_tokens", json::array({{{"content", "x"}, {"id", 1 << 29}}})), "an impossible id");
    names({{"model", {{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", {"a b"}}}}}, "not a token");
    names({{"model", {{"type", "BPE"}, {"vocab", {{"a", -1}}}, {"merges", json::array()}}}}, "-1");
    names({{"model", {{"type", "Unigram"}, {"vocab", {{"a", 1}}}}}}, "list");
    // A regular expression that would run for ever is aborted.
    const HfTokenizer slow =
        load(with("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "(a+)+$"}}}, {"behavior", "Isolated"}}));
    CHECK_THROWS_AS(slow.ids(std::string(40, 'a') + "b"), Error);
    // Each stage makes the text a hundred times longer.
    json growing = json::array();
    for (int i = 0; i < 12; ++i)
        growing.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(100, 'a')}});
    const HfTokenizer endless = load(with("normalizer", {{"type", "Sequence"}, {"normalizers", growing}}));
    CHECK_THROWS_AS(endless.ids("a"), Error);
    // It is aborted long before memory runs out, for a longer text too; a text that grows only a little is read.
    const auto longer = [&](std::size_t times) {
        return load(with("normalizer",
                         {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(times, 'a')}}));
    };
    CHECK_THROWS_AS(longer(100).ids(std::string(5000, 'a')), Error);
    CHECK_NOTHROW(longer(20).ids(std::string(5000, 'a')));
}

TEST_CASE("published tokenizer: pairs without a pre-tokenizer are not taken for GPT-2's") {
    const TemporaryFolder folder;
    const json spec = {{"model", {{"type", "BPE"}, {"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}}, {"merges", {"a b"}}}}};
    write(folder / "tokenizer.json", spec.dump());
    CHECK(load_tokenizer(folder.path())->ids("abb") == std::vector<int>{2, 1});
}

TEST_CASE("tokenizers: BERT's normalizer drops control characters but for tabs and line breaks, which separate words") {
    json spec = word_level({"a", "b", "ab"});
    spec["normalizer"] = {{"type", "BertNormalizer"}};
    spec["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    const HfTokenizer t = load(spec);
    for (const char* gone : {"\x0b", "\x0c", "\x1c", "\u0085", "\u200b"})
        CHECK(pieces(t, std::string("a") + gone + "b") == Words{"ab"});
    for (const char* blank : {"\t", "\n", "\r", "\u00a0", "\u2003", " "})
        CHECK(pieces(t, std::string("a") + blank + "b") == Words{"a", "b"});
}

TEST_CASE("published tokenizer: of equal lines in vocab.txt the last one counts") {
    const TemporaryFolder folder;
    write(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nbat\ncave\nbat\n");
    const HfTokenizer tokenizer = HfTokenizer::load(folder.path());
    CHECK(tokenizer.ids("bat cave [MASK]") == std::vector<int>{2, 7, 6, 4, 3});
    CHECK(tokenizer.size() == 8);
}
