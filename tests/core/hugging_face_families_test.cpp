// Folders from elsewhere that cannot be read: one message gives every reason.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"
#include "core/io/tensor_layout.h"
#include "core/trace/tracer.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const fs::path golden = fs::path(GLASSFORMER_SOURCE_DIR) / "tests/golden/hugging_face";

json config_of(const std::string& name) { return json::parse(std::ifstream(golden / name / "config.json")); }

/// Writes a golden folder with another config.json and changed tensors.
void write_changed(const fs::path& folder, const std::string& name, const json& config,
                   const std::function<void(Safetensors&)>& change = {}) {
    write_text(folder / "config.json", config.dump());
    Safetensors tensors = read_safetensors(golden / name / "model.safetensors");
    if (change) change(tensors);
    write_safetensors(folder / "model.safetensors", tensors);
}

/// Returns the parameters of a folder, to compare two folders.
std::vector<float> parameters_in(const fs::path& folder) {
    const Checkpoint checkpoint = load_checkpoint(folder);
    std::vector<float> values(static_cast<std::size_t>(checkpoint.parameters->size()));
    checkpoint.parameters->copy(0, values);
    return values;
}

/// Returns why the golden folder is refused with another config.json and changed tensors; empty if it is accepted.
std::string refusal(const std::string& name, const json& config, const std::function<void(Safetensors&)>& change = {}) {
    const TemporaryFolder folder;
    write_changed(folder.path(), name, config, change);
    return error_of([&] { load_checkpoint(folder.path()); });
}

void check_says(const std::string& message, const std::vector<std::string>& parts) {
    INFO(message);
    for (const std::string& part : parts) {
        INFO(part);
        CHECK(contains(message, part));
    }
}

json with(json config, const json& fields) {
    config.update(fields);
    return config;
}

}  // namespace

TEST_CASE("folders from elsewhere: an unsupported architecture is refused, and the supported ones are listed") {
    check_says(refusal("llama2", with(config_of("llama2"), {{"model_type", "mamba"}})),
               {"config.json", "model_type", "mamba", "llama", "qwen3", "gpt_neox", "bert"});
}

TEST_CASE("folders from elsewhere: every field at fault is named at once") {
    check_says(refusal("llama2", with(config_of("llama2"), {{"hidden_act", "relu"},
                                                            {"vocab_size", "many"},
                                                            {"rope_scaling", {{"rope_type", "yarn"}, {"factor", 2.0}}},
                                                            {"mlp_bias", true},
                                                            {"quantization_config", json::object()}})),
               {"hidden_act", "vocab_size", "yarn", "mlp_bias", "quantization_config"});
    check_says(refusal("gpt_neo", with(config_of("gpt_neo"), {{"attention_types", json::array({"global"})}})),
               {"attention_types"});
    check_says(
        refusal("gpt_neo", with(config_of("gpt_neo"),
                                {{"attention_types", json::array({json::array({json::array({"local"}), 1 << 30})})}})),
        {"attention_types"});
    check_says(refusal("gemma3", with(config_of("gemma3"),
                                      {{"layer_types", {"full_attention"}}, {"final_logit_softcapping", 30.0}})),
               {"layer_types", "final_logit_softcapping"});
    check_says(refusal("llama2", with(config_of("llama2"), {{"num_key_value_heads", 2}})), {"n_key_value_heads 2"});
    check_says(refusal("llama2", with(config_of("llama2"), {{"num_attention_heads", 0}})), {"n_heads"});
    check_says(refusal("bert", with(config_of("bert"), {{"position_embedding_type", "relative_key"}})),
               {"position_embedding_type"});
}

TEST_CASE("folders from elsewhere: every tensor at fault is named at once") {
    check_says(refusal("llama2", config_of("llama2"),
                       [](Safetensors& file) {
                           std::erase_if(file.tensors,
                                         [](const NamedTensor& t) { return t.name == "model.norm.weight"; });
                           file.tensors.push_back({"model.layers.7.mlp.gate_proj.weight", Tensor({10, 12})});
                           for (NamedTensor& t : file.tensors)
                               if (t.name == "lm_head.weight") t.tensor = Tensor({12, 13});
                       }),
               {"model.norm.weight is missing", "model.layers.7.mlp.gate_proj.weight is not a tensor",
                "lm_head.weight has shape"});
}

