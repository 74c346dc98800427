#include "core/io/hugging_face.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/hugging_face_family.h"
#include "core/io/model_files.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

/// The GPT-2 nearest to a model: the same sizes, and the same values where GPT-2 ignores them.
TransformerConfig nearest_gpt2(const TransformerConfig& c) {
    const AttentionOptions& a = c.attention;
    const bool plain =
        c.activation == Activation::gelu || c.activation == Activation::gelu_tanh || c.activation == Activation::relu;
    TransformerConfig g;
    g.family = Family::decoder;
    g.d_vocab = c.d_vocab, g.n_ctx = c.n_ctx, g.d_model = c.d_model, g.d_mlp = c.d_mlp;
    g.n_heads = c.n_heads, g.n_layers = c.n_layers;
    g.norm_epsilon = c.norm_epsilon, g.init_std = c.init_std, g.dropout = c.dropout, g.tied = c.tied;
    g.activation = plain ? c.activation : Activation::gelu_tanh;
    g.rotary = c.rotary, g.rotary_pct = c.rotary_pct, g.rotary_window_base = c.rotary_window_base;
    g.sentence_end = c.sentence_end, g.d_input = c.d_input, g.d_output = c.d_output, g.readout = c.readout;
    g.d_source_vocab = c.d_source_vocab, g.n_encoder_layers = c.n_encoder_layers;
    // The same widths and biases can be expressed in two ways.
    g.attention.d_head = c.n_heads * c.d_head() == c.d_model ? a.d_head : c.d_model / c.n_heads;
    g.attention.d_value = c.d_value() == c.d_head() ? a.d_value : c.d_head();
    g.attention.n_key_value_heads = c.n_key_value_heads() == c.n_heads ? a.n_key_value_heads : c.n_heads;
    g.attention.output_bias = c.output_bias() ? a.output_bias : OutputBias::yes;
    g.attention.window_layers = a.window_layers;
    return g;
}

/// Every field of a config as a pair of texts: "attention.biases", "true".
struct FieldTexts {
    std::vector<std::pair<std::string, std::string>>& all;
    std::string prefix = {};

    template <class T>
    void operator()(const char* name, const T& value) const {
        if constexpr (std::is_enum_v<T>)
            all.emplace_back(prefix + name, name_of(value));
        else if constexpr (std::is_same_v<T, std::string>)
            all.emplace_back(prefix + name, value);
        else if constexpr (std::is_class_v<T>)
            visit_fields(value, FieldTexts{all, prefix + name + "."});
        else if constexpr (std::is_same_v<T, float>)
            all.emplace_back(prefix + name, json(shortest(value)).dump());
        else
            all.emplace_back(prefix + name, json(value).dump());
    }
    template <class T>
    void where_set(const char* name, const T& value, const T&) const {
        (*this)(name, value);
    }
};

/// The first option that differs from GPT-2's; empty if none does.
std::string other_than_gpt2(const TransformerConfig& c) {
    std::vector<std::pair<std::string, std::string>> ours, theirs;
    const TransformerConfig nearest = nearest_gpt2(c);
    visit_fields(c, FieldTexts{ours});
    visit_fields(nearest, FieldTexts{theirs});
    const auto [our, their] = std::ranges::mismatch(ours, theirs);
    if (our == ours.end()) return "";
    return filled_with(N_("{1} is {2}; GPT-2's is {3}"), our->first, our->second, their->second);
}

json end_of_text(const Tokenizer* tokenizer) {
    if (tokenizer)
        for (int id = tokenizer->size() - 1; id >= 0; --id)
            if (tokenizer->token_text(id) == "<|endoftext|>") return id;
    return nullptr;
}

constexpr std::string_view prefix = "models--", between = "--";
constexpr std::size_t most_models = 200, most_snapshots = 100, most_name_bytes = 200;

/// "models--HuggingFaceTB--SmolLM2-135M" → "HuggingFaceTB/SmolLM2-135M".
std::string name_of_folder(std::string name) {
    name = name.substr(prefix.size());
    if (const std::size_t cut = name.find(between); cut != std::string::npos) name.replace(cut, between.size(), "/");
    return name;
}

