#include <doctest/doctest.h>

#include "core/io/checkpoint.h"
#include "core/io/hugging_face.h"
#include "core/io/model_files.h"
#include "core/platform/atomic_file.h"
#include "tests/core/model_folder.h"
#include "tests/core/small_checkpoint.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

Checkpoint gpt2() {
    return small_checkpoint([](TransformerConfig& c) {
        c.family = Family::decoder;
        c.activation = Activation::gelu_tanh;
    });
}

Checkpoint own() {
    return small_checkpoint([](TransformerConfig& c) { c.activation = Activation::relu; });
}

json config_of(const fs::path& folder) { return json::parse(read_file(folder / "config.json", 1 << 20)); }

/// Returns the content of every file in a folder, by name.
std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        files[entry.path().filename().string()] = read_file(entry.path(), 1 << 20);
    return files;
}

std::string saved_and_spoiled(const Checkpoint& c, const std::function<void(const fs::path&)>& spoil) {
    const TemporaryFolder folder;
    save_checkpoint(folder / "m", c);
    spoil(folder / "m");
    return error_of([&] { load_checkpoint(folder / "m"); });
}

}  // namespace

TEST_CASE("a model from elsewhere has no training of its own and a saved copy of it has none either") {
    const TemporaryFolder folder;
    const Checkpoint published = load_checkpoint(GLASSFORMER_SOURCE_DIR "/tests/golden/gpt2_tiny");
    CHECK_FALSE(published.has_training());
    save_checkpoint(folder / "copy", published);
    CHECK_FALSE(load_checkpoint(folder / "copy").has_training());
    for (Checkpoint trained : {gpt2(), own()}) {
        save_checkpoint(folder / "trained", trained);
        CHECK(load_checkpoint(folder / "trained").has_training());
        trained.step = 0;  // a fresh model of its world
        CHECK(trained.has_training());
    }
}

TEST_CASE("every format loads as it was saved, and saves to the same bytes again") {
    for (const Checkpoint& saved : {gpt2(), own(), small_checkpoint()}) {
        const TemporaryFolder folder;
        save_checkpoint(folder / "a", saved);
        const Checkpoint loaded = load_checkpoint(folder / "a");
        CAPTURE(config_of(folder / "a").dump());
        CHECK(loaded.config == saved.config);
        CHECK(*loaded.parameters == *saved.parameters);
        CHECK(loaded.world == "homonyms");
        CHECK(loaded.seed == 42);
        CHECK(loaded.step == 17);
        CHECK(loaded.planned_steps == 100);
        CHECK(loaded.words()->word(4) == "cave");
        CHECK(loaded.log.size() == 2);
        CHECK(loaded.keyframes.size() == 2);
        save_checkpoint(folder / "b", loaded);
        CHECK((files_of(folder / "a") == files_of(folder / "b")));
    }
}

TEST_CASE("the model decides the format") {
    const TemporaryFolder folder;
    save_checkpoint(folder / "m", small_checkpoint());
    CHECK(config_of(folder / "m")["model_type"] == "glassformer_encoder");
    save_checkpoint(folder / "m", gpt2());
    CHECK(config_of(folder / "m")["model_type"] == "gpt2");
    CHECK(config_of(folder / "m")["tokenizer"] == "words");
    save_checkpoint(folder / "m", own());
    CHECK(config_of(folder / "m")["model_type"] == "glassformer");
    CHECK(config_of(folder / "m")["activation"] == "relu");
    const Safetensors file = read_safetensors(folder / "m" / "model.safetensors");
    REQUIRE(file.find("embed.W_E"));
    CHECK(file.find("embed.W_E")->shape() == Shape{6, 8});
    REQUIRE(file.find("blocks.1.attn.W_Q"));
    CHECK(file.find("blocks.1.attn.W_Q")->shape() == Shape{8, 8});
}

TEST_CASE("the largest seed is saved and loaded") {
    const TemporaryFolder folder;
    Checkpoint c = own();
    c.seed = ~std::uint64_t{0};
    save_checkpoint(folder / "m", c);
    CHECK(load_checkpoint(folder / "m").seed == c.seed);
}

TEST_CASE("a model without a tokenizer is saved and loaded without one") {
    for (Checkpoint c : {gpt2(), own()}) {
        c.tokenizer = nullptr;
        const TemporaryFolder folder;
        save_checkpoint(folder / "m", c);
        CHECK_FALSE(fs::exists(folder / "m" / "vocab.txt"));
        CHECK(load_checkpoint(folder / "m").tokenizer == nullptr);
    }
}

TEST_CASE("a damaged checkpoint in Glassformer's own format is refused with the reason") {
    CHECK(contains(saved_and_spoiled(own(), [](const fs::path& m) { fs::remove(m / "vocab.txt"); }),
                   "\"tokenizer\" is \"words\", but the folder has none of its files"));
    CHECK(contains(saved_and_spoiled(own(),
                                     [](const fs::path& m) {
                                         json config = config_of(m);
                                         config["tokenizer"] = "gpt2";
                                         write_text(m / "config.json", config.dump());
                                     }),
                   "\"tokenizer\" is \"gpt2\", but the folder has the files of \"words\""));
    CHECK(contains(saved_and_spoiled(own(),
                                     [](const fs::path& m) {
                                         std::string words = read_file(m / "vocab.txt", 1000);
                                         write_text(m / "vocab.txt", words + "moon\n");
                                     }),
                   "vocab.txt has 7 tokens; config.json says 6"));
    CHECK(contains(saved_and_spoiled(own(),
                                     [](const fs::path& m) {
                                         json config = config_of(m);
                                         config.erase("world");
                                         write_text(m / "config.json", config.dump());
                                     }),
                   "\"world\" is missing"));
    const std::string message = saved_and_spoiled(own(), [](const fs::path& m) {
        Safetensors file = read_safetensors(m / "model.safetensors");
        std::erase_if(file.tensors, [](const NamedTensor& t) { return t.name.starts_with("blocks.1.mlp"); });
        file.tensors.push_back({"blocks.7.mlp.W_in", Tensor(Shape{2})});
        for (NamedTensor& t : file.tensors)
            if (t.name == "ln_final.w") t.tensor = Tensor(Shape{9});
        write_safetensors(m / "model.safetensors", file);
    });
    for (const char* name : {"W_in", "b_in", "W_out", "b_out"})
        CHECK(contains(message, "blocks.1.mlp." + std::string(name) + " is missing"));
    CHECK(contains(message, "blocks.7.mlp.W_in is not a tensor of this model"));
    CHECK(contains(message, "ln_final.w has shape [9]; config.json asks for [8]"));
}