TEST_CASE("folders from elsewhere: tensor names without prefix, old names and unused tensors are accepted") {
    const auto renamed = [](const std::string& name, const std::string& prefix) {
        return refusal(name, config_of(name), [&](Safetensors& file) {
            for (NamedTensor& t : file.tensors)
                if (t.name.starts_with(prefix)) t.name = t.name.substr(prefix.size());
        });
    };
    CHECK(renamed("llama3", "model.") == "");
    CHECK(renamed("gpt_neox", "gpt_neox.") == "");
    CHECK(renamed("gpt_neo", "transformer.") == "");
    CHECK(renamed("bert", "bert.") == "");
    CHECK(refusal("bert", config_of("bert"), [](Safetensors& file) {
              for (NamedTensor& t : file.tensors)
                  for (const auto& [now, old] :
                       {std::pair<std::string, std::string>{"LayerNorm.weight", "LayerNorm.gamma"},
                        {"LayerNorm.bias", "LayerNorm.beta"}})
                      if (t.name.ends_with(now)) t.name = t.name.substr(0, t.name.size() - now.size()) + old;
              file.tensors.push_back({"cls.seq_relationship.bias", Tensor({2})});
          }) == "");
    // A folder's pooler is read if it is there, but only if it is complete.
    for (const char* prefix : {"bert.", ""}) {
        const std::string dense = prefix + std::string("pooler.dense.");
        CHECK(refusal("bert", config_of("bert"), [&](Safetensors& file) {
                  file.tensors.push_back({dense + "weight", Tensor({12, 12})});
                  file.tensors.push_back({dense + "bias", Tensor({12})});
              }) == "");
        CHECK(contains(refusal("bert", config_of("bert"),
                               [&](Safetensors& file) {
                                   file.tensors.push_back({dense + "weight", Tensor({12, 11})});
                               }),
                       "bert.pooler.dense.bias is missing"));
    }
    CHECK(refusal("gpt_neox", config_of("gpt_neox"), [](Safetensors& file) {
              file.tensors.push_back({"gpt_neox.layers.0.attention.bias", Tensor({1, 1, 16, 16})});
              file.tensors.push_back({"gpt_neox.layers.1.attention.rotary_emb.inv_freq", Tensor({2})});
          }) == "");
    CHECK(refusal("llama2",
                  with(config_of("llama2"), {{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 1e4}}},
                                             {"rope_theta", nullptr}})) == "");
}

TEST_CASE("folders from elsewhere: the prefixes of torch.compile and PyTorch's wrappers are ignored") {
    for (const std::string wrapper : {"_orig_mod.", "module.", "module._orig_mod."}) {
        CAPTURE(wrapper);
        const TemporaryFolder folder;
        write_changed(folder.path(), "llama3", config_of("llama3"), [&](Safetensors& file) {
            for (NamedTensor& t : file.tensors) t.name = wrapper + t.name;
        });
        CHECK(parameters_in(folder.path()) == parameters_in(golden / "llama3"));
    }
}

TEST_CASE("folders from elsewhere: a tied model's file may have only lm_head") {
    const TemporaryFolder folder;
    write_changed(folder.path(), "llama3", config_of("llama3"), [](Safetensors& file) {
        for (NamedTensor& t : file.tensors)
            if (t.name == "model.embed_tokens.weight") t.name = "lm_head.weight";
    });
    CHECK(parameters_in(folder.path()) == parameters_in(golden / "llama3"));
    // If both are missing, the message names the one that is normally in the file.
    check_says(refusal("llama3", config_of("llama3"),
                       [](Safetensors& file) {
                           std::erase_if(file.tensors,
                                         [](const NamedTensor& t) { return t.name == "model.embed_tokens.weight"; });
                       }),
               {"model.embed_tokens.weight is missing"});
}

