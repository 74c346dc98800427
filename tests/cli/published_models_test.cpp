// Models and tokenizers from elsewhere on the command line: tokenize, check, trace, generate.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

const std::filesystem::path golden = std::filesystem::path(GLASSFORMER_SOURCE_DIR) / "tests/golden/hugging_face";

void write_word_piece(const std::filesystem::path& folder) {
    std::ofstream(folder / "vocab.txt", std::ios::binary)
        << "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nun\r\n##aff\r\n##able\r\n你\r\n";
}

}  // namespace

TEST_CASE("tokenize: the tokenizer's files alone give ids, pieces and bytes") {
    const TemporaryFolder folder;
    write_word_piece(folder.path());
    const Ran ran = run({"tokenize", "--model", folder.path().string(), "--text", "Unaffable 你", "--json"});
    CHECK(ran.err == "");
    REQUIRE(ran.code == 0);
    const json line = json::parse(ran.out);
    CHECK(line.at("ids") == json{2, 5, 6, 7, 8, 3});
    CHECK(line.at("pieces") == json{"[CLS]", "un", "##aff", "##able", "你", "[SEP]"});
    CHECK(line.at("offsets") == json::parse("[[0,0],[0,2],[2,5],[5,9],[10,13],[0,0]]"));
    std::ofstream(folder / "text", std::ios::binary) << "un un";
    const Ran table = run({"tokenize", "--model", folder.path().string(), "--file", (folder / "text").string()});
    CHECK(table.out == "2\t[CLS]\t0-0\n5\tun\t0-2\n5\tun\t3-5\n3\t[SEP]\t0-0\n");
}

TEST_CASE("tokenize: what cannot be read is named in one line") {
    const TemporaryFolder folder;
    const Ran none = run({"tokenize", "--model", folder.path().string(), "--text", "a"});
    CHECK(none.code == 1);
    CHECK(none.one_line());
    CHECK(none.says("no tokenizer"));
    std::ofstream(folder / "tokenizer.json") << R"({"model": {"type": "Guess"}})";
    const Ran unknown = run({"tokenize", "--model", folder.path().string(), "--text", "a"});
    CHECK(unknown.code == 1);
    CHECK(unknown.one_line());
    CHECK(unknown.says("Guess"));
    CHECK(run({"tokenize", "--model", folder.path().string()}).code == 2);
    CHECK(run({"tokenize", "--model", folder.path().string(), "--text", "a", "--file", "b"}).code == 2);
}

TEST_CASE("check: the folders of published architectures pass, and the report names every kind of op") {
    for (const auto& entry : std::filesystem::directory_iterator(golden)) {
        const Ran ran =
            run({"check", "--model", entry.path().string(), "--words", "8", "--threads", "1", "--backend", "cpu"});
        CAPTURE(entry.path().string());
        CAPTURE(ran.out);
        CHECK(ran.code == 0);
        CHECK(ran.err == "");
        CHECK(ran.out.find("FAIL") == std::string::npos);
        for (const char* part : {"softmax", "attention_scores", "linear", "generation", "passed"})
            CHECK(ran.out.find(part) != std::string::npos);
    }
    CHECK(run({"check", "--model", (golden / "qwen3").string(), "--words", "9", "--backend", "cpu"})
              .out.find("repeat_heads") != std::string::npos);
}

TEST_CASE("check: OpenGL is compared where it is, and left out when that is wished") {
    const Ran both = run({"check", "--model", (golden / "gemma3").string(), "--words", "5"});
    CHECK(both.code == 0);
    CHECK(both.out.find("OpenGL") != std::string::npos);
    const Ran one = run({"check", "--model", (golden / "gemma3").string(), "--words", "5", "--backend", "cpu"});
    CHECK(one.code == 0);
    CHECK(one.out.find("OpenGL") == std::string::npos);
}

TEST_CASE("a published model without a tokenizer continues token ids") {
    const Ran ran = run({"generate", "--model", (golden / "qwen3").string(), "--tokens", "1,2,3", "--count", "4",
                         "--temperature", "0", "--threads", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.out.starts_with("1,2,3,"));
}
