#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"
#include "core/nn/transformer.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/fresh_parameters.h"

namespace glassformer {

/// A model with a vocabulary of six words, fresh parameters, two logged steps and two kept ones.
inline Checkpoint small_checkpoint(const std::function<void(TransformerConfig&)>& change = {}) {
    Checkpoint c;
    c.tokenizer = std::make_shared<WordTokenizer>(std::vector<std::string>{"bat", "cave", "foul"});
    c.config.d_vocab = c.tokenizer->size();
    c.config.n_ctx = 5;
    c.config.d_model = 8;
    c.config.n_heads = 2;
    c.config.d_mlp = 12;
    if (change) change(c.config);
    c.world = "homonyms";
    c.seed = 42;
    c.step = 17;
    c.planned_steps = 100;
    c.parameters = fresh_parameters(c.config, 42);
    c.log = {{1, 2.5f, -1.0f}, {2, 2.25f, 0.75f}};
    c.keyframes = {{0, std::make_shared<ParameterValues>(c.parameters->size(), 0.5f)}, {17, c.parameters}};
    return c;
}

}  // namespace glassformer
