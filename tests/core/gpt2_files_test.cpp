#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "core/text/hf_tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

const SmallGpt2 small({{"l", "o"}, {"lo", "w"}, {"Ġ", "low"}, {"#", "#"}});
const std::string sample = "low ## slow<|endoftext|> 你\r\n";

void check_refused(const TemporaryFolder& folder, const std::string& file, const std::string& reason) {
    const std::string message = error_of([&] { HfTokenizer::load(folder.path()); });
    INFO("message: " << message);
    CHECK(message.starts_with((folder / file).string() + ": "));
    CHECK(contains(message, reason));
}

/// Checks that the small vocabulary is refused after this change.
void check_vocabulary_refused(const std::function<void(json&)>& change, const std::string& reason) {
    const TemporaryFolder folder;
    SmallGpt2 changed = small;
    change(changed.vocabulary);
    changed.write_two_files(folder.path());
    check_refused(folder, "vocab.json with merges.txt", reason);
}

void check_merges_refused(const std::string& lines, const std::string& reason) {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", lines);
    check_refused(folder, "vocab.json with merges.txt", reason);
}

void check_fast_refused(const std::function<void(json&)>& change, const std::string& reason) {
    const TemporaryFolder folder;
    json root = small.fast_tokenizer(false);
    change(root);
    write_text_file(folder / "tokenizer.json", root.dump());
    check_refused(folder, "tokenizer.json", reason);
}

}  // namespace

TEST_CASE("the same vocabulary in each file format gives the same ids") {
    const TemporaryFolder two, unheaded, texts, pairs, saved;
    small.write_two_files(two.path());
    small.write_two_files(unheaded.path(), "");
    write_text_file(texts / "tokenizer.json", small.fast_tokenizer(false).dump());
    write_text_file(pairs / "tokenizer.json", small.fast_tokenizer(true).dump());
    const HfTokenizer tokenizer = HfTokenizer::load(two.path());
    const std::vector<int> expected = tokenizer.ids(sample);
    CHECK(tokenizer.decode(expected) == sample);
    CHECK(expected[2] == 259);  // "##": a merge may begin with #
    tokenizer.save_in(saved.path());
    for (const auto* folder : {&unheaded, &texts, &pairs, &saved}) {
        const HfTokenizer other = HfTokenizer::load(folder->path());
        CHECK(other.size() == tokenizer.size());
        CHECK(other.ids(sample) == expected);
    }
}

TEST_CASE("merges.txt may have Windows line endings, and no newline at its end") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", "#version: 0.2\r\nl o\r\nlo w");
    CHECK(HfTokenizer::load(folder.path()).ids("low").size() == 1);
}

TEST_CASE("added tokens are matched whole, the longest first, and are saved") {
    const TemporaryFolder folder, saved;
    json root = small.fast_tokenizer(true);
    const int first = static_cast<int>(small.vocabulary.size());
    root["added_tokens"].push_back({{"id", first}, {"content", "<人>"}});
    root["added_tokens"].push_back({{"id", first + 1}, {"content", "<人><人>"}});
    write_text_file(folder / "tokenizer.json", root.dump());
    const HfTokenizer tokenizer = HfTokenizer::load(folder.path());
    CHECK(tokenizer.token_text(first) == "<人>");
    CHECK(tokenizer.ids("<人><人><人>") == std::vector<int>{first + 1, first});
    tokenizer.save_in(saved.path());
    CHECK(HfTokenizer::load(saved.path()).ids("<人>low<|endoftext|>") == tokenizer.ids("<人>low<|endoftext|>"));
}

TEST_CASE("early tokenizer.json files without a type are read, and the end-of-text token may be missing") {
    const TemporaryFolder folder;
    json root = small.fast_tokenizer(false);
    root["model"].erase("type");
    root["model"]["vocab"].erase("<|endoftext|>");
    root.erase("added_tokens");
    write_text_file(folder / "tokenizer.json", root.dump());
    const HfTokenizer tokenizer = HfTokenizer::load(folder.path());
    CHECK(tokenizer.ids("<|endoftext|>").size() > 5);
}