bool has_config(const fs::path& snapshot) {
    std::error_code unreadable;
    return fs::exists(snapshot / "config.json", unreadable);
}

/// The snapshot named in refs/main; empty if there is none.
fs::path main_snapshot(const fs::path& model) {
    try {
        std::string commit = read_file(model / "refs" / "main", most_name_bytes);
        while (!commit.empty() && (commit.back() == '\n' || commit.back() == '\r')) commit.pop_back();
        const fs::path name = commit;
        if (commit.empty() || name.filename() != name || name == "..") return {};
        return has_config(model / "snapshots" / name) ? model / "snapshots" / name : fs::path();
    } catch (const Error&) {
        return {};
    }
}

fs::path newest_snapshot(const fs::path& model) {
    fs::path newest;
    fs::file_time_type when = fs::file_time_type::min();
    std::error_code error;
    std::size_t seen = 0;
    for (fs::directory_iterator at(model / "snapshots", error), end; !error && at != end && ++seen <= most_snapshots;
         at.increment(error)) {
        std::error_code unreadable;
        const fs::file_time_type time = fs::last_write_time(at->path(), unreadable);
        if (unreadable || !has_config(at->path()) || (!newest.empty() && time <= when)) continue;
        newest = at->path(), when = time;
    }
    return newest;
}

}  // namespace

bool is_gpt2_shaped(const TransformerConfig& config, std::string* why) {
    const std::string reason = other_than_gpt2(config);
    if (why) *why = reason;
    return reason.empty();
}

json gpt2_to_json(const TransformerConfig& config, const Tokenizer* tokenizer) {
    const json end = end_of_text(tokenizer);
    return {
        {"model_type", gpt2_type},
        {"architectures", {"GPT2LMHeadModel"}},
        {"vocab_size", config.d_vocab},
        {"n_positions", config.n_ctx},
        {"n_embd", config.d_model},
        {"n_head", config.n_heads},
        {"n_layer", config.n_layers},
        {"n_inner", config.d_mlp},
        {"activation_function", config.activation == Activation::gelu_tanh ? "gelu_new" : name_of(config.activation)},
        {"layer_norm_epsilon", shortest(config.norm_epsilon)},
        {"initializer_range", shortest(config.init_std)},
        {"embd_pdrop", shortest(config.dropout)},
        {"resid_pdrop", shortest(config.dropout)},
        {"attn_pdrop", 0.0},
        {"scale_attn_weights", true},
        {"tie_word_embeddings", config.tied},
        {"bos_token_id", end},
        {"eos_token_id", end},
        {"torch_dtype", "float32"}};
}

void save_hugging_face(const std::filesystem::path& folder, const Checkpoint& c) {
    std::string why;
    if (!is_gpt2_shaped(c.config, &why))
        throw Error("this model cannot be saved for Hugging Face, which would need a GPT-2: its {1}", why);
    const std::shared_ptr<const Graph> graph = parameter_graph(c.config);
    write_folder_atomically(folder, checkpoint_files(), [&](const std::filesystem::path& staging) {
        write_model_files(staging, c, gpt2_to_json(c.config, c.tokenizer.get()), *graph,
                          find_family(gpt2_type)->layout(c.config));
    });
}

std::vector<CachedModel> models_in_hub(const fs::path& hub) {
    std::vector<CachedModel> models;
    if (hub.empty()) return models;
    std::error_code error;
    for (fs::directory_iterator at(hub, error), end; !error && at != end && models.size() < most_models;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        fs::path snapshot = main_snapshot(at->path());
        if (snapshot.empty()) snapshot = newest_snapshot(at->path());
        if (!snapshot.empty()) models.push_back({name_of_folder(name), snapshot});
    }
    std::ranges::sort(models, {}, &CachedModel::name);
    return models;
}

std::string name_in_hub(const fs::path& snapshot) {
    const fs::path above = snapshot.parent_path();
    const std::string model = above.parent_path().filename().string();
    return above.filename() == "snapshots" && model.starts_with(prefix) ? name_of_folder(model) : std::string();
}

}  // namespace glassformer
