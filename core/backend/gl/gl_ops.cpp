#include "core/backend/gl/gl_ops.h"

#include <algorithm>

namespace glassformer::gl {

namespace {

constexpr GlOp table[] = {
    {"add", record::add, record::add_backward},
    {"attention_mix", record::attention_mix, record::attention_mix_backward},
    {"attention_scores", record::attention_scores, record::attention_scores_backward},
    {"cross_entropy", record::cross_entropy, record::cross_entropy_backward},
    {"embed", record::embed, record::embed_backward},
    {"gelu", record::activation, record::activation_backward},
    {"gelu_tanh", record::activation, record::activation_backward},
    {"layer_norm_affine", record::layer_norm_affine, record::layer_norm_affine_backward},
    {"layer_norm_mean", record::layer_norm_mean, nullptr},
    {"layer_norm_normalize", record::layer_norm_normalize, record::layer_norm_normalize_backward},
    {"layer_norm_scale", record::layer_norm_scale, nullptr},
    {"linear", record::linear, record::linear_backward},
    {"mask", record::mask, record::mask_backward},
    {"mask_causal", record::mask_causal, record::mask_causal_backward},
    {"matmul_transposed", record::matmul_transposed, record::matmul_transposed_backward},
    {"multiply", record::multiply, record::multiply_backward},
    {"pos_embed", record::pos_embed, record::pos_embed_backward},
    {"relu", record::activation, record::activation_backward},
    {"scale", record::scale, record::scale_backward},
    {"silu", record::activation, record::activation_backward},
    {"softmax", record::softmax, record::softmax_backward},
};
// Still without a shader: alibi, batch_norm_mean, batch_norm_variance, batch_norm_choose, batch_norm_normalize,
// cache_row, dropout, gru_gates, hardmax, head_result, mean_pool, recurrent_gru, recurrent_tanh, rms_norm_scale,
// rms_norm_normalize, rotary, squared_error.

}  // namespace

const GlOp* find_gl_op(std::string_view name) {
    const auto found = std::ranges::find_if(table, [&](const GlOp& op) { return op.name == name; });
    return found == std::end(table) ? nullptr : found;
}

}  // namespace glassformer::gl
