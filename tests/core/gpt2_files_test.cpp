#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "core/text/gpt2_tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

const SmallGpt2 small({{"l", "o"}, {"lo", "w"}, {"Ġ", "low"}, {"#", "#"}});
const std::string sample = "low ## slow<|endoftext|> 你\r\n";

void check_refused(const TemporaryFolder& folder, const std::string& file, const std::string& reason) {
    const std::string message = error_of([&] { Gpt2Tokenizer::load(folder.path()); });
    INFO("message: " << message);
    CHECK(message.starts_with((folder / file).string() + ": "));
    CHECK(message.find(reason) != std::string::npos);
}

/// Checks that the small vocabulary, changed so, is refused as vocab.json.
void check_vocabulary_refused(const std::function<void(json&)>& change, const std::string& reason) {
    const TemporaryFolder folder;
    SmallGpt2 changed = small;
    change(changed.vocabulary);
    changed.write_two_files(folder.path());
    check_refused(folder, "vocab.json", reason);
}

void check_merges_refused(const std::string& lines, const std::string& reason) {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", lines);
    check_refused(folder, "merges.txt", reason);
}

void check_fast_refused(const std::function<void(json&)>& change, const std::string& reason) {
    const TemporaryFolder folder;
    json root = small.fast_tokenizer(false);
    change(root);
    write_text_file(folder / "tokenizer.json", root.dump());
    check_refused(folder, "tokenizer.json", reason);
}

}  // namespace

TEST_CASE("the same vocabulary in each form of files gives the same ids") {
    const TemporaryFolder two, unheaded, texts, pairs, saved;
    small.write_two_files(two.path());
    small.write_two_files(unheaded.path(), "");
    write_text_file(texts / "tokenizer.json", small.fast_tokenizer(false).dump());
    write_text_file(pairs / "tokenizer.json", small.fast_tokenizer(true).dump());
    const Gpt2Tokenizer tokenizer = Gpt2Tokenizer::load(two.path());
    const std::vector<int> expected = tokenizer.ids(sample);
    CHECK(tokenizer.decode(expected) == sample);
    CHECK(expected[2] == 259);  // "##": a line that begins with # is a merge
    tokenizer.save_in(saved.path());
    for (const auto* folder : {&unheaded, &texts, &pairs, &saved}) {
        const Gpt2Tokenizer other = Gpt2Tokenizer::load(folder->path());
        CHECK(other.size() == tokenizer.size());
        CHECK(other.ids(sample) == expected);
        CHECK(other.end_of_text_id() == tokenizer.end_of_text_id());
    }
    CHECK_FALSE(std::filesystem::exists(saved / "added_tokens.json"));
}

TEST_CASE("merges.txt may have Windows line ends, and no line end at its end") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", "#version: 0.2\r\nl o\r\nlo w");
    CHECK(Gpt2Tokenizer::load(folder.path()).ids("low").size() == 1);
}

TEST_CASE("added tokens stand for themselves, the longest first, and are saved") {
    const TemporaryFolder folder, saved;
    json root = small.fast_tokenizer(true);
    const int first = static_cast<int>(small.vocabulary.size());
    root["added_tokens"].push_back({{"id", first}, {"content", "<人>"}});
    root["added_tokens"].push_back({{"id", first + 1}, {"content", "<人><人>"}});
    write_text_file(folder / "tokenizer.json", root.dump());
    const Gpt2Tokenizer tokenizer = Gpt2Tokenizer::load(folder.path());
    CHECK(tokenizer.token_text(first) == "<人>");
    CHECK(tokenizer.ids("<人><人><人>") == std::vector<int>{first + 1, first});
    tokenizer.save_in(saved.path());
    CHECK(Gpt2Tokenizer::load(saved.path()).ids("<人>low<|endoftext|>") == tokenizer.ids("<人>low<|endoftext|>"));
    // Saving a tokenizer without any into the same folder must not leave them there.
    small.write_two_files(folder.path());
    std::filesystem::remove(folder / "tokenizer.json");
    Gpt2Tokenizer::load(folder.path()).save_in(saved.path());
    CHECK(Gpt2Tokenizer::load(saved.path()).size() == first);
}

