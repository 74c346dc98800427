// Published models and tokenizers on the command line: tokenize, check, trace, generate.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/published_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

const std::filesystem::path golden = own_sources / "tests/golden/hugging_face";

void write_word_piece(const std::filesystem::path& folder) {
    std::ofstream(folder / "vocab.txt", std::ios::binary)
        << "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nun\r\n##aff\r\n##able\r\n你\r\n";
}

}  // namespace

TEST_CASE("tokenize: needs only the tokenizer's files, and gives ids, pieces and byte offsets") {
    const TemporaryFolder folder;
    write_word_piece(folder.path());
    const Ran ran = run({"tokenize", "--model", folder.path().string(), "--text", "Unaffable 你", "--json"});
    CHECK(ran.err == "");
    REQUIRE(ran.code == 0);
    const json line = json::parse(ran.out);
    CHECK(line.at("ids") == json{2, 5, 6, 7, 8, 3});
    CHECK(line.at("pieces") == json{"[CLS]", "un", "##aff", "##able", "你", "[SEP]"});
    CHECK(line.at("offsets") == json::parse("[[0,0],[0,2],[2,5],[5,9],[10,13],[0,0]]"));
    // ▢ is the mask token, as in the window, and not three bytes.
    const Ran hidden = run({"tokenize", "--model", folder.path().string(), "--text", "un ▢ un", "--json"});
    CHECK(json::parse(hidden.out).at("ids") == json{2, 5, 4, 5, 3});
    CHECK(json::parse(hidden.out).at("offsets") == json::parse("[[0,0],[0,2],[3,6],[7,9],[0,0]]"));
    std::ofstream(folder / "text", std::ios::binary) << "un un";
    const Ran table = run({"tokenize", "--model", folder.path().string(), "--file", (folder / "text").string()});
    CHECK(table.out == "2\t[CLS]\t0-0\n5\tun\t0-2\n5\tun\t3-5\n3\t[SEP]\t0-0\n");
}

TEST_CASE("tokenize: a special token that is typed although the tokenizer adds it is reported") {
    const TemporaryFolder folder;
    std::ofstream(folder / "tokenizer.json") << R"({"added_tokens": [{"id": 1, "content": "<s>", "special": true}],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "TemplateProcessing", "pair": [],
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": {"<unk>": 0, "<s>": 1, "a": 2}}})";
    const auto ran = [&](const char* text) {
        return run({"tokenize", "--model", folder.path().string(), "--text", text, "--json"});
    };
    CHECK(ran("a a").err == "");
    const Ran doubled = ran("<s> a");
    CHECK(json::parse(doubled.out).at("ids") == json{1, 1, 2});  // like the reference implementation
    CHECK(contains(doubled.err, "the tokenizer adds <s> itself"));
}

TEST_CASE("--pair: a second sentence comes after [SEP], and is refused if the model reads only one") {
    const TemporaryFolder folder;
    std::filesystem::copy(golden / "bert", folder / "bert");
    std::ofstream(folder / "bert" / "vocab.txt")
        << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nbat\nit\nflew\na\nb\nc\nd\n";
    const std::string bert = (folder / "bert").string(), file = (folder / "values.safetensors").string();
    const Ran tokens = run({"tokenize", "--model", bert, "--text", "the bat", "--pair", "it flew", "--json"});
    CHECK(tokens.err == "");
    CHECK(json::parse(tokens.out).at("ids") == json{2, 5, 6, 3, 7, 8, 3});
    CHECK(json::parse(tokens.out).at("offsets") == json::parse("[[0,0],[0,3],[4,7],[0,0],[0,2],[3,7],[0,0]]"));
    CHECK(json::parse(tokens.out).at("sequences") == json::parse("[null,0,0,null,1,1,null]"));
    const Ran table = run({"tokenize", "--model", bert, "--text", "the", "--pair", "it"});
    CHECK(table.out == "2\t[CLS]\t0-0\t-\n5\tthe\t0-3\t0\n3\t[SEP]\t0-0\t-\n7\tit\t0-2\t1\n3\t[SEP]\t0-0\t-\n");
    const Ran one = run({"tokenize", "--model", bert, "--text", "the bat", "--json"});
    CHECK_FALSE(json::parse(one.out).contains("sequences"));
    const Ran traced = run({"trace", "--model", bert, "--text", "the bat", "--pair", "it flew", "--out", file});
    CHECK(traced.err == "");
    REQUIRE(traced.code == 0);
    const Safetensors values = read_safetensors(file);
    CHECK(values.metadata.at("text") == "the bat [SEP] it flew");
    for (const NamedTensor& named : values.tensors)
        if (named.name == "hook_token_type") {
            const std::span<const float> rows = named.tensor.values();
            const std::size_t width = rows.size() / 7;
            CHECK(std::ranges::equal(rows.first(width), rows.subspan(3 * width, width)));
            CHECK_FALSE(std::ranges::equal(rows.first(width), rows.subspan(4 * width, width)));
        }
    for (const char* command : {"trace", "shot"}) {
        const Ran none = std::string(command) == "trace"
                             ? run({"trace", "--model", "homonyms", "--text", "the bat", "--pair", "it", "--out", file})
                             : run({"shot", (folder / "a.png").string(), "--text", "the bat", "--pair", "it"});
        CHECK(none.code == 1);
        CHECK(none.one_line());
        CHECK(none.says("reads one sentence"));
    }
    CHECK(run({"tokenize", "--model", bert, "--pair", "it flew", "--file", file}).code == 2);
}

