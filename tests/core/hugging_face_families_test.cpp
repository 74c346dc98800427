// Folders from elsewhere that are not as they should be: one message, with everything that is the reason.
#include <doctest/doctest.h>

#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const fs::path golden = fs::path(GLASSFORMER_SOURCE_DIR) / "tests/golden/hugging_face";

json config_of(const std::string& name) { return json::parse(std::ifstream(golden / name / "config.json")); }

/// Why that golden folder is refused with another config.json and other tensors; empty when it is not.
std::string refusal(const std::string& name, const json& config, const std::function<void(Safetensors&)>& change = {}) {
    const TemporaryFolder folder;
    write_text(folder / "config.json", config.dump());
    Safetensors tensors = read_safetensors(golden / name / "model.safetensors");
    if (change) change(tensors);
    write_safetensors(folder / "model.safetensors", tensors);
    return error_of([&] { load_checkpoint(folder.path()); });
}

void check_says(const std::string& message, const std::vector<std::string>& parts) {
    INFO(message);
    for (const std::string& part : parts) {
        INFO(part);
        CHECK(message.find(part) != std::string::npos);
    }
}

json with(json config, const json& fields) {
    config.update(fields);
    return config;
}

}  // namespace

TEST_CASE("folders from elsewhere: an architecture that is not read is answered with those that are") {
    check_says(refusal("llama2", with(config_of("llama2"), {{"model_type", "mamba"}})),
               {"config.json", "model_type", "mamba", "llama", "qwen3", "gpt_neox", "bert"});
}

TEST_CASE("folders from elsewhere: every field that is the reason is named at once") {
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

TEST_CASE("folders from elsewhere: every tensor that is the reason is named at once") {
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

TEST_CASE("folders from elsewhere: names with and without their prefix, old names, and what has no place") {
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
    // A pooler is read where the folder has one, whole or not at all.
    for (const char* prefix : {"bert.", ""}) {
        const std::string dense = prefix + std::string("pooler.dense.");
        CHECK(refusal("bert", config_of("bert"), [&](Safetensors& file) {
                  file.tensors.push_back({dense + "weight", Tensor({12, 12})});
                  file.tensors.push_back({dense + "bias", Tensor({12})});
              }) == "");
        CHECK(refusal("bert", config_of("bert"), [&](Safetensors& file) {
                  file.tensors.push_back({dense + "weight", Tensor({12, 11})});
              }).find("bert.pooler.dense.bias is missing") != std::string::npos);
    }
    CHECK(refusal("gpt_neox", config_of("gpt_neox"), [](Safetensors& file) {
              file.tensors.push_back({"gpt_neox.layers.0.attention.bias", Tensor({1, 1, 16, 16})});
              file.tensors.push_back({"gpt_neox.layers.1.attention.rotary_emb.inv_freq", Tensor({2})});
          }) == "");
    CHECK(refusal("llama2",
                  with(config_of("llama2"), {{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 1e4}}},
                                             {"rope_theta", nullptr}})) == "");
}
