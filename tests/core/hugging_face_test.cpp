#include "core/io/hugging_face.h"

#include <doctest/doctest.h>

#include "core/nn/transformer.h"
#include "core/platform/atomic_file.h"
#include "core/tensor/typed_matrix.h"
#include "tests/core/half_cells.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

Checkpoint load(const json& config, const Safetensors& tensors) {
    const TemporaryFolder folder;
    write_gpt2(folder / "m", config, tensors);
    return load_checkpoint(folder / "m");
}

std::string refusal(const json& config, const Safetensors& tensors = gpt2_tensors()) {
    return error_of([&] { load(config, tensors); });
}

json config_with(const char* field, const json& value) {
    json config = gpt2_config();
    config[field] = value;
    return config;
}

float cell(const Checkpoint& c, const std::string& name, std::int64_t offset) {
    const TransformerGraph model = build_transformer(c.config, {1, 1});
    return (*c.parameters)[(*model.graph)[model.graph->at(name)].offset + offset];
}

}  // namespace

TEST_CASE("a Hugging Face folder loads with its sizes and every tensor in its place") {
    const Safetensors file = gpt2_tensors();
    const Checkpoint c = load(gpt2_config(), file);
    CHECK(c.config.family == Family::decoder);
    CHECK(c.config.d_vocab == gpt2_vocab);
    CHECK(c.config.d_mlp == 4 * gpt2_width);
    CHECK(c.config.activation == Activation::gelu_tanh);
    CHECK(c.config.norm_epsilon == 1e-5f);
    CHECK(c.config.tied);
    CHECK(c.tokenizer == nullptr);
    CHECK(c.world.empty());
    const auto stored = [&](const char* name, const Index& at) {
        return file.find("transformer." + std::string(name))->at(at);
    };
    CHECK(cell(c, "embed.W_E", 3 * 8 + 2) == stored("wte.weight", {3, 2}));
    CHECK(cell(c, "pos_embed.W_pos", 4 * 8 + 7) == stored("wpe.weight", {4, 7}));
    CHECK(cell(c, "blocks.1.attn.W_Q", 5 * 8 + 6) == stored("h.1.attn.c_attn.weight", {5, 6}));
    CHECK(cell(c, "blocks.1.attn.W_K", 5 * 8 + 6) == stored("h.1.attn.c_attn.weight", {5, 8 + 6}));
    CHECK(cell(c, "blocks.0.attn.W_V", 7 * 8 + 1) == stored("h.0.attn.c_attn.weight", {7, 16 + 1}));
    CHECK(cell(c, "blocks.0.attn.b_V", 3) == stored("h.0.attn.c_attn.bias", {16 + 3}));
    CHECK(cell(c, "blocks.0.mlp.W_in", 2 * 32 + 31) == stored("h.0.mlp.c_fc.weight", {2, 31}));
    CHECK(cell(c, "blocks.0.mlp.W_out", 31 * 8 + 2) == stored("h.0.mlp.c_proj.weight", {31, 2}));
    CHECK(cell(c, "ln_final.b", 7) == stored("ln_f.bias", {7}));
}

TEST_CASE("tensor names without prefix and the masks of old files make no difference") {
    const Checkpoint c = load(gpt2_config(), gpt2_tensors());
    Safetensors old = gpt2_tensors("");
    old.tensors.push_back({"h.0.attn.bias", Tensor(Shape{1, 1, 5, 5})});
    old.tensors.push_back({"h.1.attn.masked_bias", Tensor(Shape{})});
    CHECK(*load(gpt2_config(), old).parameters == *c.parameters);
    CHECK(contains(refusal(gpt2_config(),
                           [] {
                               Safetensors more = gpt2_tensors();
                               more.tensors.push_back({"h.0.attn.slopes", Tensor(Shape{2})});
                               return more;
                           }()),
                   "h.0.attn.slopes is not a tensor of this model"));
}

TEST_CASE("16-bit files load exactly the values that they hold") {
    const Checkpoint wide = load(gpt2_config(), gpt2_tensors());
    const TemporaryFolder folder;
    for (const char* dtype : {"F16", "BF16"}) {
        CAPTURE(dtype);
        write_gpt2(folder / dtype);
        write_text(folder / dtype / "model.safetensors", with_cells(gpt2_tensors(), dtype));
        CHECK(*load_checkpoint(folder / dtype).parameters == *wide.parameters);
    }
    // A value between two bfloat16 numbers: the bfloat16 in the file is what is loaded.
    Safetensors fine = gpt2_tensors();
    fine.tensors[0].tensor.values()[0] = 0.1f;
    write_text(folder / "BF16" / "model.safetensors", with_cells(fine, "BF16"));
    const float loaded = load_checkpoint(folder / "BF16").parameters->front();
    CHECK(loaded == float_from_bfloat16(0x3dcc));
    CHECK(loaded != 0.1f);
}

TEST_CASE("a NaN in a 16-bit file is refused with its position") {
    const TemporaryFolder folder;
    write_gpt2(folder / "m");
    std::string bytes = with_cells(gpt2_tensors(), "F16");
    bytes.replace(bytes.size() - 2, 2, "\x01\x7e");
    write_text(folder / "m" / "model.safetensors", bytes);
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "contains NaN at cell"));
}

