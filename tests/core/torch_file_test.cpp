// pytorch_model.bin, as PyTorch wrote it (tests/golden/make_torch_files.py): its tensors, and what is refused.
#include "core/io/torch_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"
#include "core/io/zip_file.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const fs::path tests = GLASSFORMER_SOURCE_DIR "/tests", corpus = tests / "fuzz/corpus/torch";

std::vector<float> cells_of(const TorchFile& file, const std::string& name) {
    const auto found = std::ranges::find(file.entries(), name, &TensorEntry::name);
    REQUIRE(found != file.entries().end());
    const Tensor tensor = file.read(*found);
    CHECK(tensor.shape() == found->shape);
    return {tensor.values().begin(), tensor.values().end()};
}

std::string error_of_file(const fs::path& path) {
    return error_of([&] { TorchFile file(path); });
}

/// Returns the error message for a pickle of protocol 2 that begins like this.
std::string error_of_pickle(const std::string& after_protocol) {
    return error_of([&] { read_torch_pickle("\x80\x02" + after_protocol, "f"); });
}

}  // namespace

TEST_CASE("pytorch_model.bin: tensors, views, 16-bit floats and parameters are read") {
    for (const char* name : {"many", "protocol4"}) {
        CAPTURE(name);
        const TorchFile file(corpus / name);
        CHECK(file.entries().size() == 10);
        std::vector<float> whole, rows, turned, columns;
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 6; ++c) {
                const float value = static_cast<float>(6 * r + c) / 8.0f;
                whole.push_back(value);
                if (r == 1 || r == 2) rows.push_back(value);
                if (c == 2 || c == 3) columns.push_back(value);
            }
        for (std::size_t c = 0; c < 6; ++c)
            for (std::size_t r = 0; r < 4; ++r) turned.push_back(whole[6 * r + c]);
        for (const char* same : {"whole", "half", "bfloat", "learned"}) CHECK(cells_of(file, same) == whole);
        CHECK(cells_of(file, "rows") == rows);
        CHECK(cells_of(file, "columns") == columns);
        CHECK(cells_of(file, "turned") == turned);
        CHECK(cells_of(file, "one") == std::vector<float>{2.5f});
        CHECK(cells_of(file, "none").empty());
        CHECK(contains(error_of([&] { cells_of(file, "numbers"); }), "has dtype I64"));
    }
}

TEST_CASE("pytorch_model.bin with another byte order is refused, wherever in the file it is stated") {
    const TemporaryFolder folder;
    const ZipEntry pickle{"archive/data.pkl", std::string("\x80\x02}.", 4), true};
    const auto error_with = [&](std::vector<ZipEntry> entries) {
        write_text(folder / "m.bin", to_zip(entries));
        return error_of_file(folder / "m.bin");
    };
    const ZipEntry big{"archive/byteorder", "big", true}, little{"archive/byteorder", "little", true};
    CHECK(contains(error_with({big, pickle}), "another byte order"));
    CHECK(contains(error_with({pickle, big}), "another byte order"));
    for (const std::vector<ZipEntry>& entries :
         {std::vector{little, pickle}, std::vector{pickle, little}, std::vector{pickle}})
        CHECK_FALSE(contains(error_with(entries), "byte order"));
}

TEST_CASE("pytorch_model.bin gives the same model as model.safetensors") {
    const Checkpoint from_bin = load_checkpoint(tests / "golden/torch_file");
    CHECK(*from_bin.parameters == *load_checkpoint(tests / "golden/hugging_face/roberta").parameters);
    // In two shards.
    const TemporaryFolder folder;
    fs::copy(tests / "golden/torch_file/config.json", folder / "config.json");
    fs::copy(tests / "golden/torch_file/pytorch_model.bin", folder / "pytorch_model-00001-of-00001.bin");
    nlohmann::json map;
    const TorchFile shard(folder / "pytorch_model-00001-of-00001.bin");
    for (const TensorEntry& entry : shard.entries()) map[entry.name] = "pytorch_model-00001-of-00001.bin";
    write_text(folder / "pytorch_model.bin.index.json", nlohmann::json{{"weight_map", map}}.dump());
    CHECK(*load_checkpoint(folder.path()).parameters == *from_bin.parameters);
}