TEST_CASE("an exported GPT-2 has Hugging Face's files, names and shapes, and exports to the same bytes again") {
    const TemporaryFolder folder;
    const Checkpoint saved = gpt2();
    save_hugging_face(folder / "hf", saved);
    const json config = config_of(folder / "hf");
    CHECK(config["model_type"] == "gpt2");
    CHECK(config["architectures"] == json{"GPT2LMHeadModel"});
    CHECK(config["activation_function"] == "gelu_new");
    CHECK(config["n_inner"] == 12);
    CHECK(config["layer_norm_epsilon"].dump() == "1e-05");
    CHECK(config["eos_token_id"].is_null());
    CHECK_FALSE(config.contains("world"));
    const std::map<std::string, std::string> files = files_of(folder / "hf");
    CHECK(files.size() == 3);
    const Safetensors tensors = read_safetensors(folder / "hf" / "model.safetensors");
    CHECK(tensors.metadata.at("format") == "pt");
    CHECK(tensors.tensors.size() == 2 + 12 * 2 + 2);  // a tied head is not written
    CHECK(tensors.find("transformer.h.0.attn.c_attn.weight")->shape() == Shape{8, 24});
    const Checkpoint loaded = load_checkpoint(folder / "hf");
    CHECK(loaded.config == saved.config);
    CHECK(*loaded.parameters == *saved.parameters);
    save_hugging_face(folder / "again", loaded);
    CHECK((files_of(folder / "again") == files));
    // A checkpoint of the same model holds the same tensors.
    save_checkpoint(folder / "m", saved);
    CHECK((files_of(folder / "m")["model.safetensors"] == files.at("model.safetensors")));
}

TEST_CASE("a hand-made GPT-2 file is loaded and exported byte for byte") {
    const TemporaryFolder folder;
    Safetensors in = gpt2_tensors();
    in.metadata["format"] = "pt";
    write_gpt2(folder / "in", gpt2_config(), in);
    save_hugging_face(folder / "out", load_checkpoint(folder / "in"));
    CHECK((files_of(folder / "out")["model.safetensors"] == files_of(folder / "in")["model.safetensors"]));
}

TEST_CASE("a model that is not GPT-2-shaped is not exported, and the option at fault is named") {
    const auto reason = [](const std::function<void(TransformerConfig&)>& change) {
        TransformerConfig c = gpt2().config;
        change(c);
        std::string why;
        CHECK_FALSE(is_gpt2_shaped(c, &why));
        return why;
    };
    using C = TransformerConfig;
    CHECK(is_gpt2_shaped(gpt2().config));
    CHECK(reason([](C& c) { c.family = Family::encoder; }) == "family is encoder; GPT-2's is decoder");
    CHECK(reason([](C& c) { c.positions = Positions::rotary; }) == "positions is rotary; GPT-2's is learned");
    CHECK(reason([](C& c) { c.norm = NormKind::rms_norm; }) == "norm is rms_norm; GPT-2's is layer_norm");
    CHECK(reason([](C& c) { c.norm_placement = NormPlacement::post; }).starts_with("norm_placement is post"));
    CHECK(reason([](C& c) { c.norm_scalar = true; }).starts_with("norm_scalar is true"));
    CHECK(reason([](C& c) { c.activation = Activation::swiglu; }).starts_with("activation is swiglu"));
    CHECK(reason([](C& c) { c.activation = Activation::none; }).starts_with("activation is none"));
    CHECK(reason([](C& c) { c.residual = false; }).starts_with("residual is false"));
    CHECK(reason([](C& c) { c.input = InputKind::values; }).starts_with("input is values"));
    CHECK(reason([](C& c) { c.output = OutputKind::classes; }).starts_with("output is classes"));
    CHECK(reason([](C& c) { c.attention.projections = Projections::shared; }).starts_with("attention.projections is"));
    CHECK(reason([](C& c) { c.attention.biases = false; }).starts_with("attention.biases is false"));
    CHECK(reason([](C& c) { c.attention.hard = true; }).starts_with("attention.hard is true"));
    CHECK(reason([](C& c) { c.attention.scale = false; }).starts_with("attention.scale is false"));
    CHECK(reason([](C& c) { c.attention.d_head = 3; }).starts_with("attention.d_head is 3"));
    CHECK(reason([](C& c) { c.attention.d_value = 3; }).starts_with("attention.d_value is 3"));
    const TemporaryFolder folder;
    CHECK(contains(error_of([&] { save_hugging_face(folder / "hf", own()); }), "its family is encoder"));
    CHECK_FALSE(fs::exists(folder / "hf"));
}
