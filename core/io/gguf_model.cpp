// Models in GGUF files. The names of metadata and tensors, and the converter's changes to the tensors, are those of
// llama.cpp (gguf-py/gguf/constants.py and tensor_mapping.py, conversion/ of ggml-org/llama.cpp).
#include "core/io/gguf_model.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/io/hugging_face_family.h"
#include "core/io/model_files.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"

namespace glassformer {

namespace {

using nlohmann::json;

/// A Transformers name and its GGUF name.
struct Renamed {
    std::string_view theirs, gguf;
};

/// A GGUF architecture, described as a Hugging Face family with other names.
struct GgufFamily {
    std::string_view architecture, model_type, blocks;  // "model.layers."
    std::vector<Renamed> outside, in_block;
};

const std::vector<GgufFamily>& gguf_families() {
    static const std::vector<GgufFamily> all = [] {
        const std::vector<Renamed> outside{
            {"model.embed_tokens", "token_embd"}, {"model.norm", "output_norm"}, {"lm_head", "output"}};
        const std::vector<Renamed> in_block{
            {"input_layernorm", "attn_norm"},    {"self_attn.q_proj", "attn_q"},
            {"self_attn.k_proj", "attn_k"},      {"self_attn.v_proj", "attn_v"},
            {"self_attn.o_proj", "attn_output"}, {"self_attn.q_norm", "attn_q_norm"},
            {"self_attn.k_norm", "attn_k_norm"}, {"post_attention_layernorm", "ffn_norm"},
            {"mlp.gate_proj", "ffn_gate"},       {"mlp.up_proj", "ffn_up"},
            {"mlp.down_proj", "ffn_down"}};
        std::vector<Renamed> of_gemma3 = in_block;
        for (Renamed& name : of_gemma3)
            if (name.theirs == "post_attention_layernorm") name.gguf = "post_attention_norm";
        of_gemma3.push_back({"pre_feedforward_layernorm", "ffn_norm"});
        of_gemma3.push_back({"post_feedforward_layernorm", "post_ffw_norm"});
        return std::vector<GgufFamily>{{"llama", "llama", "model.layers.", outside, in_block},
                                       {"qwen2", "qwen2", "model.layers.", outside, in_block},
                                       {"qwen3", "qwen3", "model.layers.", outside, in_block},
                                       {"gemma", "gemma", "model.layers.", outside, in_block},
                                       {"gemma3", "gemma3_text", "model.layers.", outside, of_gemma3},
                                       {"gpt2",
                                        "gpt2",
                                        "transformer.h.",
                                        {{"transformer.wte", "token_embd"},
                                         {"transformer.wpe", "position_embd"},
                                         {"transformer.ln_f", "output_norm"},
                                         {"lm_head", "output"}},
                                        {{"ln_1", "attn_norm"},
                                         {"attn.c_attn", "attn_qkv"},
                                         {"attn.c_proj", "attn_output"},
                                         {"ln_2", "ffn_norm"},
                                         {"mlp.c_fc", "ffn_up"},
                                         {"mlp.c_proj", "ffn_down"}}},
                                       {"gptneox",
                                        "gpt_neox",
                                        "gpt_neox.layers.",
                                        {{"gpt_neox.embed_in", "token_embd"},
                                         {"gpt_neox.final_layer_norm", "output_norm"},
                                         {"embed_out", "output"}},
                                        {{"input_layernorm", "attn_norm"},
                                         {"attention.query_key_value", "attn_qkv"},
                                         {"attention.dense", "attn_output"},
                                         {"post_attention_layernorm", "ffn_norm"},
                                         {"mlp.dense_h_to_4h", "ffn_up"},
                                         {"mlp.dense_4h_to_h", "ffn_down"}}},
                                       {"bert",
                                        "bert",
                                        "bert.encoder.layer.",
                                        {{"bert.embeddings.word_embeddings", "token_embd"},
                                         {"bert.embeddings.position_embeddings", "position_embd"},
                                         {"bert.embeddings.token_type_embeddings", "token_types"},
                                         {"bert.embeddings.LayerNorm", "token_embd_norm"},
                                         {"bert.pooler.dense", "cls"}},
                                        {{"attention.self.query", "attn_q"},
                                         {"attention.self.key", "attn_k"},
                                         {"attention.self.value", "attn_v"},
                                         {"attention.output.dense", "attn_output"},
                                         {"attention.output.LayerNorm", "attn_output_norm"},
                                         {"intermediate.dense", "ffn_up"},
                                         {"output.dense", "ffn_down"},
                                         {"output.LayerNorm", "layer_output_norm"}}}};
    }();
    return all;
}

/// "model.layers.3.mlp.up_proj.weight" → "blk.3.ffn_up.weight".
std::string gguf_name(const GgufFamily& family, const std::string& theirs) {
    const std::size_t dot = theirs.rfind('.');  // before "weight" or "bias"
    std::string start = theirs.substr(0, dot), block;
    const std::vector<Renamed>* names = &family.outside;
    if (start.starts_with(family.blocks)) {
        const std::size_t end = start.find('.', family.blocks.size());
        block = "blk." + start.substr(family.blocks.size(), end - family.blocks.size()) + ".";
        start = start.substr(end + 1);
        names = &family.in_block;
    }
    const auto found = std::ranges::find(*names, start, &Renamed::theirs);
    return found == names->end() ? theirs : block + std::string(found->gguf) + theirs.substr(dot);
}

/// Converts the metadata to the config.json of the folder that the file was converted from.
class MetadataConfig {
public:
    explicit MetadataConfig(const GgufFile& file) : file_(file), all_(file.metadata()) {
        if (const auto parts = field_or<std::uint64_t>(all_, "split.count", 1, file.name()); parts > 1)
            throw Error(
                "{1}: is one of {2} parts of a model; merge them first, with llama.cpp's llama-gguf-split --merge",
                file.name(), parts);
        const auto architecture = field<std::string>(all_, "general.architecture", file.name());
        const auto& families = gguf_families();
        const auto found = std::ranges::find(families, architecture, &GgufFamily::architecture);
        if (found == families.end())
            fail_in_field(file.name(), "general.architecture", "is \"{1}\"; of GGUF files this program reads {2}",
                          architecture, join(families, ", ", &GgufFamily::architecture));
        family_ = &*found;
        prefix_ = architecture + ".";
    }