TEST_CASE("early tokenizer.json files that name no type are read, and the end of text may be missing") {
    const TemporaryFolder folder;
    json root = small.fast_tokenizer(false);
    root["model"].erase("type");
    root["model"]["vocab"].erase("<|endoftext|>");
    root.erase("added_tokens");
    write_text_file(folder / "tokenizer.json", root.dump());
    const Gpt2Tokenizer tokenizer = Gpt2Tokenizer::load(folder.path());
    CHECK_FALSE(tokenizer.end_of_text_id().has_value());
    CHECK(tokenizer.ids("<|endoftext|>").size() > 5);
}

TEST_CASE("vocabularies with wrong ids or tokens are refused") {
    check_vocabulary_refused([](json& v) { v["lo"] = 3; }, "has the id 3, which ");
    check_vocabulary_refused([](json& v) { v["<|endoftext|>"] = 300; }, "no token has the id 260");
    check_vocabulary_refused([](json& v) { v.erase("lo"); }, "no token has the id 256, but one has 260");
    check_vocabulary_refused([](json& v) { v["lo"] = -1; }, "the id of the token \"lo\" is -1");
    check_vocabulary_refused([](json& v) { v["lo"] = 262144; }, "the id of the token \"lo\" is 262144");
    check_vocabulary_refused([](json& v) { v["lo"] = 18446744073709551615u; }, "is 18446744073709551615; ids from 0");
    check_vocabulary_refused([](json& v) { v["lo"] = 1.5; }, "is not a whole number: \"1.5\"");
    check_vocabulary_refused([](json& v) { v["lo"] = "256"; }, "is not a whole number");
    check_vocabulary_refused([](json& v) { v[""] = 261; }, "a token is empty");
    check_vocabulary_refused([](json& v) { v["你"] = 261; }, "\"你\" has a character that stands for no byte");
    check_vocabulary_refused([](json& v) { v["a b"] = 261; }, "\"a b\" has a character that stands for no byte");
    check_vocabulary_refused([](json& v) { v = {{"a", 0}}; }, "has no token for the byte 0 (\"Ā\"");
    check_vocabulary_refused([](json& v) { v = json::array({"a"}); }, "is not an object from tokens to ids");
    check_vocabulary_refused(
        [](json& v) {
            for (int i = 0; i < 262144; ++i) v["t" + std::to_string(i)] = 0;
        },
        "tokens; at most 262144 are possible");
}

TEST_CASE("vocabulary files that are no JSON, too large or missing are refused") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    const auto check = [&](const std::string& content, const std::string& reason) {
        write_text_file(folder / "vocab.json", content);
        check_refused(folder, "vocab.json", reason);
    };
    check("no JSON", "is not valid JSON (at byte ");
    check("{\"a\": 0", "is not valid JSON");
    check(R"({"a": 0, "a": 1})", "the key \"a\" appears twice");
    check(R"({"a": 1e400})", "out of range");
    check(std::string(1000, '['), "nested more than 32 levels deep");
    write_text_file(folder / "vocab.json", "");
    std::filesystem::resize_file(folder / "vocab.json", (64u << 20) + 1);  // zeros that take no place on the disk
    check_refused(folder, "vocab.json", "is larger than 67108864 bytes");
    std::filesystem::remove(folder / "vocab.json");
    check_refused(folder, "vocab.json", "there is no such file");
    small.write_two_files(folder.path());
    std::filesystem::remove(folder / "merges.txt");
    check_refused(folder, "merges.txt", "there is no such file");
}

TEST_CASE("merges that are malformed or name unknown tokens are refused with their line") {
    check_merges_refused("#version: 0.2\nl o\nl x\n", "line 3 makes \"lx\", which is no token");
    check_merges_refused("l o\nlow qqq\n", "line 2 joins \"qqq\", which is no token");
    check_merges_refused("你 o\n", "line 1 joins \"你\", which is no token");
    check_merges_refused("< |endoftext|>\n", "line 1 joins \"|endoftext|>\", which is no token");
    check_merges_refused("l o\nlo w\nl o\n", "line 3 joins \"l\" and \"o\", as line 1 does already");
    check_merges_refused("lo\n", "line 1 is \"lo\"; two tokens");
    check_merges_refused("l o w\n", "line 1 is \"l o w\"; two tokens");
    check_merges_refused("l  o\n", "line 1 is \"l  o\"; two tokens");
    check_merges_refused(" lo\n", "line 1 is \" lo\"; two tokens");
    check_merges_refused("l o\n\nlo w\n", "line 2 is \"\"; two tokens");
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", "l o\nl \xE9\n");
    CHECK(error_of([&] { Gpt2Tokenizer::load(folder.path()); }).starts_with((folder / "merges.txt").string() + ":2: "));
}

