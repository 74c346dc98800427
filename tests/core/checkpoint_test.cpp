#include "core/io/checkpoint.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/io/safetensors.h"
#include "core/platform/atomic_file.h"
#include "tests/core/error_of.h"
#include "tests/core/small_checkpoint.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// Saves a good checkpoint, spoils it, and returns the error message from loading it.
std::string spoiled(const std::function<void(const fs::path&)>& spoil) {
    TemporaryFolder folder;
    const fs::path model = folder.path() / "model";
    save_checkpoint(model, small_checkpoint());
    spoil(model);
    return error_of([&] { load_checkpoint(model); });
}

void replace(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file, 1 << 20);
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("a checkpoint loads as it was saved") {
    TemporaryFolder folder;
    const Checkpoint saved = small_checkpoint();
    save_checkpoint(folder.path() / "m", saved);
    const Checkpoint loaded = load_checkpoint(folder.path() / "m");
    CHECK(*loaded.parameters == *saved.parameters);
    CHECK(loaded.config.d_mlp == 12);
    CHECK(loaded.config.norm_epsilon == saved.config.norm_epsilon);
    CHECK(loaded.words()->word(4) == "cave");
    CHECK(loaded.seed == 42);
    CHECK(loaded.step == 17);
    REQUIRE(loaded.log.size() == 2);
    CHECK(loaded.log[1].accuracy == 0.75f);
    CHECK(loaded.log[0].accuracy < 0.0f);
    REQUIRE(loaded.keyframes.size() == 2);
    CHECK(loaded.keyframes[1].step == 17);
    CHECK(*loaded.keyframes[0].parameters == *saved.keyframes[0].parameters);
}

TEST_CASE("the file has GPT-2's tensor names, with query, key and value side by side in c_attn") {
    const Checkpoint c = small_checkpoint();
    TemporaryFolder folder;
    save_checkpoint(folder / "m", c);
    const Safetensors file = read_safetensors(folder / "m" / "model.safetensors");
    const Tensor* joined = file.find("transformer.h.1.attn.c_attn.weight");
    REQUIRE(joined);
    CHECK(joined->shape() == Shape{8, 24});
    const TransformerGraph model = build_transformer(c.config, {1, 1});
    const auto cell = [&](const char* name, std::int64_t row, std::int64_t column) {
        return (*c.parameters)[(*model.graph)[model.graph->at(name)].offset + row * 8 + column];
    };
    CHECK(joined->at({3, 5}) == cell("blocks.1.attn.W_Q", 3, 5));
    CHECK(joined->at({3, 8 + 5}) == cell("blocks.1.attn.W_K", 3, 5));
    CHECK(joined->at({7, 16 + 7}) == cell("blocks.1.attn.W_V", 7, 7));
}

TEST_CASE("the shipped homonym model is loaded and saved byte for byte") {
    const fs::path shipped = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
    TemporaryFolder folder;
    save_checkpoint(folder / "again", load_checkpoint(shipped));
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(shipped)) {
        CAPTURE(entry.path().string());
        const fs::path again = folder / "again" / entry.path().filename().string();
        CHECK((read_file(entry.path(), 1 << 26) == read_file(again, 1 << 26)));
        ++files;
    }
    CHECK(files == 5);
    CHECK(files == static_cast<std::size_t>(std::distance(fs::directory_iterator(folder / "again"), {})));
}

TEST_CASE("a damaged checkpoint is refused with the file and the reason") {
    CHECK(contains(error_of([] { load_checkpoint("/no/such/folder"); }), "/no/such/folder is not a checkpoint folder"));
    CHECK(contains(spoiled([](const fs::path& m) { fs::remove(m / "config.json"); }), "config.json"));
    CHECK(contains(spoiled([](const fs::path& m) { std::ofstream(m / "config.json") << "{\"n_embd\":"; }),
                   "is not a JSON object"));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_embd\": 8", "\"n_embd\": \"8\""); }),
                   "\"n_embd\" must be a whole number"));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_embd\": 8", "\"n_embd\": 9"); }),
                   "is not divisible"));
    CHECK(contains(
        spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_layer\": 2", "\"n_layer\": 99999999999"); }),
        "\"n_layer\" is out of range"));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_layer\": 2", "\"n_layer\": -1"); }),
                   "\"n_layer\" is out of range"));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "config.json", "\"vocab_size\"", "\"vocabulary\""); }),
                   "\"vocab_size\" is missing"));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "config.json", "glassformer_encoder", "mamba"); }),
                   "\"model_type\" is \"mamba\""));
    CHECK(contains(spoiled([](const fs::path& m) { replace(m / "vocab.txt", "cave\n", ""); }), "config.json says 6"));
    CHECK(contains(spoiled([](const fs::path& m) { fs::resize_file(m / "model.safetensors", 100); }),
                   "model.safetensors"));
    CHECK(contains(spoiled([](const fs::path& m) {
                       std::ofstream(m / "log.jsonl") << "{\"step\":1,\"loss\":2}\n{\"step\":1,\"loss\":2}\n";
                   }),
                   "log.jsonl:2: steps must grow"));
}

