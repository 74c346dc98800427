#include "core/nn/config.h"

#include <cmath>

#include "core/base/error.h"

namespace glassformer {

void validate(const TransformerConfig& c) {
    // Upper bounds keep a hostile file from asking for more memory than any laptop has; the largest are GPT-2 XL's and
    // more.
    const auto within = [](const char* field, int value, int most) {
        if (value < 1 || value > most)
            throw Error(std::string(field) + " is " + std::to_string(value) + "; it must be between 1 and " +
                        std::to_string(most));
    };
    within("d_vocab", c.d_vocab, 1 << 20);
    within("n_ctx", c.n_ctx, 1 << 16);
    within("d_model", c.d_model, 1 << 14);
    within("n_heads", c.n_heads, 1 << 10);
    within("n_layers", c.n_layers, 1 << 10);
    within("d_mlp", c.d_mlp, 1 << 17);
    if (c.d_model % c.n_heads != 0)
        throw Error("d_model " + std::to_string(c.d_model) + " cannot be shared evenly by n_heads " +
                    std::to_string(c.n_heads));
    if (!(c.layer_norm_epsilon > 0.0f) || !std::isfinite(c.layer_norm_epsilon))
        throw Error("layer_norm_epsilon must be a positive number");
    if (!(c.init_std >= 0.0f) || !std::isfinite(c.init_std)) throw Error("init_std must be a number of at least 0");
}

}  // namespace glassformer