TEST_CASE("tokenize: works with a shipped name, a run's folder and a .glass file") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "run").string(), glass = (folder / "x.glass").string();
    REQUIRE(run({"train", "--world", "homonyms", "--steps", "1", "--batch", "2", "--run", kept}).code == 0);
    REQUIRE(run({"pack", "homonyms", glass}).code == 0);
    const Ran shipped = run({"tokenize", "--model", shipped_model.string(), "--text", "the bat"});
    CHECK(shipped.code == 0);
    for (const std::string& model : {std::string("homonyms"), kept, glass}) {
        CAPTURE(model);
        const Ran ran = run({"tokenize", "--model", model, "--text", "the bat"});
        CAPTURE(ran.err);
        CHECK(ran.code == 0);
        CHECK(ran.out == shipped.out);
    }
    CHECK(run({"tokenize", "--model", "no_such", "--text", "a"}).says("no_such"));
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

TEST_CASE("a model that is refused for several reasons lists each on its own line, with no other line breaks") {
    const TemporaryFolder folder;
    const std::filesystem::path model = folder / (on_windows ? "one two" : "one\ntwo");  // there no name has one
    std::filesystem::create_directory(model);
    std::filesystem::copy(golden / "llama2" / "model.safetensors", model / "model.safetensors");
    nlohmann::json config = nlohmann::json::parse(contents(golden / "llama2" / "config.json"));
    config["hidden_act"] = "swish2", config["mlp_bias"] = true;
    write(model / "config.json", config.dump());
    const Ran fields = run({"check", "--model", model.string()});
    CHECK(fields.code == 1);
    CAPTURE(fields.err);
    CHECK(fields.says("\n  \"hidden_act\" is \"swish2\""));
    CHECK(fields.says("\n  \"mlp_bias\" is true"));
    CHECK(std::ranges::count(fields.err, '\n') == 3);
    CHECK(fields.says(on_windows ? "one two" : "one⟨0A⟩two"));
}

TEST_CASE("generate: an id without a token is never sampled, and is printed as its number if it is given") {
    const TemporaryFolder folder;
    const std::filesystem::path model = folder / "m";
    std::filesystem::create_directory(model);
    for (const char* file : {"config.json", "model.safetensors"})
        std::filesystem::copy(golden / "llama2" / file, model / file);
    write(model / "tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}})");
    const Ran ran = run({"generate", "--model", model.string(), "--text", "ab", "--count", "9", "--temperature", "9"});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    CAPTURE(ran.out);
    CHECK(ran.out.starts_with("a"));
    CHECK(!contains(ran.out, "#"));
    CHECK(contains(run({"generate", "--model", model.string(), "--tokens", "0,12", "--count", "1"}).out, "#12"));
}