TEST_CASE("folders from elsewhere: XLM-R and CamemBERT are read as RoBERTa") {
    for (const auto& [type, architecture] :
         {std::pair<std::string, std::string>{"xlm-roberta", "XLMRobertaForMaskedLM"},
          {"camembert", "CamembertForMaskedLM"}}) {
        CAPTURE(type);
        const TemporaryFolder folder;
        write_changed(folder.path(), "roberta",
                      with(config_of("roberta"), {{"model_type", type}, {"architectures", {architecture}}}));
        CHECK(parameters_in(folder.path()) == parameters_in(golden / "roberta"));
        CHECK(load_checkpoint(folder.path()).config == load_checkpoint(golden / "roberta").config);
    }
}

TEST_CASE("folders from elsewhere: a BERT without the head that predicts tokens gives its last hidden states") {
    for (const auto& [name, head, model] : {std::tuple<std::string, std::string, std::string>{"bert", "cls.", "bert."},
                                            {"bert_pooler", "cls.", "bert."},
                                            {"roberta", "lm_head.", "roberta."},
                                            {"distilbert", "vocab_", "distilbert."}}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        write_changed(folder.path(), name, config_of(name), [&head = head, &model = model](Safetensors& file) {
            std::erase_if(file.tensors, [&](const NamedTensor& t) { return t.name.starts_with(head); });
            // As BertModel is published: names without the model's prefix, and a head for another task.
            for (NamedTensor& t : file.tensors) t.name = t.name.substr(model.size());
            file.tensors.push_back({"classifier.weight", Tensor(Shape{2, 12})});
        });
        const Checkpoint headless = load_checkpoint(folder.path()), whole = load_checkpoint(golden / name);
        CHECK(headless.config.output == OutputKind::vectors);
        CHECK(headless.config.pooler == whole.config.pooler);
        CpuBackend backend(1);
        Tracer without(backend, headless.config), with_head(backend, whole.config);
        const std::vector<int> tokens{2, 4, 7, 3};
        const std::shared_ptr<const Trace> bare = without.trace(tokens, headless.parameters),
                                           full = with_head.trace(tokens, whole.parameters);
        const int last = bare->model().logits;
        CHECK(bare->graph().at("logits") == last);
        CHECK(
            std::ranges::equal(bare->values(last), full->values(full->graph().at(stream_name(whole.config.n_layers)))));
        CHECK(bare->model().probabilities < 0);
    }
}

