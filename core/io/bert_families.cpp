// BERT, DistilBERT, RoBERTa and models with RoBERTa's architecture (XLM-R, CamemBERT), with the masked-token prediction
// head, or without it (sentence embedding models), in which case the output is each token's last vector.
#include <algorithm>

#include "core/io/hugging_face_family.h"

namespace glassformer {

namespace {

TransformerConfig shared_config() {
    TransformerConfig c;
    c.family = Family::encoder;
    c.norm_placement = NormPlacement::post;
    c.embedding_norm = true;
    c.head_transform = c.unembed_bias = true;
    return c;
}

TransformerConfig bert_config_with(HuggingFaceConfig& f, int unused_positions) {
    TransformerConfig c = shared_config();
    c.d_vocab = f.get<int>("vocab_size");
    c.d_model = f.get<int>("hidden_size");
    c.d_mlp = f.get<int>("intermediate_size");
    c.n_layers = f.get<int>("num_hidden_layers");
    c.n_heads = f.get<int>("num_attention_heads");
    c.n_ctx = f.get_or("max_position_embeddings", 512) - unused_positions;
    c.d_token_types = f.get_or("type_vocab_size", 2);
    c.norm_epsilon = f.get_or("layer_norm_eps", 1e-12f);
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.activation = f.activation("hidden_act", "gelu", {{"gelu", Activation::gelu}});  // also used by the head
    c.tied = f.get_or("tie_word_embeddings", true);
    if (f.get_or<std::string>("position_embedding_type", "absolute") != "absolute")
        f.refuse_field("position_embedding_type", "is not \"absolute\", which is not supported");
    f.refuse_if_on("is_decoder");
    f.finish(c);
    return c;
}

TransformerConfig bert_config(HuggingFaceConfig& f) { return bert_config_with(f, 0); }

/// The first token is at position pad_token_id + 1, which is 1 + 1 in every RoBERTa.
constexpr int roberta_unused = 2;

TransformerConfig roberta_config(HuggingFaceConfig& f) {
    if (f.get_or("pad_token_id", 1) != 1) f.refuse_field("pad_token_id", "is not 1, which is not supported");
    return bert_config_with(f, roberta_unused);
}

TransformerConfig distilbert_config(HuggingFaceConfig& f) {
    TransformerConfig c = shared_config();
    c.d_vocab = f.get<int>("vocab_size");
    c.d_model = f.get<int>("dim");
    c.d_mlp = f.get<int>("hidden_dim");
    c.n_layers = f.get<int>("n_layers");
    c.n_heads = f.get<int>("n_heads");
    c.n_ctx = f.get_or("max_position_embeddings", 512);
    c.norm_epsilon = 1e-12f;
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.activation = f.activation("activation", "gelu", {{"gelu", Activation::gelu}});
    c.tied = f.get_or("tie_word_embeddings", true);
    f.finish(c);
    return c;
}

/// Tensor names that differ between the three.
struct Names {
    std::string model, block, query, key, value, attention_out, attention_norm, first, second, norm, transform,
        transform_norm, decoder, bias;
};

TensorLayout layout_of(const TransformerConfig& c, const Names& n, int unused_positions) {
    const std::string embed = n.model + ".embeddings";
    TensorLayout list{
        {.name = embed + ".word_embeddings.weight", .parts = {"embed.W_E"}},
        {.name = embed + ".position_embeddings.weight", .parts = {"pos_embed.W_pos"}, .unused_rows = unused_positions}};
    if (c.d_token_types > 0)
        list.push_back({.name = embed + ".token_type_embeddings.weight", .parts = {"embed.W_type"}});
    BlockTensors(list, embed, "").norm(".LayerNorm", "ln_embed", true);
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string number = std::to_string(layer);
        BlockTensors block(list, n.model + n.block + number, "blocks." + number);
        block.linear(n.query, "attn", {"Q"}, true);
        block.linear(n.key, "attn", {"K"}, true);
        block.linear(n.value, "attn", {"V"}, true);
        block.linear(n.attention_out, "attn", {"O"}, true);
        block.norm(n.attention_norm, "ln1", true);
        block.linear(n.first, "mlp", {"in"}, true);
        block.linear(n.second, "mlp", {"out"}, true);
        block.norm(n.norm, "ln2", true);
    }
    if (c.pooler) BlockTensors(list, n.model, "").linear(".pooler.dense", "pooler", {"pool"}, true);
    if (c.output == OutputKind::vectors) return list;
    BlockTensors(list, n.transform, "").linear("", "head", {"transform"}, true);
    BlockTensors(list, n.transform_norm, "").norm("", "head.ln", true);
    add_unembedding(list, n.decoder + ".weight", c.tied);
    list.push_back({.name = n.bias, .parts = {"unembed.b_U"}});
    if (n.bias != n.decoder + ".bias")
        list.push_back({.name = n.decoder + ".bias", .parts = {"unembed.b_U"}, .repeated = true});
    return list;
}

Names bert_names() {
    return {"bert",
            ".encoder.layer.",
            ".attention.self.query",
            ".attention.self.key",
            ".attention.self.value",
            ".attention.output.dense",
            ".attention.output.LayerNorm",
            ".intermediate.dense",
            ".output.dense",
            ".output.LayerNorm",
            "cls.predictions.transform.dense",
            "cls.predictions.transform.LayerNorm",
            "cls.predictions.decoder",
            "cls.predictions.bias"};
}

TensorLayout bert_layout(const TransformerConfig& c) { return layout_of(c, bert_names(), 0); }

TensorLayout roberta_layout(const TransformerConfig& c) {
    Names n = bert_names();
    n.model = "roberta";
    n.transform = "lm_head.dense", n.transform_norm = "lm_head.layer_norm", n.decoder = "lm_head.decoder";
    n.bias = "lm_head.bias";
    return layout_of(c, n, roberta_unused);
}

TensorLayout distilbert_layout(const TransformerConfig& c) {
    return layout_of(c,
                     {"distilbert", ".transformer.layer.", ".attention.q_lin", ".attention.k_lin", ".attention.v_lin",
                      ".attention.out_lin", ".sa_layer_norm", ".ffn.lin1", ".ffn.lin2", ".output_layer_norm",
                      "vocab_transform", "vocab_layer_norm", "vocab_projector", "vocab_projector.bias"},
                     0);
}

/// Old files call a norm's γ and β "gamma" and "beta"; files of the bare model omit its prefix.
std::string name_in(const std::string& in_file, const std::string& model) {
    std::string name = in_file;
    for (const auto& [old, now] :
         {std::pair("LayerNorm.gamma", "LayerNorm.weight"), {"LayerNorm.beta", "LayerNorm.bias"}})
        if (name.ends_with(old)) name = name.substr(0, name.size() - std::string(old).size()) + now;
    for (const char* start : {"embeddings.", "encoder.", "transformer.", "pooler."})
        if (name.starts_with(start)) name = model + "." + name;
    if (name == model + ".embeddings.position_ids") return "";
    // The model has no place for other tasks' heads (next sentence, text classification, question answering).
    for (const char* other_head : {"cls.seq_relationship.", "pre_classifier.", "classifier.", "qa_outputs."})
        if (name.starts_with(other_head)) return "";
    return name;
}

std::string bert_name(const std::string& in_file) { return name_in(in_file, "bert"); }
std::string roberta_name(const std::string& in_file) { return name_in(in_file, "roberta"); }
std::string distilbert_name(const std::string& in_file) { return name_in(in_file, "distilbert"); }

/// Only some folders have a pooler or the prediction head, and config.json does not say which.
void find_heads(TransformerConfig& c, const std::set<std::string>& names) {
    c.pooler = std::ranges::any_of(
        names, [](const std::string& name) { return name.find(".pooler.dense.") != std::string::npos; });
    const bool predicts = std::ranges::any_of(names, [](const std::string& name) {
        return name.starts_with("cls.predictions.") || name.starts_with("lm_head.") || name.starts_with("vocab_");
    });
    if (predicts) return;
    c.head_transform = c.unembed_bias = false;
    c.output = OutputKind::vectors, c.d_output = c.d_model;
}

}  // namespace

std::vector<HuggingFaceFamily> bert_families() {
    std::vector<HuggingFaceFamily> all{
        {"bert", "BertForMaskedLM", bert_config, bert_layout, bert_name, find_heads},
        {"distilbert", "DistilBertForMaskedLM", distilbert_config, distilbert_layout, distilbert_name, find_heads}};
    for (const auto& [type, architecture] : {std::pair("roberta", "RobertaForMaskedLM"),
                                             {"xlm-roberta", "XLMRobertaForMaskedLM"},
                                             {"camembert", "CamembertForMaskedLM"}})
        all.push_back({type, architecture, roberta_config, roberta_layout, roberta_name, find_heads});
    return all;
}

}  // namespace glassformer