TEST_CASE("pytorch_model.bin: a file that is not a dictionary of tensors is refused, and no code is run") {
    CHECK(contains(error_of_file(corpus / "code"), "asks for \"posix.getcwd\", which is not executed"));
    CHECK(contains(error_of_file(corpus / "module"), "asks for \"torch.nn.modules.linear.Linear\""));
    const std::string nested = error_of_file(corpus / "nested");
    CHECK(contains(nested, "\"model\" is a dictionary"));
    CHECK(contains(nested, "\"epoch\" is a number"));
    CHECK(contains(error_of_file(corpus / "old"), "before PyTorch 1.6"));
    CHECK(contains(error_of_file(corpus / "deflated"), "compressed"));
    CHECK(contains(error_of_file(corpus / "cut"), "zip cannot be read"));
    const TorchFile nan(corpus / "nan"), changed(corpus / "changed");
    CHECK(contains(error_of([&] { nan.read(nan.entries()[0]); }), "contains NaN at cell [1]"));
    CHECK(contains(error_of([&] { changed.read(changed.entries()[0]); }), "CRC"));
    const TemporaryFolder folder;
    write_text(folder / "text.bin", "hello");
    CHECK(contains(error_of_file(folder / "text.bin"), "not a zip file"));
    write_text(folder / "sparse.bin", "PK");
    fs::resize_file(folder / "sparse.bin", std::uintmax_t{10} << 30);
    CHECK(contains(error_of_file(folder / "sparse.bin"), "10737418240 bytes"));
    fs::resize_file(folder / "sparse.bin", std::uintmax_t{4} << 30);
    CHECK(contains(error_of_file(folder / "sparse.bin"), "zip cannot be read"));
}

TEST_CASE("pytorch_model.bin: broken and malicious pickles are refused") {
    CHECK(contains(error_of_pickle(""), "ends too early"));
    CHECK(contains(error_of_pickle("."), "is broken"));
    CHECK(contains(error_of_pickle("N."), "has None for the whole"));
    CHECK(contains(error_of_pickle("h\x05."), "is broken"));
    CHECK(contains(error_of_pickle("X\xff\xff\xff\x7f"), "ends too early"));
    CHECK(contains(error_of_pickle("cos\nsystem\n."), "\"os.system\""));
    CHECK(contains(error_of_pickle("}N\x85R."), "what is called"));
    CHECK(contains(error_of_pickle("\x82\x01."), "opcode 130"));
    // A dictionary that contains itself.
    std::string held = "}q";
    held += '\x01';
    held += 'X';
    held += std::string("\x01\x00\x00\x00", 4) +
            "ah"
            "\x01"
            "s.";
    CHECK(contains(error_of_pickle(held), "\"a\" is a dictionary"));
    // A tensor that reaches beyond its storage, and one whose sizes overflow.
    const auto tensor = [](const std::string& sizes, const std::string& strides) {
        const auto text = [](const std::string& t) {
            return "X" + std::string(1, static_cast<char>(t.size())) + std::string(3, '\0') + t;
        };
        return "}" + text("w") + "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" +
               text("0") + text("cpu") + "K\x04tQK" + std::string(1, '\0') + sizes + strides + "\x89}ts.";
    };
    CHECK(error_of_pickle(tensor("K\x04\x85", "K\x01\x85")).empty() == false);  // without R it calls nothing
    const auto called = [&](const std::string& sizes, const std::string& strides) {
        std::string pickle = tensor(sizes, strides);
        pickle.insert(pickle.size() - 2, "R");
        return error_of_pickle(pickle);
    };
    CHECK(called("K\x04\x85", "K\x01\x85").empty());
    CHECK(contains(called("K\x05\x85", "K\x01\x85"), "reaches out of its storage"));
    CHECK(contains(called("K\x04\x85", "K\x02\x85"), "reaches out of its storage"));
    CHECK(contains(called("K\x04\x85", "J\xff\xff\xff\xff\x85"), "strides"));
    const std::string huge = "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f";
    CHECK(contains(called(huge + huge + "\x86", huge + huge + "\x86"), "cannot be held"));
    CHECK(contains(called("K\x04K" + std::string("\x02\x86", 2), "K" + std::string(1, '\0') + "K\x01\x86"),
                   "reaches out"));
}

TEST_CASE("pytorch_model.bin: a pickle of a few bytes for each copy of a tensor or a name cannot fill the memory") {
    const auto text = [](const std::string& t) {
        std::string bytes = "X";
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(t.size() >> shift & 0xff);
        return bytes + t;
    };
    const auto tensors = [&](const std::string& name, const std::string& storage, int times) {
        std::string pickle = "}" + text(name) +
                             "q"
                             "\x02"
                             "ctorch._utils\n_rebuild_tensor_v2\n((" +
                             text("storage") + "ctorch\nFloatStorage\n" + text(storage) + text("cpu") + "K\x04tQK" +
                             std::string(1, '\0') + "K\x04\x85" + "K\x01\x85" + "\x89}tRq\x01s";
        for (int i = 1; i < times; ++i)
            pickle +=
                "h\x02h"
                "\x01"
                "s";
        return error_of_pickle(pickle + ".");
    };
    const std::string longest(256, 'w');
    CHECK(tensors(longest, longest, 65536) == "");
    CHECK(contains(tensors(longest, longest, 65537), "has 65537 tensors; at most 65536 are read"));
    CHECK(contains(tensors(longest + "w", "0", 1), "has a name of 257 bytes; at most 256 are read"));
    CHECK(contains(tensors("w", longest + "w", 1), "has a name of 257 bytes; at most 256 are read"));
}