TEST_CASE("tensors that do not fit config.json are all named") {
    const std::string message =
        spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_inner\": 12", "\"n_inner\": 16"); });
    CHECK(contains(message, "transformer.h.0.mlp.c_fc.weight has shape [8, 12]; config.json asks for [8, 16]"));
    CHECK(contains(message, "transformer.h.1.mlp.c_proj.weight"));
    const std::string missing =
        spoiled([](const fs::path& m) { replace(m / "config.json", "\"n_layer\": 2", "\"n_layer\": 3"); });
    CHECK(contains(missing, "transformer.h.2.ln_1.weight is missing"));
    CHECK(contains(missing, "transformer.h.2.mlp.c_proj.bias is missing"));
}

TEST_CASE("huge sizes in config.json are refused before any memory is allocated") {
    const std::string message = spoiled([](const fs::path& m) {
        replace(m / "config.json", "\"n_embd\": 8", "\"n_embd\": 16384");
        replace(m / "config.json", "\"n_inner\": 12", "\"n_inner\": 131072");
        replace(m / "config.json", "\"n_positions\": 5", "\"n_positions\": 65536");
    });
    CHECK(contains(message, "config.json asks for [16384, 131072]"));
}

TEST_CASE("a NaN weight is refused, and the error names its tensor") {
    const std::string message = spoiled([](const fs::path& m) {
        Safetensors file = read_safetensors(m / "model.safetensors");
        for (NamedTensor& t : file.tensors)
            if (t.name == "transformer.ln_f.bias") t.tensor.values()[3] = std::numeric_limits<float>::quiet_NaN();
        write_safetensors(m / "model.safetensors", file);
    });
    CHECK(contains(message, "transformer.ln_f.bias"));
}

TEST_CASE("when saving fails the old checkpoint survives") {
    TemporaryFolder folder;
    const fs::path model = folder.path() / "model";
    save_checkpoint(model, small_checkpoint());
    Checkpoint broken = small_checkpoint();
    broken.step = 99;
    broken.keyframes = {{3, broken.parameters}, {3, broken.parameters}};  // cannot be written: two tensors of one name
    CHECK(!error_of([&] { save_checkpoint(model, broken); }).empty());
    CHECK(load_checkpoint(model).step == 17);
}

TEST_CASE("saving replaces only a checkpoint that this program wrote") {
    const TemporaryFolder folder;
    const fs::path model = folder / "model";
    save_checkpoint(model, small_checkpoint());
    save_checkpoint(model, small_checkpoint());
    const auto refusal = [&] { return error_of([&] { save_checkpoint(model, small_checkpoint()); }); };
    SUBCASE("a project that has a config.json") {
        fs::create_directories(model / "src");
        std::ofstream(model / "src" / "main.c") << "int main;";
        CHECK(contains(refusal(), "it contains \"src\""));
        CHECK(fs::exists(model / "src" / "main.c"));
    }
    SUBCASE("another program's model whose files have the same names") {
        replace(model / "config.json", "\"world\"", "\"other\"");
        CHECK(contains(refusal(), "not a checkpoint of this program"));
    }
    SUBCASE("a config.json that is not JSON") {
        std::ofstream(model / "config.json") << "no";
        CHECK(contains(refusal(), "not a checkpoint of this program"));
    }
    const std::string before = error_of([&] { require_checkpoint_place(model); });
    CHECK(before == refusal());
    CHECK(read_file(model / "model.safetensors", 1 << 20).size() > 100);
}
