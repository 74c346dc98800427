#include "core/backend/gl/gl_ops.h"

#include <algorithm>

namespace glassformer::gl {

namespace {

constexpr GlOp table[] = {
    {"add", record::add, record::add_backward},
    {"alibi", record::alibi, record::alibi_backward},
    {"attention", record::attention, record::attention_backward},
    {"attention_mix", record::attention_mix, record::attention_mix_backward},
    {"attention_rows", record::attention_rows, nullptr},
    {"attention_scores", record::attention_scores, record::attention_scores_backward},
    {"batch_norm_choose", record::batch_norm_choose, nullptr},
    {"batch_norm_mean", record::batch_norm_mean, nullptr},
    {"batch_norm_normalize", record::batch_norm_normalize, record::batch_norm_normalize_backward},
    {"batch_norm_variance", record::batch_norm_variance, nullptr},
    {"cache_row", record::cache_row, nullptr},
    {"cross_entropy", record::cross_entropy, record::cross_entropy_backward},
    {"dropout", record::dropout, record::dropout_backward},
    {"embed", record::embed, record::embed_backward},
    {"gelu", record::activation, record::activation_backward},
    {"gelu_tanh", record::activation, record::activation_backward},
    {"gru_gates", record::gru_gates, nullptr},
    {"hardmax", record::hardmax, nullptr},
    {"head_result", record::head_result, record::head_result_backward},
    {"layer_norm_affine", record::layer_norm_affine, record::layer_norm_affine_backward},
    {"layer_norm_mean", record::layer_norm_mean, nullptr},
    {"layer_norm_normalize", record::layer_norm_normalize, record::layer_norm_normalize_backward},
    {"layer_norm_scale", record::layer_norm_scale, nullptr},
    {"linear", record::linear, record::linear_backward},
    {"mask", record::mask, record::mask_backward},
    {"mask_causal", record::mask_causal, record::mask_causal_backward},
    {"matmul_transposed", record::matmul_transposed, record::matmul_transposed_backward},
    {"mean_pool", record::mean_pool, record::mean_pool_backward},
    {"multiply", record::multiply, record::multiply_backward},
    {"pos_embed", record::pos_embed, record::pos_embed_backward},
    {"recurrent_gru", record::recurrent_gru, record::recurrent_gru_backward},
    {"recurrent_tanh", record::recurrent_tanh, record::recurrent_tanh_backward},
    {"relu", record::activation, record::activation_backward},
    {"rms_norm_normalize", record::rms_norm_normalize, record::rms_norm_normalize_backward},
    {"rms_norm_scale", record::rms_norm_scale, nullptr},
    {"rotary", record::rotary, record::rotary_backward},
    {"scale", record::scale, record::scale_backward},
    {"silu", record::activation, record::activation_backward},
    {"softmax", record::softmax, record::softmax_backward},
    {"squared_error", record::squared_error, record::squared_error_backward},
};

}  // namespace

const GlOp* find_gl_op(std::string_view name) {
    const auto found = std::ranges::find_if(table, [&](const GlOp& op) { return op.name == name; });
    return found == std::end(table) ? nullptr : found;
}

}  // namespace glassformer::gl