TEST_CASE("vocabularies with wrong ids are refused") {
    check_vocabulary_refused([](json& v) { v["lo"] = 3; }, "gives the tokens \"lo\" and \"ü\" the same id 3");
    check_vocabulary_refused([](json& v) { v["lo"] = -1; }, "gives the token \"lo\" the id \"-1\"");
    check_vocabulary_refused([](json& v) { v["lo"] = 1 << 20; }, "gives the token \"lo\" the id \"1048576\"");
    check_vocabulary_refused([](json& v) { v["lo"] = 18446744073709551615u; }, "the id \"18446744073709551615\"");
    check_vocabulary_refused([](json& v) { v["lo"] = 1.5; }, "the id \"1.5\", which is not the id of a token");
    check_vocabulary_refused([](json& v) { v["lo"] = "256"; }, "which is not the id of a token");
    check_vocabulary_refused(
        [](json& v) {
            for (int i = 0; i < 1 << 20; ++i) v["t" + std::to_string(i)] = 0;
        },
        "tokens; at most 1048576 are read");
}

TEST_CASE("vocabulary files that are not JSON, too large or missing are refused") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    const auto check = [&](const std::string& content, const std::string& reason) {
        write_text_file(folder / "vocab.json", content);
        check_refused(folder, "vocab.json", reason);
    };
    check("no JSON", "is not valid JSON (at byte ");
    check("{\"a\": 0", "is not valid JSON");
    check("[]", "is not an object from tokens to ids");
    check(R"({"a": 0, "a": 1})", "the key \"a\" appears twice");
    check(R"({"a": 1e400})", "out of range");
    check(std::string(1000, '['), "nested more than 32 levels deep");
    write_text_file(folder / "vocab.json", "");
    std::filesystem::resize_file(folder / "vocab.json", (64u << 20) + 1);  // zeros that take no space on the disk
    check_refused(folder, "vocab.json", "is larger than 67108864 bytes");
    std::filesystem::remove(folder / "vocab.json");
    check_refused(folder, "vocab.json", "there is no such file");
    small.write_two_files(folder.path());
    std::filesystem::remove(folder / "merges.txt");
    check_refused(folder, "merges.txt", "there is no such file");
}

TEST_CASE("malformed merges and merges of unknown tokens are refused with their number") {
    check_merges_refused("#version: 0.2\nl o\nl x\n", "has merge 1, \"l x\", which makes \"lx\", which is not a token");
    check_merges_refused("l o\nlow qqq\n", "has merge 1, \"low qqq\", which merges something that is not a token");
    check_merges_refused("你 o\n", "that is not a token");
    check_merges_refused("< |endoftext|>\n", "that is not a token");
    check_merges_refused("l o\nlo w\nl o\n", "has merge 2, \"l o\", which appears twice");
    check_merges_refused("lo\n", "is not two tokens with a space between them");
    check_merges_refused("l o w\n", "is not two tokens with a space between them");
    check_merges_refused("l  o\n", "is not two tokens with a space between them");
    check_merges_refused(" lo\n", "that is not a token");
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    write_text_file(folder / "merges.txt", "l o\nl \xE9\n");
    CHECK(error_of([&] { HfTokenizer::load(folder.path()); }).starts_with((folder / "merges.txt").string() + ":2: "));
}

TEST_CASE("added_tokens.json with wrong content is refused") {
    const TemporaryFolder folder;
    small.write_two_files(folder.path());
    const auto check = [&](const std::string& content, const std::string& reason) {
        write_text_file(folder / "added_tokens.json", content);
        check_refused(folder, "added_tokens.json", reason);
    };
    check("[]", "is not an object");
    check(R"({"<a>": -3})", "the id of \"<a>\" is not a number");
}

TEST_CASE("tokenizer.json with wrong tokens or merges is refused") {
    check_fast_refused([](json& t) { t.erase("model"); }, "model is not an object");
    check_fast_refused([](json& t) { t["model"].erase("vocab"); }, "has no \"vocab\"");
    check_fast_refused([](json& t) { t["model"].erase("merges"); }, "has no \"merges\"");
    check_fast_refused([](json& t) { t["model"]["merges"] = "l o"; }, "has no \"merges\" that are a list");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back(7); }, "has merge 4, \"7\"");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l"}); }, "has merge 4");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l", 3}); }, "has merge 4");
    check_fast_refused([](json& t) { t["model"]["merges"].push_back({"l", "zz"}); }, "that is not a token");
    check_fast_refused([](json& t) { t["model"]["vocab"]["lo"] = 3; }, "the same id 3");
    check_fast_refused([](json& t) { t["model"]["dropout"] = 0.1; }, "\"dropout\"");
    check_fast_refused([](json& t) { t["added_tokens"] = 3; }, "added_tokens is not a list");
    check_fast_refused([](json& t) { t["added_tokens"][0].erase("content"); }, "no \"content\"");
    check_fast_refused([](json& t) { t["added_tokens"][0].erase("id"); }, "has no \"id\" that is a whole number");
}