TEST_CASE("generate: a token that the tokenizer has but the model has not is named") {
    const TemporaryFolder folder;
    const std::filesystem::path model = bert_folder(folder, "llama2");
    json vocabulary;
    for (int id = 0; id < 200; ++id) vocabulary["w" + std::to_string(id)] = id;
    std::filesystem::remove(model / "vocab.txt");
    write(model / "tokenizer.json", json{{"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
                                         {"model", {{"type", "WordLevel"}, {"unk_token", "w0"}, {"vocab", vocabulary}}}}
                                        .dump());
    const auto generate = [&](const char* text) {
        return run({"generate", "--model", model.string(), "--text", text, "--count", "1"});
    };
    CHECK(generate("w1 w2").code == 0);
    const Ran beyond = generate("w1 w199");
    CHECK(beyond.code != 0);
    CHECK(beyond.says("the model has no embedding for the token \"w199\""));
    CHECK(run({"trace", "--model", model.string(), "--text", "w199", "--out", (folder / "t.safetensors").string()})
              .says("the model has no embedding for the token \"w199\""));
}

TEST_CASE("generate: a text ends at the longest that the model reads, and only then says so") {
    const auto continued = [](int given, int count) {
        std::string ids = "5";
        for (int i = 1; i < given; ++i) ids += ",5";
        return run({"generate", "--model", (own_sources / "assets/models/next_word").string(), "--tokens", ids,
                    "--count", std::to_string(count)});
    };
    const std::string said = "stopped at 13 tokens";
    const Ran exact = continued(10, 3), beyond = continued(10, 4), full = continued(13, 1);
    CHECK(exact.err == "");
    CHECK(beyond.says(said));
    CHECK(beyond.out == exact.out);
    CHECK(full.says(said));
    CHECK(std::ranges::count(full.out, ' ') == 12);  // nothing was added
}

TEST_CASE("check: the folders of published architectures pass, and the report names every kind of op") {
    for (const auto& entry : std::filesystem::directory_iterator(golden)) {
        const Ran ran =
            run({"check", "--model", entry.path().string(), "--words", "8", "--threads", "1", "--backend", "cpu"});
        CAPTURE(entry.path().string());
        CAPTURE(ran.out);
        CHECK(ran.code == 0);
        CHECK(ran.err == "");
        CHECK(!contains(ran.out, "FAIL"));
        for (const char* part : {"softmax", "attention_scores", "linear", "generation", "passed"})
            CHECK(contains(ran.out, part));
    }
    CHECK(contains(run({"check", "--model", (golden / "qwen3").string(), "--words", "9", "--backend", "cpu"}).out,
                   "repeat_heads"));
}

TEST_CASE("check: OpenGL is compared by default, and left out with --backend cpu") {
    const Ran both = run({"check", "--model", (golden / "gemma3").string(), "--words", "5"});
    CHECK(both.code == 0);
    CHECK(contains(both.out, "OpenGL"));
    const Ran one = run({"check", "--model", (golden / "gemma3").string(), "--words", "5", "--backend", "cpu"});
    CHECK(one.code == 0);
    CHECK(!contains(one.out, "OpenGL"));
}

TEST_CASE("a published model without a tokenizer continues token ids") {
    const Ran ran = run({"generate", "--model", (golden / "qwen3").string(), "--tokens", "1,2,3", "--count", "4",
                         "--temperature", "0", "--threads", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.out.starts_with("1,2,3,"));
}

TEST_CASE("GGUF: a file is opened like a folder by tokenize, trace, generate and export") {
    const TemporaryFolder folder;
    const std::filesystem::path corpus = GLASSFORMER_SOURCE_DIR "/tests/fuzz/corpus/gguf";
    const std::string file = (folder / "m.gguf").string();
    std::filesystem::copy(corpus / "llama", file);
    const Ran tokens = run({"tokenize", "--model", file, "--text", "the bat", "--json"});
    CHECK(tokens.err == "");
    CHECK(json::parse(tokens.out).at("pieces") == json{"<s>", "▁the", "▁bat"});
    const std::string trace = (folder / "trace.safetensors").string();
    CHECK(run({"trace", "--model", file, "--text", "the bat", "--out", trace}).code == 0);
    CHECK(read_safetensors(trace).find("blocks.0.attn.hook_pattern") != nullptr);
    const Ran written = run({"generate", "--model", file, "--text", "the", "--count", "1", "--temperature", "0"});
    CHECK(written.err == "");
    CHECK(written.out.starts_with("<s> the"));
    // Saving the model writes a folder, and that model generates the same.
    const std::string saved = (folder / "saved").string();
    const Ran exported = run({"export", file, saved});
    CHECK(exported.code == 0);
    CHECK_FALSE(contains(exported.out, "step"));
    CHECK(run({"generate", "--model", saved, "--text", "the", "--count", "1", "--temperature", "0"}).out ==
          written.out);
    std::ofstream(file, std::ios::binary) << "GGML";
    const Ran wrong = run({"generate", "--model", file, "--text", "the"});
    CHECK(wrong.one_line());
    CHECK(wrong.says("m.gguf: does not begin as a GGUF file does"));
}

TEST_CASE("trace: a word that a published model does not know is reported, once") {
    const TemporaryFolder folder;
    const std::filesystem::path model = bert_folder(folder);
    const auto traced = [&](const char* text) {
        return run({"trace", "--model", model.string(), "--text", text, "--out", (folder / "trace").string()});
    };
    const Ran unknown = traced("He zebra ▢ zebra");
    CHECK(unknown.code == 0);
    CHECK(unknown.says("\"zebra\" is not in the vocabulary and becomes [UNK]"));
    CHECK(std::ranges::count(unknown.err, '\n') == 1);
    CHECK(traced("He hit ▢ [UNK]").err == "");
}