    const GgufFamily& family() const { return *family_; }
    const std::string& file() const { return file_.name(); }

    json config() const {
        json c{{"vocab_size", rows_of("token_embd.weight")}};
        const bool bert = family_->architecture == "bert", gpt2 = family_->architecture == "gpt2";
        put<int>(c, gpt2 ? "n_embd" : "hidden_size", "embedding_length");
        put<int>(c, gpt2 ? "n_inner" : "intermediate_size", "feed_forward_length");
        put<int>(c, gpt2 ? "n_layer" : "num_hidden_layers", "block_count");
        put<int>(c, gpt2 ? "n_head" : "num_attention_heads", "attention.head_count");
        put<int>(c, gpt2 ? "n_positions" : "max_position_embeddings", "context_length");
        // The file has as many positions as its table has rows, whatever the model was made for.
        if (bert || gpt2) c[gpt2 ? "n_positions" : "max_position_embeddings"] = rows_of("position_embd.weight");
        c["tie_word_embeddings"] = bert || !file_.find("output.weight");
        if (get_or<int>("expert_count", 0) > 0)
            fail_in_field(file_.name(), prefix_ + "expert_count",
                          "is not 0: mixture-of-experts models are not supported");
        if (bert)
            of_bert(c);
        else if (gpt2)
            put<float>(c, "layer_norm_epsilon", "attention.layer_norm_epsilon");
        else if (family_->architecture == "gptneox")
            of_neox(c);
        else
            of_llama(c);
        return c;
    }

