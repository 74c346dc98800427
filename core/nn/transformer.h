#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer {

/// The shape of one batch.
struct BatchShape {
    int batch = 1;
    int positions = 1;
    int source_positions = 0;  // encoder–decoder: length of the source sentence

    bool operator==(const BatchShape&) const = default;
};

/// A model's graph for one batch shape, with the node ids that callers feed and read; −1 if the model has no such node.
struct TransformerGraph {
    std::shared_ptr<const Graph> graph;
    TransformerConfig config;
    int batch = 0, positions = 0, source_positions = 0;
    int tokens = -1;           // input [batch, pos]: ids
    int values = -1;           // input [batch, pos, d_input]: real values instead of tokens
    int token_types = -1;      // input [batch, pos]: the token type of a word, 0 or 1 in BERT
    int key_mask = -1;         // input [batch, pos]: 1 for a word, 0 for padding
    int source_tokens = -1;    // input [batch, source pos]
    int source_key_mask = -1;  // input [batch, source pos]
    int targets = -1;          // input [batch, pos]: the true ids; [batch]: the true classes
    int target_values = -1;    // input [batch, pos, d_output]: the true values
    int loss_weights = -1;     // input [batch, pos] or [batch]: 1 where there is something to predict
    int state = -1;            // input [3]: {1 in training, else 0; step; seed}, for dropout and batch norm
    int logits = -1;         // [batch, pos, d_vocab], [batch, classes], or the predicted values [batch, pos, d_output]
    int probabilities = -1;  // softmax of the logits; none for values
    int loss = -1;           // scalar: cross entropy, or squared error for values
};

/// The name of the residual stream [pos, d_model] after `blocks` blocks: 0 is the embedding plus position.
std::string stream_name(int blocks);

/// Builds any model of `config`: embedding and positions, n_layers blocks on a residual stream, the final norm, and the
/// output head. All batch shapes declare the same parameters in the same order, so one flat parameter vector serves
/// them all. In an encoder–decoder, the source side has the prefix "encoder.", and cross-attention is "cross_attn" in
/// its block. Throws Error like validate(), and for positions beyond n_ctx.
TransformerGraph build_transformer(const TransformerConfig& config, const BatchShape& shape);

/// The smallest such graph, for the parameters that it declares: of one sentence of one token.
std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config);

/// A decoder that reads one more word, with the keys and values of earlier words as inputs.
struct NextWordGraph {
    std::shared_ptr<const Graph> graph;
    std::int64_t capacity = 0;
    int token = -1;        // input [1, 1]
    int position = -1;     // input [1]: number of earlier words
    int valid_mask = -1;   // input [1, capacity]: 1 up to that position, 0 after it
    int window_mask = -1;  // if blocks have a window, input [1, capacity]: 1 for the words in it; else −1
    int logits = -1;       // [1, 1, d_vocab]
    struct Layer {
        int keys, values;        // inputs [1, capacity, head, d_head]
        int new_key, new_value;  // [1, 1, head, d_head]: the new word's row, to be cached
    };
    std::vector<Layer> layers;
};

/// True if a model can run one word at a time: a causal decoder of words with learned, rotary, ALiBi or no positions,
/// and without batch normalization.
bool supports_kv_cache(const TransformerConfig& config);

/// The hook of the cached keys, as the scores read them, under "blocks.L.attn." ("hook_k", "hook_rot_k").
const char* cache_key_hook(const TransformerConfig& config);

/// Declares the same parameters, in the same order, as build_transformer(). Throws Error if supports_kv_cache() is
/// false or the capacity is not 1 … n_ctx.
NextWordGraph build_next_word(const TransformerConfig& config, std::int64_t capacity);

}  // namespace glassformer
