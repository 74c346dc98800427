#include "core/io/hugging_face.h"

#include "core/base/error.h"
#include "core/io/gpt2_config.h"
#include "core/io/gpt2_layout.h"
#include "core/io/model_files.h"
#include "core/nn/config.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace {

/// The first option that GPT-2 does not have; empty when there is none.
std::string other_than_gpt2(const TransformerConfig& c) {
    const auto is = [](const char* option, std::string_view value, const char* theirs) {
        return std::string(option) + " is " + std::string(value) + "; GPT-2's is " + theirs;
    };
    const AttentionOptions& a = c.attention;
    if (c.family != Family::decoder) return is("family", name_of(c.family), "decoder");
    if (c.input != InputKind::words) return is("input", name_of(c.input), "words");
    if (c.output != OutputKind::words) return is("output", name_of(c.output), "words");
    if (c.positions != Positions::learned) return is("positions", name_of(c.positions), "learned");
    if (c.norm_placement != NormPlacement::pre) return is("norm_placement", name_of(c.norm_placement), "pre");
    if (c.norm != NormKind::layer_norm) return is("norm", name_of(c.norm), "layer_norm");
    if (c.norm_scalar) return is("norm_scalar", "true", "false");
    if (c.activation != Activation::gelu && c.activation != Activation::gelu_tanh && c.activation != Activation::relu)
        return is("activation", name_of(c.activation), "gelu, gelu_tanh or relu");
    if (!c.residual) return is("residual", "false", "true");
    if (!c.mlp_residual) return is("mlp_residual", "false", "true");
    if (a.projections != Projections::separate) return is("attention.projections", name_of(a.projections), "separate");
    if (!a.biases) return is("attention.biases", "false", "true");
    if (a.hard) return is("attention.hard", "true", "false");
    if (!a.scale) return is("attention.scale", "false", "true");
    if (!a.padding_mask) return is("attention.padding_mask", "false", "true");
    if (c.n_heads * c.d_head() != c.d_model)
        return is("attention.d_head", std::to_string(c.d_head()), "d_model / n_heads");
    if (c.d_value() != c.d_head()) return is("attention.d_value", std::to_string(c.d_value()), "d_head");
    if (c.n_key_value_heads() != c.n_heads)
        return is("attention.n_key_value_heads", std::to_string(c.n_key_value_heads()), "n_heads");
    if (!c.output_bias()) return is("attention.output_bias", name_of(a.output_bias), "yes");
    if (a.qk_norm) return is("attention.qk_norm", "true", "false");
    if (a.scale_width != 0) return is("attention.scale_width", std::to_string(a.scale_width), "d_head");
    if (a.window != 0) return is("attention.window", std::to_string(a.window), "0");
    if (c.parallel) return is("parallel", "true", "false");
    if (c.embedding_scale != 1.0f) return is("embedding_scale", std::to_string(c.embedding_scale), "1");
    if (c.embedding_norm) return is("embedding_norm", "true", "false");
    if (c.d_token_types != 0) return is("d_token_types", std::to_string(c.d_token_types), "0");
    if (c.head_transform) return is("head_transform", "true", "false");
    if (c.pooler) return is("pooler", "true", "false");
    if (c.unembed_bias) return is("unembed_bias", "true", "false");
    return {};
}

}  // namespace

bool is_gpt2_shaped(const TransformerConfig& config, std::string* why) {
    const std::string reason = other_than_gpt2(config);
    if (why) *why = reason;
    return reason.empty();
}

void save_hugging_face(const std::filesystem::path& folder, const Checkpoint& c) {
    std::string why;
    if (!is_gpt2_shaped(c.config, &why))
        throw Error("this model cannot be saved for Hugging Face, which would need a GPT-2: its " + why);
    const std::shared_ptr<const Graph> graph = parameter_graph(c.config);
    write_folder_atomically(folder, checkpoint_files(), [&](const std::filesystem::path& staging) {
        write_model_files(staging, c, gpt2_to_json(c.config, c.tokenizer.get()), *graph, gpt2_layout(c.config));
    });
}

}  // namespace glassformer