    /// The Hugging Face family that can read it.
    std::string model_type() const {
        return family_->architecture == "llama" && has("attention.sliding_window") ? "mistral"
                                                                                   : std::string(family_->model_type);
    }

private:
    bool has(const std::string& key) const { return has_field(all_, (prefix_ + key).c_str()); }
    template <class T>
    T get(const std::string& key) const {
        return field<T>(all_, (prefix_ + key).c_str(), file_.name());
    }
    template <class T>
    T get_or(const std::string& key, const T& otherwise) const {
        return has(key) ? get<T>(key) : otherwise;
    }
    template <class T>
    void put(json& config, const char* name, const std::string& key) const {
        config[name] = get<T>(key);
    }
    template <class T>
    void put_where_there(json& config, const char* name, const std::string& key) const {
        if (has(key)) put<T>(config, name, key);
    }

    std::int64_t rows_of(const std::string& tensor) const {
        const TensorEntry* const entry = file_.find(tensor);
        if (!entry) throw Error("{1}: has no tensor \"{2}\"", file_.name(), tensor);
        return entry->shape.rank() == 2 ? entry->shape[0] : 1;
    }

    void of_bert(json& c) const {
        put<float>(c, "layer_norm_eps", "attention.layer_norm_epsilon");
        c["type_vocab_size"] = file_.find("token_types.weight") ? rows_of("token_types.weight") : 0;
    }

    void of_neox(json& c) const {
        put<float>(c, "layer_norm_eps", "attention.layer_norm_epsilon");
        put<bool>(c, "use_parallel_residual", "use_parallel_residual");
        put_where_there<float>(c, "rotary_emb_base", "rope.freq_base");
        c["attention_bias"] = file_.find("blk.0.attn_qkv.bias") != nullptr;
        c["rotary_pct"] = share(get<int>("rope.dimension_count"), c["hidden_size"].get<int>() / heads(c));
    }

    static int heads(const json& c) { return std::max(1, c["num_attention_heads"].get<int>()); }
    /// The share that, multiplied by `of`, yields at least `dimensions` again.
    static float share(int dimensions, int of) {
        if (dimensions >= of) return 1.0f;
        const float part = static_cast<float>(dimensions) / static_cast<float>(of);
        return static_cast<int>(static_cast<float>(of) * part) < dimensions ? std::nextafter(part, 1.0f) : part;
    }

    void of_llama(json& c) const {
        put<float>(c, "rms_norm_eps", "attention.layer_norm_rms_epsilon");
        put_where_there<int>(c, "num_key_value_heads", "attention.head_count_kv");
        put_where_there<int>(c, "head_dim", "attention.key_length");
        if (!c.contains("head_dim")) c["head_dim"] = c["hidden_size"].get<int>() / heads(c);
        if (has("attention.value_length") && get<int>("attention.value_length") != c["head_dim"])
            fail_in_field(file_.name(), prefix_ + "attention.value_length",
                          "is not the length of a key, which is not supported");
        put_where_there<float>(c, "rope_theta", "rope.freq_base");
        if (const int turned = get_or("rope.dimension_count", c["head_dim"].get<int>()); turned != c["head_dim"])
            c["partial_rotary_factor"] = share(turned, c["head_dim"]);
        put_where_there<int>(c, "sliding_window", "attention.sliding_window");
        put_where_there<float>(c, "attn_logit_softcapping", "attn_logit_softcapping");
        put_where_there<float>(c, "final_logit_softcapping", "final_logit_softcapping");
        c["attention_bias"] = file_.find("blk.0.attn_q.bias") != nullptr;
        of_scaling(c);
        if (const TensorEntry* const words = file_.find("token_embd.weight"); words->dtype == FileDType::BF16)
            c["torch_dtype"] = "bfloat16";
        if (family_->architecture != "gemma3") return;
        // No key says this: the largest of these models scales by the width of its residual stream.
        constexpr int blocks_of_the_largest = 62;
        const bool largest = c["num_hidden_layers"] == blocks_of_the_largest;
        c["query_pre_attn_scalar"] = largest ? json(c["hidden_size"].get<int>() / heads(c)) : c["head_dim"];
        put_where_there<float>(c, "rope_local_base_freq", "rope.freq_base_swa");
    }

