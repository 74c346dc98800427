// Malformed GGUF files: a message names the file and its fault, and nothing large is allocated.
#include <doctest/doctest.h>

#include <limits>

#include "core/io/checkpoint.h"
#include "core/io/gguf_model.h"
#include "core/platform/process.h"
#include "core/text/hf_tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

template <class Number>
std::string raw(Number number) {
    return std::string(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string text(const std::string& bytes) { return raw(std::uint64_t{bytes.size()}) + bytes; }

constexpr std::uint32_t u32 = 4, f32_value = 6, boolean = 7, text_value = 8, list = 9;
constexpr std::uint32_t f32 = 0, q4_k = 12, q8_0 = 8;

std::string value(const std::string& key, std::uint32_t type, const std::string& bytes) {
    return text(key) + raw(type) + bytes;
}
std::string number(const std::string& key, std::uint32_t number) { return value(key, u32, raw(number)); }

std::string tensor(const std::string& name, const std::vector<std::uint64_t>& axes, std::uint32_t type,
                   std::uint64_t offset) {
    std::string bytes = text(name) + raw(static_cast<std::uint32_t>(axes.size()));
    for (const std::uint64_t axis : axes) bytes += raw(axis);
    return bytes + raw(type) + raw(offset);
}

struct Parts {
    std::uint32_t version = 3;
    std::vector<std::string> metadata = {}, tensors = {};
    std::uint64_t data_bytes = 0;
    std::optional<std::uint64_t> tensor_count = {}, metadata_count = {};
};

std::string gguf(const Parts& p) {
    std::string bytes = "GGUF" + raw(p.version) + raw(p.tensor_count.value_or(p.tensors.size())) +
                        raw(p.metadata_count.value_or(p.metadata.size()));
    for (const std::string& one : p.metadata) bytes += one;
    for (const std::string& one : p.tensors) bytes += one;
    bytes.resize((bytes.size() + 31) / 32 * 32, '\0');
    return bytes + std::string(p.data_bytes, '\0');
}

std::string refusal(const std::string& bytes) {
    const TemporaryFolder folder;
    write_text(folder / "m.gguf", bytes);
    const std::string message = error_of([&] { GgufFile(folder / "m.gguf"); });
    CHECK(message.starts_with((folder / "m.gguf").string() + ": "));
    CHECK(!contains(message, "\n"));
    return message;
}

void check_refused(const std::string& bytes, const std::string& part) {
    const std::string message = refusal(bytes);
    INFO(message);
    CHECK(contains(message, part));
}

std::vector<std::string> gpt2_metadata() {
    return {value("general.architecture", text_value, text("gpt2")),
            number("gpt2.context_length", 4),
            number("gpt2.embedding_length", 8),
            number("gpt2.block_count", 1),
            number("gpt2.feed_forward_length", 8),
            number("gpt2.attention.head_count", 2),
            value("gpt2.attention.layer_norm_epsilon", f32_value, raw(1e-5f))};
}

}  // namespace

TEST_CASE("GGUF files: tensors and metadata are read, whatever the alignment") {
    const TemporaryFolder folder;
    Parts p{.metadata = {number("general.alignment", 64), value("a", boolean, raw(std::uint8_t{1})),
                         value("b", list, raw(f32_value) + raw(std::uint64_t{2}) + raw(1.5f) + raw(2.5f))},
            .tensors = {tensor("x", {3, 2}, f32, 64), tensor("y", {32}, q8_0, 0)}};
    std::string bytes = gguf(p);
    bytes.resize((bytes.size() + 63) / 64 * 64, '\0');
    const float cells[6] = {1, 2, 3, 4, 5, 6};
    std::string block(64, '\0');
    block[1] = 0x3c;  // a scale of 1
    for (int i = 0; i < 32; ++i) block[2 + i] = static_cast<char>(i - 16);
    bytes += block + std::string(reinterpret_cast<const char*>(cells), sizeof cells);
    write_text(folder / "m.gguf", bytes);
    const GgufFile file(folder / "m.gguf");
    CHECK(file.metadata()["a"] == true);
    CHECK(file.metadata()["b"] == nlohmann::json{1.5, 2.5});
    REQUIRE(file.find("x"));
    CHECK(file.find("x")->shape == Shape{2, 3});
    CHECK(file.read(*file.find("x")).at({1, 0}) == 4.0f);
    CHECK(file.read(*file.find("y")).at({20}) == 4.0f);
    CHECK(file.find("z") == nullptr);
}

TEST_CASE("malformed GGUF files are refused, and the error names the fault") {
    constexpr std::uint64_t huge = std::uint64_t{1} << 62;
    check_refused("GGU", "does not begin as a GGUF file");
    check_refused(std::string(100, 'x'), "does not begin as a GGUF file");
    check_refused(gguf({.version = 1}), "GGUF version 1; only 2 and 3");
    check_refused(gguf({.version = 0x03000000}), "big-endian");
    check_refused(gguf({.tensor_count = huge}), "would have " + std::to_string(huge) + " tensors");
    check_refused(gguf({.metadata_count = huge}), " metadata; at most");
    check_refused(gguf({.tensor_count = 1000}), "the list of tensors reaches beyond the end");
    check_refused(gguf({.metadata_count = 1000}), "the metadata \"\" reaches beyond the end");
    check_refused(gguf({.metadata = {raw(huge)}}), "metadata 0 would be a text of");
    check_refused(gguf({.metadata = {value("key", text_value, raw(huge))}}), "\"key\" would be a text of");
    check_refused(gguf({.metadata = {value("key", text_value, raw(std::uint64_t{1} << 20))}}),
                  "\"key\" reaches beyond");
    check_refused(gguf({.metadata = {value("key", list, raw(u32) + raw(huge))}}), "\"key\" would be a list of");
    check_refused(gguf({.metadata = {value("key", list, raw(text_value) + raw(std::uint64_t{4000000}))}}),
                  "\"key\" reaches beyond the end");
    check_refused(gguf({.metadata = {value("key", list, raw(list) + raw(std::uint64_t{1}))}}), "list of lists");
    check_refused(gguf({.metadata = {value("key", 77, "")}}), "\"key\" has the unknown type of value 77");
    check_refused(gguf({.metadata = {value("key", boolean, raw(std::uint8_t{7}))}}), "neither true nor false");
    check_refused(gguf({.metadata = {value("key", text_value, text("\xff"))}}), "\"key\" is a text that is not UTF-8");
    check_refused(gguf({.metadata = {number("key", 1), number("key", 2)}}), "\"key\" is there twice");
    check_refused(gguf({.metadata = {number("general.alignment", 0)}}), "general.alignment");
    check_refused(gguf({.tensors = {tensor("a", {}, f32, 0)}}), "tensor \"a\" has 0 axes");
    check_refused(gguf({.tensors = {tensor("a", {1, 1, 1, 1, 1}, f32, 0)}}), "tensor \"a\" has 5 axes");
    check_refused(gguf({.tensors = {tensor("a", {0}, f32, 0)}}), "an axis of 0 cells");
    check_refused(gguf({.tensors = {tensor("a", {huge}, f32, 0)}}), "an axis of");
    check_refused(gguf({.tensors = {tensor("a", {1u << 31, 1u << 31, 1u << 31}, f32, 0)}}),
                  "tensor \"a\" cannot be held");
    check_refused(gguf({.tensors = {tensor("a", {1u << 31, 1u << 31}, f32, 0)}}), "which is too many");
    check_refused(gguf({.tensors = {tensor("a", {8}, f32, 0)}}),
                  "tensor \"a\" has its cells at bytes 0 to 32, outside");
    check_refused(gguf({.tensors = {tensor("a", {8}, f32, huge)}, .data_bytes = 64}), "outside the file");
    check_refused(gguf({.tensors = {tensor("a", {8}, f32, 8)}, .data_bytes = 64}), "not a multiple of 32");
    check_refused(gguf({.tensors = {tensor("a", {16}, f32, 0), tensor("b", {8}, f32, 32)}, .data_bytes = 64}),
                  "tensor \"b\" overlaps");
    check_refused(gguf({.tensors = {tensor("a", {8}, f32, 0), tensor("a", {8}, f32, 32)}, .data_bytes = 64}),
                  "tensor \"a\" is there twice");
    check_refused(gguf({.tensors = {tensor("blk.0.ffn_up.weight", {256}, q4_k, 0)}, .data_bytes = 256}),
                  "tensor \"blk.0.ffn_up.weight\" has type Q4_K; only F32, F16, BF16 and Q8_0 are supported");
    check_refused(gguf({.tensors = {tensor("a", {256}, 4, 0)}, .data_bytes = 256}), "tensor \"a\" has type number 4;");
    check_refused(gguf({.tensors = {tensor("a", {256}, 4000, 0)}, .data_bytes = 256}), "has type number 4000;");
    check_refused(gguf({.tensors = {tensor("a", {40}, q8_0, 0)}, .data_bytes = 64}), "rows of 40 cells in Q8_0");
    check_refused(gguf({.tensors = {raw(std::uint64_t{300}) + std::string(300, 'x')}, .data_bytes = 64}),
                  "tensor 0 would be a text of 300 bytes");
    CHECK(platform::peak_memory_mb() < 2000.0);
}

TEST_CASE("GGUF files truncated at any byte are refused") {
    const std::string whole =
        gguf({.metadata = gpt2_metadata(), .tensors = {tensor("a", {8}, f32, 0)}, .data_bytes = 32});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const TemporaryFolder folder;
        write_text(folder / "m.gguf", whole.substr(0, length));
        CHECK(error_of([&] { GgufFile(folder / "m.gguf"); }).starts_with((folder / "m.gguf").string() + ": "));
    }
}

