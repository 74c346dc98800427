#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/rng.h"
#include "core/io/safetensors.h"
#include "core/worlds/world.h"
#include "tests/core/temporary_folder.h"

namespace glassformer {

/// Writes a tiny BERT with random weights in its usual files, config.json, model.safetensors and vocab.txt, and returns
/// its folder. Its vocabulary is the words of homonyms in lower case, except that "spring" is two pieces and "bark" is
/// unknown.
inline std::filesystem::path bert_of_words(const TemporaryFolder& place) {
    const World world = World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar");
    const std::filesystem::path folder = place / "bert";
    constexpr std::int64_t width = 16, mlp = 24, positions = 40;
    constexpr int layers = 2;
    std::filesystem::create_directories(folder);
    std::int64_t words = 0;
    {
        std::ofstream file(folder / "vocab.txt");
        const auto add = [&](const std::string& word) {
            file << word << "\n";
            ++words;
        };
        for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "spr", "##ing"}) add(special);
        for (const std::string& word : world.vocabulary())
            if (word != "spring" && word != "bark" && word.find('\'') == std::string::npos) add(word);
    }
    std::ofstream(folder / "config.json") << nlohmann::json{
        {"model_type", "bert"},
        {"vocab_size", words},
        {"hidden_size", width},
        {"intermediate_size", mlp},
        {"num_hidden_layers", layers},
        {"num_attention_heads", 2},
        {"max_position_embeddings", positions},
        {"type_vocab_size", 2},
        {"layer_norm_eps", 1e-12},
        {"hidden_act", "gelu"}}.dump();
    Safetensors file;
    Rng rng(11, 0);
    const auto add = [&](const std::string& name, const Shape& shape, double about = 0.0, double spread = 0.4) {
        Tensor tensor(shape);
        for (float& value : tensor.values()) value = static_cast<float>(about + spread * rng.normal());
        file.tensors.push_back({name, std::move(tensor)});
    };
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
        add(name + ".weight", {out, in});
        add(name + ".bias", {out});
    };
    const auto norm = [&](const std::string& name) {
        add(name + ".weight", {width}, 1.0, 0.1);
        add(name + ".bias", {width}, 0.0, 0.1);
    };
    add("bert.embeddings.word_embeddings.weight", {words, width});
    add("bert.embeddings.position_embeddings.weight", {positions, width});
    add("bert.embeddings.token_type_embeddings.weight", {2, width});
    norm("bert.embeddings.LayerNorm");
    for (int layer = 0; layer < layers; ++layer) {
        const std::string block = "bert.encoder.layer." + std::to_string(layer) + ".";
        for (const char* part : {"query", "key", "value"}) linear(block + "attention.self." + part, width, width);
        linear(block + "attention.output.dense", width, width);
        norm(block + "attention.output.LayerNorm");
        linear(block + "intermediate.dense", mlp, width);
        linear(block + "output.dense", width, mlp);
        norm(block + "output.LayerNorm");
    }
    linear("cls.predictions.transform.dense", width, width);
    norm("cls.predictions.transform.LayerNorm");
    add("cls.predictions.bias", {words});
    write_safetensors(folder / "model.safetensors", file);
    return folder;
}

}  // namespace glassformer
