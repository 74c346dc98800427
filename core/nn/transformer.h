#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer {

/// A transformer's graph for one batch shape, with handles to what callers feed and read.
struct TransformerGraph {
    std::shared_ptr<const Graph> graph;
    TransformerConfig config;
    int batch = 0, positions = 0;
    int tokens = -1;         // input [batch, pos]: ids
    int key_mask = -1;       // input [batch, pos]: 1 a word, 0 padding
    int targets = -1;        // input [batch, pos]: the true ids
    int loss_weights = -1;   // input [batch, pos]: 1 where the word is to be predicted
    int logits = -1;         // [batch, pos, d_vocab]
    int probabilities = -1;  // [batch, pos, d_vocab], softmax of the logits
    int loss = -1;           // scalar
};

/// The name of the residual stream [pos, d_model] after that many blocks: 0 is the embedding with its position.
std::string stream_name(int blocks);

/// The bidirectional pre-LayerNorm encoder: token + position embedding, n_layers blocks of attention and MLP on a
/// residual stream, a final LayerNorm, the embedding again as the way back to words (tied). All batch shapes declare
/// the same parameters in the same order, so one flat parameter vector serves them all.
TransformerGraph build_encoder(const TransformerConfig& config, int batch, int positions);

}  // namespace glassformer
