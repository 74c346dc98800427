#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"
#include "core/platform/atomic_file.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char *first_shard = "model-00001-of-00002.safetensors",
                     *second_shard = "model-00002-of-00002.safetensors", *index_file = "model.safetensors.index.json";

/// Writes the small GPT-2 as two shards and returns its index.
json write_shards(const fs::path& folder) {
    write_gpt2(folder);
    fs::remove(folder / "model.safetensors");
    const Safetensors whole = gpt2_tensors();
    Safetensors halves[2];
    json map;
    for (std::size_t i = 0; i < whole.tensors.size(); ++i) {
        const bool second = i >= whole.tensors.size() / 2;
        halves[second].tensors.push_back(whole.tensors[i]);
        map[whole.tensors[i].name] = second ? second_shard : first_shard;
    }
    write_safetensors(folder / first_shard, halves[0]);
    write_safetensors(folder / second_shard, halves[1]);
    const json index = {{"metadata", {{"total_size", 1}}}, {"weight_map", map}};
    write_text(folder / index_file, index.dump());
    return index;
}

/// Returns the error message from loading after a change to the folder and its index.
std::string spoiled(const std::function<void(const fs::path&, json&)>& change) {
    const TemporaryFolder folder;
    json index = write_shards(folder / "m");
    change(folder / "m", index);
    write_text(folder / "m" / index_file, index.dump());
    return error_of([&] { load_checkpoint(folder / "m"); });
}

}  // namespace

TEST_CASE("a sharded model loads like the whole file") {
    const TemporaryFolder folder;
    write_gpt2(folder / "whole");
    write_shards(folder / "shards");
    const ModelTensors tensors(folder / "shards");
    CHECK(tensors.entries().size() == gpt2_tensors().tensors.size());
    CHECK(*load_checkpoint(folder / "shards").parameters == *load_checkpoint(folder / "whole").parameters);
}

TEST_CASE("an index and shards that disagree are refused") {
    std::string message = spoiled([](const fs::path& m, json&) { fs::remove(m / second_shard); });
    CHECK(contains(message, index_file));
    CHECK(contains(message, std::string("names files that are not in the folder: ") + second_shard));
    message = spoiled([](const fs::path& m, json&) { fs::resize_file(m / second_shard, 2000); });
    CHECK(contains(message, second_shard));
    message = spoiled([](const fs::path&, json& index) {
        index["weight_map"].erase("transformer.wte.weight");
        index["weight_map"]["transformer.wpe.weight"] = second_shard;
        index["weight_map"]["transformer.extra"] = first_shard;
    });
    CHECK(
        contains(message, "transformer.wte.weight is in model-00001-of-00002.safetensors; the index does not list it"));
    CHECK(contains(message, "transformer.wpe.weight is in model-00001-of-00002.safetensors; the index says " +
                                std::string(second_shard)));
    CHECK(contains(message, "transformer.extra is not in model-00001-of-00002.safetensors"));
    message = spoiled([](const fs::path& m, json&) {
        Safetensors second = read_safetensors(m / second_shard);
        second.tensors.push_back(gpt2_tensors().tensors[0]);
        write_safetensors(m / second_shard, second);
    });
    CHECK(contains(message, "transformer.wte.weight is in model-00002-of-00002.safetensors; the index says"));
}

TEST_CASE("a malformed index is refused") {
    CHECK(contains(spoiled([](const fs::path&, json& index) { index.erase("weight_map"); }), "\"weight_map\" must be"));
    CHECK(contains(spoiled([](const fs::path&, json& index) { index["weight_map"]["transformer.wte.weight"] = 3; }),
                   "has no file name for transformer.wte.weight"));
    for (const char* elsewhere : {"../m/model-00001-of-00002.safetensors", "/dev/zero", "..", ""}) {
        CAPTURE(elsewhere);
        CHECK(contains(
            spoiled([&](const fs::path&, json& index) { index["weight_map"]["transformer.wte.weight"] = elsewhere; }),
            "which is not a file name"));
    }
}

TEST_CASE("tensors of other types are accepted if no parameter uses them") {
    const TemporaryFolder folder;
    write_gpt2(folder / "m");
    const fs::path file = folder / "m" / "model.safetensors";
    // An attention mask, as in some published files.
    const auto with_mask = [&](const std::string& name) {
        write_gpt2(folder / "m");
        std::string bytes = read_file(file, 1 << 20);
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data(), sizeof length);
        json header = json::parse(bytes.substr(8, length));
        const std::size_t data = bytes.size() - 8 - length;
        header[name] = {{"dtype", "BOOL"}, {"shape", {1, 2, 2}}, {"data_offsets", {data, data + 4}}};
        const std::string text = header.dump();
        length = text.size();
        write_text(file, std::string(reinterpret_cast<const char*>(&length), 8) + text +
                             bytes.substr(bytes.size() - data) + std::string(4, '\1'));
    };
    const std::vector<float> before = *load_checkpoint(folder / "m").parameters;
    with_mask("transformer.h.0.attn.bias");
    CHECK(std::ranges::equal(*load_checkpoint(folder / "m").parameters, before));
    with_mask("transformer.h.0.attn.other");
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "attn.other is not a tensor of this model"));
}

TEST_CASE("a folder without safetensors is refused, and a broken pytorch_model.bin is named") {
    const TemporaryFolder folder;
    write_gpt2(folder / "m");
    fs::remove(folder / "m" / "model.safetensors");
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "model.safetensors"));
    write_text(folder / "m" / "pytorch_model.bin", "");
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "pytorch_model.bin: is not a zip file"));
}
