#pragma once

#include <vector>

#include "core/ops/op.h"

/// The ops. Shapes use these letters: B batch, P pos (P_q query, P_k key), H head, D d_model or any width, V d_vocab.
/// Each is defined, forward, backward and explanation side by side, in the file of its name.
namespace glassformer::ops {

/// tokens [B, P], W_E [V, D] → [B, P, D]: row W_E[token]. Ids outside 0 … V − 1 are the caller's error (checked
/// before).
OpPtr embed();
/// W_pos [n_ctx, D] → [P, D]: the first P rows.
OpPtr pos_embed(std::int64_t positions);
/// a [.., S], b [S] → a + b; b's shape must be the end of a's shape (equal shapes included), and is repeated.
OpPtr add();
/// x [.., D_in], W [D_in, D_out], b [D_out] → x·W + b [.., D_out].
OpPtr linear();
/// x [.., D], W [V, D] → x·Wᵀ [.., V] (the unembedding with tied weights).
OpPtr matmul_transposed();
/// The same memory under another shape (split_heads, merge_heads).
OpPtr reshape(const Shape& shape);
/// q [B, P_q, H, D], k [B, P_k, H, D] → q·k [B, H, P_q, P_k].
OpPtr attention_scores();
/// x → factor · x.
OpPtr scale(float factor);
/// scores [B, H, P_q, P_k], key_mask [B, P_k] (1 keep, 0 hide) → −∞ where the key is hidden.
OpPtr mask();
/// Over the last axis: e^x / Σ e^x. Rows that are −∞ throughout give zeros.
OpPtr softmax();
/// pattern [B, H, P_q, P_k], v [B, P_k, H, D] → Σ_k pattern·v [B, P_q, H, D].
OpPtr attention_mix();
/// z [B, P, H, D_h], W_O [H·D_h, D] → each head's part of the output [B, P, H, D], before they are added up.
OpPtr head_result();
/// x → x·Φ(x), the exact GELU of Hendrycks & Gimpel (with erf).
OpPtr gelu();
/// LayerNorm (Ba et al. 2016) in its four stages. x [.., D] → mean [..].
OpPtr layer_norm_mean();
/// x [.., D], mean [..] → √(σ² + ε) [..], σ² the biased variance.
OpPtr layer_norm_scale(float epsilon);
/// x, mean, scale → (x − mean) / scale. Its gradient to x holds the paths through mean and scale too.
OpPtr layer_norm_normalize();
/// normalized [.., D], γ [D], β [D] → normalized·γ + β.
OpPtr layer_norm_affine();
/// logits [.., V], targets [..], weights [..] → Σ w·(−log softmax(logits)[target]) / Σ w, a scalar; 0 where Σ w = 0.
OpPtr cross_entropy();

}  // namespace glassformer::ops
