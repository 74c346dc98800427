#pragma once

namespace glassformer {

/// The sizes of a transformer, under the field's names.
struct TransformerConfig {
    int d_vocab = 0;
    int n_ctx = 0;  // longest sentence, in tokens
    int d_model = 64;
    int n_heads = 4;
    int n_layers = 2;
    int d_mlp = 256;
    float layer_norm_epsilon = 1e-5f;
    float init_std = 0.08f;  // of every matrix; biases start at 0 and γ at 1

    int d_head() const { return d_model / n_heads; }
};

/// Throws Error naming the field that is impossible (d_model not divisible by n_heads, a size below 1 or beyond
/// reason).
void validate(const TransformerConfig& config);

}  // namespace glassformer