TEST_CASE("folders from elsewhere: RoPE scaling that lacks a number is refused, not ignored") {
    for (const char* lacking : {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
        CAPTURE(lacking);
        json config = config_of("llama3");
        config["rope_scaling"].erase(lacking);
        check_says(refusal("llama3", config), {"rope_scaling", lacking});
    }
    json config = config_of("llama_linear");
    config["rope_scaling"].erase("factor");
    check_says(refusal("llama_linear", config), {"rope_scaling", "factor"});
}

TEST_CASE("folders from elsewhere: a problem that many tensors share is reported once, with some of them") {
    const TemporaryFolder folder;
    write_text(folder / "config.json", config_of("llama2").dump());
    const Safetensors whole = read_safetensors(golden / "llama2" / "model.safetensors");
    std::string bytes = to_safetensors(whole);
    // As many cells in half the bytes, of a type that is not read: I16 instead of F32.
    json header = json::object();
    std::int64_t at = 0;
    for (const NamedTensor& t : whole.tensors) {
        const auto sizes = t.tensor.shape().sizes();
        const std::int64_t end = at + 2 * t.tensor.shape().elements();
        header[t.name] = {{"dtype", "I16"},
                          {"shape", std::vector<std::int64_t>(sizes.begin(), sizes.end())},
                          {"data_offsets", {at, end}}};
        at = end;
    }
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    write_text(folder / "model.safetensors", std::string(reinterpret_cast<const char*>(&length), 8) + text +
                                                 std::string(static_cast<std::size_t>(at), '\0'));
    const std::string message = error_of([&] { load_checkpoint(folder.path()); });
    check_says(message, {"has dtype I16; only F32, F16 and BF16 are supported", "more tensors with the same problem"});
    CHECK(std::ranges::count(message, '\n') == 2);
}

TEST_CASE("folders from elsewhere: the error names what is there instead of a model, and says what to do") {
    const auto refusal_with = [](const std::vector<std::string>& names, bool config) {
        const TemporaryFolder folder;
        if (config) write_text(folder / "config.json", config_of("llama2").dump());
        for (const std::string& name : names) write_text(folder / name, "x");
        return error_of([&] { load_checkpoint(folder.path()); });
    };
    check_says(refusal_with({}, true), {"there is no model.safetensors", "config.json"});
    check_says(refusal_with({"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}, true),
               {"there is no model.safetensors", "model-00001-of-00002.safetensors", "model.safetensors.index.json"});
    check_says(refusal_with({"pytorch_model-00001-of-00002.bin"}, true),
               {"pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json"});
    check_says(refusal_with({"llama-q4.gguf"}, true), {"llama-q4.gguf is a GGUF file, which is opened itself"});
    check_says(refusal_with({"adapter_model.safetensors"}, true), {"adapter_model.safetensors", "merge_and_unload"});
    // Not even a config.json: nanoGPT's out/, or the download of a single file.
    check_says(refusal_with({"ckpt.pt"}, false),
               {"there is no config.json", "ckpt.pt is in a PyTorch format that is not supported"});
    check_says(refusal_with({"llama-q4.gguf"}, false),
               {"there is no config.json", "llama-q4.gguf is a GGUF file, which is opened itself"});
    check_says(refusal_with({"tf_model.h5"}, false), {"tf_model.h5 is a TensorFlow file"});
    check_says(refusal_with({}, false), {"there is no config.json", "the folder is empty"});
    const TemporaryFolder folder;
    write_text(folder / "llama-q4.gguf", "x");
    check_says(error_of([&] { load_checkpoint(folder / "llama-q4.gguf"); }), {"does not begin as a GGUF file"});
    for (const auto& call : {refusal_with({"ckpt.pt"}, false), refusal_with({"ckpt.pt"}, true)})
        CHECK(!contains(call, "check the spelling"));
}

TEST_CASE("folders from elsewhere: an unreadable folder is not called empty, and the system's reason is given") {
    const TemporaryFolder folder;
    const auto check_reason = [](const std::string& said, const std::error_code& why) {
        check_says(said, {"cannot be read: " + why.message()});
        for (const char* wrong : {"empty", "there is no", "train --world"}) CHECK(!contains(said, wrong));
    };
    std::error_code why;
    write_text(folder / "file", "x");
    fs::directory_iterator(folder / "file", why);
    REQUIRE(why);
    check_reason(error_of([&] { fail_without(folder / "file", "config.json"); }), why);
    // Where the system cannot even say whether the file exists.
    const fs::path longer = folder / std::string(5000, 'x'), closed = folder / "closed";
    if (!fs::exists(longer, why) && why) check_reason(error_of([&] { load_checkpoint(longer); }), why);
    fs::create_directory(closed);
    for (const fs::perms left : {fs::perms::none, fs::perms::owner_read}) {
        fs::permissions(closed, left);
        // root may read everything.
        if (!fs::exists(closed / "config.json", why) && why)
            check_reason(error_of([&] { load_checkpoint(closed); }), why);
        fs::permissions(closed, fs::perms::owner_all);
    }
}

TEST_CASE("folders from elsewhere: a Git LFS pointer instead of a file is reported, with what to do") {
    const std::string pointer =
        "version https://git-lfs.github.com/spec/v1\n"
        "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    for (const char* file : {"config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "vocab.json",
                             "tokenizer_config.json", "model.safetensors.index.json", "pytorch_model.bin"}) {
        CAPTURE(file);
        const TemporaryFolder folder;
        write_changed(folder.path(), "bert", config_of("bert"));
        const std::string name = file;
        if (name.ends_with(".index.json") || name.ends_with(".bin")) fs::remove(folder / "model.safetensors");
        if (name == "tokenizer_config.json")
            write_text(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n");
        write_text(folder / file, pointer);
        check_says(error_of([&] { load_checkpoint(folder.path()); }), {file, "Git LFS", "git lfs pull"});
    }
}
