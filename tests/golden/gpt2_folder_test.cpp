// The Hugging Face folders gpt2_tiny and gpt2_tiny_untied against the logits that PyTorch computes with them. Names and
// layout are read here independently, from Hugging Face's description of GPT-2.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "core/io/checkpoint.h"
#include "core/nn/transformer.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

/// Where one of our parameters is in the file: the columns of a tensor from `column` on, or the tensor transposed.
struct Place {
    std::string tensor;
    std::int64_t column = 0;
    bool transposed = false;
};

Place place_in_block(const std::string& block, const std::string& name, std::int64_t d_model) {
    using Pair = std::pair<std::string, std::string>;
    static const std::array<Pair, 10> others{Pair{"ln1.w", "ln_1.weight"},       {"ln1.b", "ln_1.bias"},
                                             {"ln2.w", "ln_2.weight"},           {"ln2.b", "ln_2.bias"},
                                             {"attn.W_O", "attn.c_proj.weight"}, {"attn.b_O", "attn.c_proj.bias"},
                                             {"mlp.W_in", "mlp.c_fc.weight"},    {"mlp.b_in", "mlp.c_fc.bias"},
                                             {"mlp.W_out", "mlp.c_proj.weight"}, {"mlp.b_out", "mlp.c_proj.bias"}};
    const std::string layer = "transformer.h." + block + ".";
    for (const auto& [ours, theirs] : others)
        if (name == ours) return {layer + theirs};
    const std::size_t role = std::string("QKV").find(name.back());
    REQUIRE(role != std::string::npos);
    return {layer + (name.starts_with("attn.W_") ? "attn.c_attn.weight" : "attn.c_attn.bias"),
            static_cast<std::int64_t>(role) * d_model};
}

Place place_of(const std::string& name, std::int64_t d_model) {
    if (name == "embed.W_E") return {"transformer.wte.weight"};
    if (name == "pos_embed.W_pos") return {"transformer.wpe.weight"};
    if (name == "ln_final.w") return {"transformer.ln_f.weight"};
    if (name == "ln_final.b") return {"transformer.ln_f.bias"};
    if (name == "unembed.W_U") return {"lm_head.weight", 0, true};
    const std::string blocks = "blocks.";
    REQUIRE(name.starts_with(blocks));
    const std::size_t dot = name.find('.', blocks.size());
    return place_in_block(name.substr(blocks.size(), dot - blocks.size()), name.substr(dot + 1), d_model);
}

/// Reads all parameters of the graph from the folder's tensors.
AlignedFloats from_folder(const Graph& graph, const Safetensors& file, std::int64_t d_model) {
    AlignedFloats parameters(static_cast<std::size_t>(graph.parameter_count()));
    for (const int id : graph.parameters()) {
        const Place place = place_of(graph[id].name, d_model);
        const Tensor* tensor = file.find(place.tensor);
        INFO(graph[id].name, " lies in ", place.tensor);
        REQUIRE(tensor != nullptr);
        const std::int64_t width = graph[id].shape.back(), rows = graph[id].shape.elements() / width;
        const std::int64_t row_step = place.transposed ? 1 : tensor->shape().back();
        const std::int64_t column_step = place.transposed ? tensor->shape().back() : 1;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < width; ++c)
                parameters[graph[id].offset + r * width + c] =
                    tensor->data()[r * row_step + (place.column + c) * column_step];
    }
    return parameters;
}

nlohmann::json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

}  // namespace

TEST_CASE("golden: the small GPT-2 folders give the known logits") {
    CpuBackend backend;
    for (const golden::Case& golden : golden::cases("gpt2.safetensors")) {
        INFO("folder ", golden.name());
        const TransformerConfig config = golden.config();
        const nlohmann::json described = read_json(golden::folder() / golden.name() / "config.json");
        CHECK(described.at("n_embd") == config.d_model);
        CHECK(described.at("n_inner") == config.d_mlp);
        CHECK(described.at("n_positions") == config.n_ctx);
        CHECK(described.at("tie_word_embeddings") == config.tied);

        const TransformerGraph model = build_transformer(config, golden.shape());
        const Safetensors file = read_safetensors(golden::folder() / golden.name() / "model.safetensors");
        const auto run = backend.prepare(model.graph, {{model.logits}});
        golden.feed(*run, 0);
        const AlignedFloats parameters = from_folder(*model.graph, file, config.d_model);
        // The program's own reader gets the same numbers in its own way.
        const Checkpoint loaded = load_checkpoint(golden::folder() / golden.name());
        CHECK(std::ranges::equal(*loaded.parameters, parameters));
        CHECK(loaded.config.d_vocab == config.d_vocab);
        CHECK(loaded.config.tied == config.tied);
        CHECK(loaded.config.activation == config.activation);
        run->forward(parameters);
        const std::span<const float> theirs = golden.at("hook", "logits").values();
        std::vector<float> ours(theirs.size());
        run->read(model.logits, ours);
        CHECK(golden::distance(ours, theirs) <= 1e-5);
    }
}