TEST_CASE("an untied unembedding is read from lm_head.weight, which has a row for every word") {
    Safetensors file = gpt2_tensors();
    Tensor head(Shape{gpt2_vocab, gpt2_width});
    for (std::size_t i = 0; i < head.values().size(); ++i) head.values()[i] = static_cast<float>(i);
    file.tensors.push_back({"lm_head.weight", head});
    const json untied = config_with("tie_word_embeddings", false);
    const Checkpoint c = load(untied, file);
    CHECK_FALSE(c.config.tied);
    CHECK(cell(c, "unembed.W_U", 2 * gpt2_vocab + 5) == head.at({5, 2}));
    CHECK(contains(refusal(untied), "lm_head.weight is missing"));
    // If tied, the file may hold a copy of the embedding here, but no other matrix.
    CHECK(contains(refusal(gpt2_config(), file), "lm_head.weight is not the same as embed.W_E"));
    file.tensors.back().tensor = *file.find("transformer.wte.weight");
    CHECK(*load(gpt2_config(), file).parameters == *load(gpt2_config(), gpt2_tensors()).parameters);
}

TEST_CASE("config.json may leave out some fields, but not the architecture or the context length") {
    json config = gpt2_config();
    config.erase("model_type");
    CHECK(contains(refusal(config), "\"model_type\" is missing"));
    config["architectures"] = {"GPT2LMHeadModel"};
    config.erase("n_positions");
    CHECK(contains(refusal(config), "\"n_positions\" is missing"));
    config["n_ctx"] = gpt2_ctx;
    config.erase("n_inner");
    config.erase("resid_pdrop");
    const Checkpoint c = load(config, gpt2_tensors());
    CHECK(c.config.n_ctx == gpt2_ctx);
    CHECK(c.config.d_mlp == 4 * gpt2_width);
    CHECK(c.config.dropout == 0.1f);
    CHECK(c.config.init_std == 0.02f);
    CHECK(load(config_with("activation_function", "gelu"), gpt2_tensors()).config.activation == Activation::gelu);
    CHECK(load(config_with("activation_function", "relu"), gpt2_tensors()).config.activation == Activation::relu);
    CHECK_FALSE(load(config_with("scale_attn_weights", false), gpt2_tensors()).config.attention.scale);
}

TEST_CASE("an unsupported model is refused with the field at fault") {
    CHECK(contains(refusal(config_with("model_type", "mamba")), "\"model_type\" is \"mamba\""));
    CHECK(contains(refusal(config_with("activation_function", "swish")), "\"activation_function\" is \"swish\""));
    for (const char* name : {"scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "add_cross_attention"}) {
        CHECK(contains(refusal(config_with(name, true)), "\"" + std::string(name) + "\" is true"));
        CHECK(refusal(config_with(name, false)).empty());
        CHECK(contains(refusal(config_with(name, 1)), "must be true or false"));
    }
    CHECK(contains(refusal(config_with("quantization_config", json::object())), "\"quantization_config\""));
    CHECK(contains(refusal(config_with("n_embd", 2'000'000'000)), "d_model is 2000000000"));
    CHECK(contains(refusal(config_with("n_head", 3)), "is not divisible"));
    CHECK(contains(refusal(config_with("layer_norm_epsilon", 0)), "layer_norm_epsilon"));
}

TEST_CASE("tensors that do not fit config.json are all named in one message") {
    std::string message = refusal(config_with("n_layer", 3));
    CHECK(contains(message, "transformer.h.2.ln_1.weight is missing"));
    CHECK(contains(message, "transformer.h.2.mlp.c_proj.bias is missing"));
    message = refusal(config_with("n_layer", 1));
    CHECK(contains(message, "transformer.h.1.ln_1.weight is not a tensor of this model"));
    CHECK(contains(message, "transformer.h.1.mlp.c_proj.bias is not a tensor of this model"));
    message = refusal(config_with("vocab_size", 9));
    CHECK(contains(message, "transformer.wte.weight has shape [7, 8]; config.json asks for [9, 8]"));
    message = refusal(config_with("n_inner", 16));
    CHECK(contains(message, "transformer.h.1.mlp.c_fc.weight has shape [8, 32]; config.json asks for [8, 16]"));
    Safetensors twice = gpt2_tensors();
    twice.tensors.push_back({"wpe.weight", *twice.find("transformer.wpe.weight")});
    twice.tensors.push_back({"ln_f.bias", *twice.find("transformer.ln_f.bias")});
    message = refusal(gpt2_config(), twice);
    CHECK(contains(message, "wpe.weight already exists, as transformer.wpe.weight"));
    CHECK(contains(message, "ln_f.bias already exists, as transformer.ln_f.bias"));
}

TEST_CASE("a vocabulary may have fewer tokens than the matrix has rows, but a list of words not more") {
    const TemporaryFolder folder;
    write_gpt2(folder / "m");
    write_text(folder / "m" / "vocab.txt", "<pad>\n<mask>\n<unk>\nbat\n");
    CHECK(load_checkpoint(folder / "m").words()->size() == 4);
    write_text(folder / "m" / "vocab.txt", "<pad>\n<mask>\n<unk>\na\nb\nc\nd\ne\n");
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "has 8 tokens; config.json says 7"));
}

TEST_CASE("a published tokenizer may have more tokens than the matrix has rows: only a text with one is refused") {
    const TemporaryFolder folder;
    write_gpt2(folder / "m");
    write_text(folder / "m" / "tokenizer.json",
               R"({"pre_tokenizer": {"type": "WhitespaceSplit"}, "model": {"type": "WordLevel", "unk_token": "a",
                   "vocab": {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "f": 5, "bat": 6, "added": 7}}})");
    const Checkpoint c = load_checkpoint(folder / "m");
    REQUIRE(c.tokenizer);
    CHECK(c.tokenizer->size() == 8);
    CHECK(c.config.d_vocab == 7);
    require_embedded(*c.tokenizer, c.tokenizer->ids("a bat"), c.config.d_vocab);
    CHECK(contains(error_of([&] { require_embedded(*c.tokenizer, c.tokenizer->ids("a added bat"), c.config.d_vocab); }),
                   "the model has no embedding for the token \"added\": its id is 7; the model knows ids from 0 to 6"));
}