    void of_scaling(json& c) const {
        const auto type = get_or<std::string>("rope.scaling.type", "none");
        if (has("rope.scale_linear")) {
            c["rope_scaling"] = {{"type", "linear"}, {"factor", get<float>("rope.scale_linear")}};
        } else if (type != "none") {
            c["rope_scaling"] = {{"type", type}};
            if (has("rope.scaling.factor")) c["rope_scaling"]["factor"] = get<float>("rope.scaling.factor");
        }
        if (const TensorEntry* const divisors = file_.find("rope_freqs.weight"))
            c["rope_scaling"] = llama3_scaling(*divisors, get_or("rope.freq_base", 10000.0f), c["head_dim"]);
    }

    /// The file stores the divisors of Llama 3's frequencies as a tensor. The four numbers that they were computed from
    /// are searched among the values in use.
    json llama3_scaling(const TensorEntry& entry, float base, int d_head) const {
        const Tensor divisors = file_.read(entry);
        const std::span<const float> told = divisors.values();
        constexpr double low = 1.0, high = 4.0, pi = 3.14159265358979323846;
        const double factor = *std::ranges::max_element(told);
        const auto fits = [&](double original) {
            for (std::size_t i = 0; i < told.size(); ++i) {
                const double length = 2.0 * pi * std::pow(base, 2.0 * static_cast<double>(i) / d_head),
                             smooth = std::clamp((original / length - low) / (high - low), 0.0, 1.0),
                             expected = 1.0 / ((1.0 - smooth) / factor + smooth);
                if (std::abs(expected - told[i]) > 1e-3 * expected) return false;
            }
            return static_cast<int>(told.size()) == d_head / 2;
        };
        for (int original = 1 << 19; original >= 8; original /= 2)
            if (fits(original))
                return {{"rope_type", "llama3"},
                        {"factor", factor},
                        {"low_freq_factor", low},
                        {"high_freq_factor", high},
                        {"original_max_position_embeddings", original}};
        fail_in_tensor(file_.name(), entry.name, "scales rotary positions in a way that is not Llama 3's");
    }

