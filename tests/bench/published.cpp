// Models of published shapes with random weights, in the type of their files: opening them and generating tokens.
#include <array>
#include <ostream>

#include "core/generate/generator.h"
#include "core/io/checkpoint.h"
#include "core/platform/atomic_file.h"
#include "core/platform/process.h"
#include "tests/bench/bench.h"
#include "tests/core/temporary_folder.h"

namespace glassformer::app::bench {

namespace {

constexpr int published_prompt = 16, published_words = 40;

struct Published {
    const char *name, *model_type, *architecture;
    int words, width, mlp, layers, heads, key_heads, d_head;
};

constexpr std::array all{Published{"SmolLM2-135M", "llama", "LlamaForCausalLM", 49152, 576, 1536, 30, 9, 3, 64},
                         Published{"Qwen3-0.6B", "qwen3", "Qwen3ForCausalLM", 151936, 1024, 3072, 28, 16, 8, 128}};

nlohmann::json config_of(const Published& m) {
    return {{"model_type", m.model_type},     {"architectures", {m.architecture}},
            {"vocab_size", m.words},          {"hidden_size", m.width},
            {"intermediate_size", m.mlp},     {"num_hidden_layers", m.layers},
            {"num_attention_heads", m.heads}, {"num_key_value_heads", m.key_heads},
            {"head_dim", m.d_head},           {"max_position_embeddings", 4096},
            {"rms_norm_eps", 1e-6},           {"rope_theta", 100000.0},
            {"hidden_act", "silu"},           {"tie_word_embeddings", true},
            {"torch_dtype", "bfloat16"}};
}

struct Weight {
    std::string name;
    std::vector<std::int64_t> shape;
};

std::vector<Weight> weights_of(const Published& m) {
    std::vector<Weight> list{{"model.embed_tokens.weight", {m.words, m.width}}, {"model.norm.weight", {m.width}}};
    for (int layer = 0; layer < m.layers; ++layer) {
        const auto add = [&](const char* name, std::vector<std::int64_t> shape) {
            list.push_back({"model.layers." + std::to_string(layer) + "." + name + ".weight", std::move(shape)});
        };
        add("input_layernorm", {m.width});
        add("post_attention_layernorm", {m.width});
        add("self_attn.q_proj", {m.heads * m.d_head, m.width});
        add("self_attn.k_proj", {m.key_heads * m.d_head, m.width});
        add("self_attn.v_proj", {m.key_heads * m.d_head, m.width});
        add("self_attn.o_proj", {m.width, m.heads * m.d_head});
        if (m.model_type == std::string("qwen3")) {
            add("self_attn.q_norm", {m.d_head});
            add("self_attn.k_norm", {m.d_head});
        }
        add("mlp.gate_proj", {m.mlp, m.width});
        add("mlp.up_proj", {m.mlp, m.width});
        add("mlp.down_proj", {m.width, m.mlp});
    }
    return list;
}

/// Random bfloat16 numbers between −0.06 and 0.06: random sign, mantissa and low bits of the exponent.
void write_cells(std::ostream& out, std::int64_t cells) {
    static std::uint64_t state = 1;
    std::vector<std::uint16_t> chunk;
    for (std::int64_t left = cells; left > 0; left -= std::ssize(chunk)) {
        chunk.resize(std::min<std::int64_t>(left, 1 << 16));
        for (std::uint16_t& cell : chunk) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            cell = static_cast<std::uint16_t>((state >> 48 & 0x81ff) + 0x3b80);
        }
        out.write(reinterpret_cast<const char*>(chunk.data()),
                  static_cast<std::streamsize>(chunk.size() * sizeof(std::uint16_t)));
    }
}

void write_random(const std::filesystem::path& folder, const Published& m) {
    std::filesystem::create_directory(folder);
    write_file_atomically(folder / "config.json", config_of(m).dump(2) + "\n");
    nlohmann::json header;
    std::int64_t bytes = 0;
    const std::vector<Weight> weights = weights_of(m);
    const auto cells_of = [](const Weight& w) {
        std::int64_t cells = 1;
        for (const std::int64_t size : w.shape) cells *= size;
        return cells;
    };
    for (const Weight& w : weights) {
        const std::int64_t end = bytes + 2 * cells_of(w);
        header[w.name] = {{"dtype", "BF16"}, {"shape", w.shape}, {"data_offsets", {bytes, end}}};
        bytes = end;
    }
    write_file_atomically(folder / "model.safetensors", [&](std::ostream& out) {
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');
        const std::uint64_t length = text.size();
        out.write(reinterpret_cast<const char*>(&length), sizeof length);
        out << text;
        for (const Weight& w : weights) write_cells(out, cells_of(w));
    });
}

nlohmann::json measure_published(CpuBackend& backend, const Published& m) {
    const TemporaryFolder folder;
    write_random(folder.path() / "model", m);
    const double before = platform::resident_memory_mb();
    Clock::time_point start = Clock::now();
    const Checkpoint model = load_checkpoint(folder.path() / "model");
    const double opening = elapsed_ms(start);
    Generator generator(backend, model.config, model.parameters);
    std::vector<int> prompt;
    for (int p = 0; p < published_prompt; ++p) prompt.push_back((p * 7919 + 11) % m.words);
    Rng rng(1);
    start = Clock::now();
    int next = sample(generator.read(prompt), 0.0f, 0, rng);
    const double reading = elapsed_ms(start);
    Times words;
    for (int i = 0; i < published_words + 2; ++i) {
        start = Clock::now();
        next = sample(generator.read(std::vector<int>{next}), 0.0f, 0, rng);
        if (i >= 2) words.ms.push_back(elapsed_ms(start));
    }
    return {{"model", m.name},
            {"parameters", model.parameters->size()},
            {"file_mb",
             static_cast<double>(std::filesystem::file_size(folder.path() / "model/model.safetensors")) / (1 << 20)},
            {"opening_s", opening / 1000.0},
            {"resident_mb", platform::resident_memory_mb() - before},
            {"prompt_tokens", published_prompt},
            {"prompt_ms", reading},
            {"tokens_per_s", 1000.0 / words.median()},
            {"tokens_per_s_best", 1000.0 / words.quantile(0.0)}};
}

}  // namespace

nlohmann::json published(CpuBackend& backend) {
    nlohmann::json result = nlohmann::json::array();
    for (const Published& m : all) result.push_back(measure_published(backend, m));
    return result;
}

}  // namespace glassformer::app::bench