TEST_CASE("GGUF models: errors use the file's own names for tensors and metadata") {
    const auto refusal_of = [](const Parts& parts) {
        const TemporaryFolder folder;
        write_text(folder / "m.gguf", gguf(parts));
        return error_of([&] { load_checkpoint(folder / "m.gguf"); });
    };
    const auto check_says = [&](const Parts& parts, const std::string& part) {
        const std::string message = refusal_of(parts);
        INFO(message);
        CHECK(contains(message, "m.gguf"));
        CHECK(contains(message, part));
    };
    check_says({}, "the field \"general.architecture\" is missing");
    check_says({.metadata = {value("general.architecture", text_value, text("mamba"))}},
               "\"general.architecture\" is \"mamba\"; of GGUF files this program reads llama, qwen2");
    check_says({.metadata = gpt2_metadata()}, "has no tensor \"token_embd.weight\"");
    Parts p{.metadata = gpt2_metadata(),
            .tensors = {tensor("token_embd.weight", {8, 5}, f32, 0), tensor("position_embd.weight", {8, 4}, f32, 160),
                        tensor("blk.0.attn_qkv.weight", {8, 8}, f32, 288), tensor("other", {8}, f32, 544)},
            .data_bytes = 576};
    check_says(p, "does not fit its metadata:");
    check_says(p, "blk.0.attn_qkv.weight has shape [8, 8]; metadata asks for [24, 8]");
    check_says(p, "other is not a tensor of this model");
    check_says(p, "blk.0.ffn_down.weight is missing");
    p.metadata.pop_back();
    check_says(p, "the field \"gpt2.attention.layer_norm_epsilon\" is missing");
    p.metadata = gpt2_metadata();
    p.metadata.push_back(value("tokenizer.ggml.model", text_value, text("rwkv")));
    p.metadata.push_back(value("tokenizer.ggml.tokens", list, raw(text_value) + raw(std::uint64_t{1}) + text("a")));
    check_says(p, "\"tokenizer.ggml.model\" is \"rwkv\"");
    p.metadata = gpt2_metadata();
    p.metadata.push_back(value("split.count", u32, raw(std::uint32_t{2})));
    check_says(p, "is one of 2 parts");
}

TEST_CASE("GGUF tokenizers: a score that is NaN is refused and not sorted by") {
    ListedTokens listed;
    listed.model = "llama";
    listed.tokens = {"<unk>", "a", "b", "ab"};
    listed.kinds = {ListedTokens::unknown, ListedTokens::normal, ListedTokens::normal, ListedTokens::normal};
    listed.scores = {0.0f, -2.0f, -3.0f, -1.0f};
    CHECK(make_tokenizer(listed, "f.gguf")->size() == 4);
    listed.scores[2] = std::numeric_limits<float>::quiet_NaN();
    CHECK(error_of([&] { make_tokenizer(listed, "f.gguf"); }) == "f.gguf: \"tokenizer.ggml.scores\" contains NaN");
}