    const GgufFile& file_;
    const json& all_;
    const GgufFamily* family_ = nullptr;
    std::string prefix_;
};

/// The family's tensors under GGUF's names, as a converter writes them.
TensorLayout gguf_layout(const MetadataConfig& metadata, const TransformerConfig& config) {
    const GgufFamily& family = metadata.family();
    if (family.architecture == "llama" && config.d_head() % 2 != 0)
        throw Error("{1}: its heads have {2} features; rotary positions turn pairs of them", metadata.file(),
                    config.d_head());
    TensorLayout layout = find_family(metadata.model_type())->layout(config);
    for (StoredTensor& stored : layout) {
        const std::string name = gguf_name(family, stored.name);
        // GPT-2's linear maps are transposed, GPT-NeoX's parts are not interleaved, and Gemma's norms include the 1.
        if (family.architecture == "gpt2" && name.starts_with("blk.")) stored.transposed = true;
        stored.heads = 0;
        stored.added = 0.0f;
        if (family.architecture == "llama" && name.find(".attn_q.") != std::string::npos)
            stored.paired_heads = config.n_heads;
        if (family.architecture == "llama" && name.find(".attn_k.") != std::string::npos)
            stored.paired_heads = config.n_key_value_heads();
        stored.name = name;
    }
    return layout;
}

/// Ignores tensors that the metadata describes better, and BERT's classifier.
std::string layout_name(const std::string& in_file) {
    const bool ignored =
        in_file == "rope_freqs.weight" || in_file.ends_with(".attn_rot_embd") || in_file.starts_with("cls.output.");
    return ignored ? "" : in_file;
}

template <class T>
std::vector<T> list_of(const GgufFile& file, const char* key) {
    std::vector<T> values;
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end()) return values;
    try {
        return found->get<std::vector<T>>();
    } catch (const json::exception&) {
        fail_in_field(file.name(), key, "is not a list of the type that it should have");
    }
}

int id_of(const GgufFile& file, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (has_field(file.metadata(), key)) return field<int>(file.metadata(), key, file.name());
    return -1;
}

/// Empty if the file has none.
std::optional<ListedTokens> tokens_in(const GgufFile& file) {
    const json& all = file.metadata();
    const auto flag = [&](const char* key, bool otherwise) { return field_or(all, key, otherwise, file.name()); };
    ListedTokens listed;
    listed.model = field_or<std::string>(all, "tokenizer.ggml.model", "none", file.name());
    if (listed.model == "none" || listed.model == "no_vocab") return std::nullopt;
    listed.pre = field_or<std::string>(all, "tokenizer.ggml.pre", "", file.name());
    listed.tokens = list_of<std::string>(file, "tokenizer.ggml.tokens");
    listed.kinds = list_of<int>(file, "tokenizer.ggml.token_type");
    listed.scores = list_of<float>(file, "tokenizer.ggml.scores");
    listed.merges = list_of<std::string>(file, "tokenizer.ggml.merges");
    listed.begin = id_of(file, {"tokenizer.ggml.bos_token_id"});
    listed.end = id_of(file, {"tokenizer.ggml.eos_token_id"});
    listed.mask = id_of(file, {"tokenizer.ggml.mask_token_id"});
    const bool begins = listed.model == "llama" || listed.pre == "llama-bpe" || listed.pre == "roberta-bpe";
    listed.adds_begin = flag("tokenizer.ggml.add_bos_token", begins);
    listed.adds_end = flag("tokenizer.ggml.add_eos_token", listed.pre == "roberta-bpe");
    listed.adds_space = flag("tokenizer.ggml.add_space_prefix", true);
    return listed;
}

}  // namespace

bool is_gguf_file(const std::filesystem::path& path) {
    std::error_code error;
    return path.extension() == ".gguf" && !std::filesystem::is_directory(path, error);
}

Checkpoint load_gguf(const std::filesystem::path& path) {
    auto opened = std::make_unique<GgufFile>(path);
    const GgufFile& file = *opened;
    const MetadataConfig metadata(file);
    const json object = metadata.config();
    const HuggingFaceFamily& family = *find_family(metadata.model_type());
    HuggingFaceConfig fields(object, file.name());
    Checkpoint c;
    c.config = family.config(fields);
    if (family.complete) family.complete(c.config, {});  // the head is never in such a file
    if (family.model_type == "bert") c.config.pooler = file.find("cls.weight") != nullptr;
    const auto tokenizer = tokens_in(file);
    if (tokenizer && static_cast<int>(tokenizer->tokens.size()) > c.config.d_vocab)
        throw Error("{1}: \"tokenizer.ggml.tokens\" has {2} tokens; \"token_embd.weight\" has {3} rows", file.name(),
                    tokenizer->tokens.size(), c.config.d_vocab);
    auto made = compute_beside("tokenizer", [&]() -> std::shared_ptr<const Tokenizer> {
        return tokenizer ? make_tokenizer(*tokenizer, path.string()) : nullptr;
    });
    const std::shared_ptr<const Graph> graph = parameter_graph(c.config);
    const TensorLayout layout = gguf_layout(metadata, c.config);
    std::exception_ptr wrong;
    try {
        c.parameters = restore(*graph, layout, ModelTensors(std::move(opened), "metadata"), layout_name);
    } catch (...) {
        wrong = std::current_exception();
    }
    c.tokenizer = made.get();
    if (wrong) std::rethrow_exception(wrong);
    const auto end = c.tokenizer && c.config.d_token_types > 1 ? sentence_end_id(*c.tokenizer) : std::nullopt;
    if (end && *end < c.config.d_vocab) c.config.sentence_end = *end;
    return c;
}

}  // namespace glassformer
