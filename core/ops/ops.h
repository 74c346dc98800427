#pragma once

#include <cstdint>

#include "core/ops/op.h"
#include "core/ops/rotary_options.h"

/// The ops. Shapes use these letters: B batch, P pos (P_q query, P_k key), H head, D d_model or any width, V d_vocab.
/// Forward, backward and explanation of an op are defined together, in the file named after it or its group
/// (activations.cpp).
namespace glassformer::ops {

/// tokens [B, P], W_E [V, D] → [B, P, D]: row W_E[token]. The caller must have checked that ids are in 0 … V − 1.
OpPtr embed();
/// W_pos [n_ctx, D] → [P, D]: the first P rows.
OpPtr pos_embed(std::int64_t positions);
/// No input → [P, D]: cell (p, 2i) = sin(p / 10000^(2i/D)), cell (p, 2i + 1) = cos of the same (Vaswani et al. 2017).
OpPtr sinusoidal_positions(std::int64_t positions, std::int64_t width);
/// No input → [P, 1]: the index p, counted from 0; divided by P if `over_length`.
OpPtr position_index(std::int64_t positions, bool over_length);
/// x [B, P, H, D] → each pair of features rotated by an angle that grows with its position p (Su et al. 2021, RoPE): by
/// p · base^(−2i/D), or more slowly according to options.scaling. With `dims`, only that many leading features of each
/// head are rotated and the others pass through (Black et al. 2022, GPT-NeoX); it must be even and at most D, and 0
/// means all of an even D. With `positions`, a second input position [1], below that number, gives the position of the
/// first row.
OpPtr rotary(const RotaryOptions& options, std::int64_t dims = 0, std::int64_t positions = 0);
/// x [B, P, H, D] → [B, P, H·times, D]: each head repeated `times` times in a row, for the heads that share it (Ainslie
/// et al. 2023, grouped queries).
OpPtr repeat_heads(std::int64_t times);
/// a [.., S], b [S] → a + b. b's shape must be the end of a's shape (or equal), and b is repeated.
OpPtr add();
/// a, b of the same shape → a ⊙ b, cell by cell (the gate of SwiGLU).
OpPtr multiply();
/// x [.., D_in], W [D_in, D_out] and, with a bias, b [D_out] → x·W + b [.., D_out].
OpPtr linear();
/// x [.., D], W [V, D] → x·Wᵀ [.., V] (the unembedding with tied weights).
OpPtr matmul_transposed();
/// The same memory under another shape (split_heads, merge_heads).
OpPtr reshape(const Shape& shape);
/// q [B, P_q, H, D], k [B, P_k, H, D] → q·k [B, H, P_q, P_k].
OpPtr attention_scores();
/// x → factor · x.
OpPtr scale(float factor);
/// scores [B, H, P_q, P_k], key_mask [B, P_k] (1 keep, 0 hide) → −∞ if the key is hidden.
OpPtr mask();
/// scores [B, H, P_q, P_k] → −∞ if the key comes after the query (key − (P_k − P_q) > query).
OpPtr mask_causal();
/// scores [B, H, P_q, P_k] → −∞ if |key − (P_k − P_q) − query| is `window` or more (Beltagy et al. 2020).
OpPtr mask_window(std::int64_t window);
/// scores [B, H, P_q, P_k] → scores − slope_h · |key − (P_k − P_q) − query|, slope_h = 2^(−8(h + 1)/H) (Press et al.
/// 2022, ALiBi). With a second input position [1], for one query: scores − slope_h · |key − position|.
OpPtr alibi();
/// Over the last axis: e^x / Σ e^x. A row that is entirely −∞ gives zeros.
OpPtr softmax();
/// Over the last axis, hard attention: 1 at the largest cell (the first one on a tie), 0 elsewhere; zeros if all are
/// −∞. Its derivative is 0 wherever it exists, so no gradient flows back.
OpPtr hardmax();
/// pattern [B, H, P_q, P_k], v [B, P_k, H, D] → Σ_k pattern·v [B, P_q, H, D].
OpPtr attention_values();
/// z [B, P, H, D_h], W_O [H·D_h, D] → each head's contribution to the output [B, P, H, D], before they are added up.
OpPtr head_result();
/// x → x·Φ(x), the exact GELU of Hendrycks & Gimpel (with erf).
OpPtr gelu();
/// GELU by tanh, ½x(1 + tanh(√(2/π)(x + 0.044715x³))), as in GPT-2.
OpPtr gelu_tanh();
/// x → max(x, 0); the gradient at 0 is 0.
OpPtr relu();
/// x → x / (1 + e^−x) (Swish; with multiply(), SwiGLU).
OpPtr silu();
/// x → tanh x.
OpPtr tanh();
/// x [..], state [3] {training 0 or 1, step, seed}, step and seed below 2^24 → in training each cell is 0 with
/// probability `rate` and x / (1 − rate) otherwise, decided by (seed, step, stream, cell) alone; otherwise x itself.
OpPtr dropout(float rate, std::uint32_t stream);
/// LayerNorm (Ba et al. 2016) in stages. x [.., D] → mean [..].
OpPtr layer_norm_mean();
/// x [.., D], mean [..] → √(σ² + ε) [..], σ² the biased variance.
OpPtr layer_norm_scale(float epsilon);
/// x, mean, scale → (x − mean) / scale. Its gradient to x includes the paths through mean and scale.
OpPtr layer_norm_normalize();
/// The last stage of any norm: normalized [.., D], γ [D] or [1] and, optionally, β of γ's shape → normalized·γ + β.
OpPtr norm_affine();
/// RMSNorm (Zhang & Sennrich 2019). x [.., D] → √(mean of x² + ε) [..].
OpPtr rms_norm_scale(float epsilon);
/// x, scale → x / scale. Its gradient to x includes the path through scale.
OpPtr rms_norm_normalize();
/// Batch normalization (Ioffe & Szegedy 2015) over all words of a batch. x [B, P, D], key_mask [B, P] (1 for a word) →
/// mean of each feature over the words [D].
OpPtr batch_norm_mean();
/// x [B, P, D], key_mask [B, P], mean [D] → biased variance of each feature over the words [D].
OpPtr batch_norm_variance();
/// batch [D], running [D], state [3] (as for dropout) → the batch's value in training, otherwise the running one. No
/// gradient flows through here; batch_norm_normalize() includes it.
OpPtr batch_norm_choose();
/// x [B, P, D], key_mask [B, P], mean [D], variance [D], state [3] → (x − mean) / √(variance + ε). In training, its
/// gradient to x includes the paths through mean and variance.
OpPtr batch_norm_normalize(float epsilon);
/// x [B, P, D], key_mask [B, P] → mean over the words of each sentence [B, D].
OpPtr mean_pool();
/// x [B, P, D], key_mask [B, P] → the vector of each sentence's last or first word [B, D].
OpPtr token_pool(bool last);
/// A recurrent layer (Elman 1990). x [B, P, D] (the projected input), W_hh [D, D], b [D] → the states h_p = tanh(x_p +
/// h_{p−1}·W_hh + b) [B, P, D], h_{−1} = 0.
OpPtr recurrent_tanh();
/// A gated recurrent layer (Cho et al. 2014), in PyTorch's form. x [B, P, 3D] (projected; gates in the order r, z, n),
/// W_hh [D, 3D], b [3D] → the states [B, P, D]: r = σ(x_r + h·W_r + b_r), z = σ(x_z + h·W_z + b_z), n = tanh(x_n + r ⊙
/// (h·W_n + b_n)), h ← (1 − z) ⊙ n + z ⊙ h.
OpPtr recurrent_gru();
/// The gates of recurrent_gru, for inspection: x, the states h, W_hh, b → r, z, n [B, P, 3D]. Not on the path to the
/// loss.
OpPtr gru_gates();
/// logits [.., V], targets [..], weights [..] → Σ w·(−log softmax(logits)[target]) / Σ w, a scalar; 0 if Σ w = 0.
OpPtr cross_entropy();
/// prediction [.., D], target [.., D], weights [..] → Σ w·(mean over D of (prediction − target)²) / Σ w, a scalar; 0 if
/// Σ w = 0.
OpPtr squared_error();
/// cache [1, C, H, D], row [1, 1, H, D], position [1] → the cache with the row at that position (the KV cache in
/// generation). No gradient.
OpPtr cache_row();

}  // namespace glassformer::ops