TEST_CASE("added_tokens.json with wrong content is refused") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    const auto check = [&](const std::string& content, const std::string& reason) {
        write_text_file(folder / "added_tokens.json", content);
        check_refused(folder, "added_tokens.json", reason);
    };
    check("[]", "is not an object");
    check(R"({"<a>": -3})", "is -3; ids from 0");
    check(R"({"": 261})", "a token is empty");
    check("{\"" + std::string(257, 'a') + "\": 261}", "is longer than 256 bytes");
    check(R"({"<a>": 261, "<b>": 261})", "has the id 261, which \"<a>\" has already");
}

TEST_CASE("tokenizer.json with wrong tokens or merges is refused") {
    check_fast_refused([](json& t) { t = json::array(); }, "has no \"model\"");
    check_fast_refused([](json& t) { t["model"].erase("vocab"); }, "has no \"vocab\"");
    check_fast_refused([](json& t) { t["model"].erase("merges"); }, "has no \"merges\"");
    check_fast_refused([](json& t) { t["model"]["merges"] = "l o"; }, "\"merges\" are not a list");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back(7); }, "merge 4 is \"7\"");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l"}); }, "merge 4 is");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l", 3}); }, "merge 4 is");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l", "zz"}); }, "merge 4 joins \"zz\"");
    check_fast_refused([](json& t) { t["model"]["vocab"]["lo"] = 3; }, "has the id 3, which ");
    check_fast_refused([](json& t) { t["added_tokens"] = 3; }, "\"added_tokens\" is not a list");
    check_fast_refused([](json& t) { t["added_tokens"][0].erase("content"); }, "no \"content\"");
    check_fast_refused([](json& t) { t["added_tokens"][0].erase("id"); }, "is not a whole number");
    check_fast_refused([](json& t) { t["added_tokens"][0]["id"] = 7; }, "in the vocabulary, but 7 as an added token");
    check_fast_refused([](json& t) { t["added_tokens"].push_back(t["added_tokens"][0]); }, "has already");
    check_fast_refused(
        [](json& t) {
            t["added_tokens"].push_back({{"id", 900}, {"content", "<|endoftext|>"}});
        },
        "appears twice");
    check_fast_refused(
        [](json& t) {
            for (int i = 0; i < 1100; ++i)
                t["added_tokens"].push_back({{"id", 261 + i}, {"content", std::to_string(i)}});
        },
        "more than 1024 special tokens");
}

TEST_CASE("a tokenizer.json that cuts text otherwise than GPT-2 is refused") {
    check_fast_refused([](json& t) { t["model"]["type"] = "WordPiece"; }, "only \"BPE\"");
    check_fast_refused([](json& t) { t["model"]["byte_fallback"] = true; }, "\"byte_fallback\"");
    check_fast_refused([](json& t) { t["model"]["ignore_merges"] = true; }, "\"ignore_merges\"");
    check_fast_refused([](json& t) { t["model"]["end_of_word_suffix"] = "</w>"; }, "\"end_of_word_suffix\"");
    check_fast_refused([](json& t) { t["model"]["dropout"] = 0.1; }, "\"dropout\"");
    check_fast_refused([](json& t) { t["normalizer"] = {{"type", "NFC"}}; }, "\"normalizer\"");
    check_fast_refused([](json& t) { t["pre_tokenizer"]["type"] = "Metaspace"; }, "\"pre_tokenizer\"");
    check_fast_refused([](json& t) { t["pre_tokenizer"]["add_prefix_space"] = true; }, "\"add_prefix_space\"");
    check_fast_refused([](json& t) { t["pre_tokenizer"]["use_regex"] = false; }, "\"use_regex\"");
    check_fast_refused([](json& t) { t["post_processor"]["type"] = "BertProcessing"; }, "\"post_processor\"");
    check_fast_refused([](json& t) { t["added_tokens"][0]["lstrip"] = true; }, "sets \"lstrip\"");
}
