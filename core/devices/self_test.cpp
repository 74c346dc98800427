#include <cmath>

#include "core/base/aligned.h"
#include "core/base/rng.h"
#include "core/devices/choose.h"
#include "core/nn/transformer.h"

namespace glassformer {

namespace {

constexpr double tolerance = 1e-3;

TransformerGraph small_encoder(int n_layers, int batch, int positions) {
    const TransformerConfig config{
        .d_vocab = 37, .n_ctx = positions, .d_model = 24, .n_heads = 3, .n_layers = n_layers, .d_mlp = 52};
    return build_transformer(config, {batch, positions});
}

/// Logits, then gradients.
struct Answers {
    std::vector<float> logits;
    AlignedFloats gradients;
};

Answers answers_of(Backend& backend, const TransformerGraph& model, std::span<const float> parameters) {
    const std::unique_ptr<Execution> run = backend.prepare(model.graph, {{model.logits}, model.loss});
    std::vector<float> tokens(static_cast<std::size_t>((*model.graph)[model.tokens].shape.elements())),
        keep(tokens.size(), 1.0f);
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<float>(i * 11 % 37);
    keep[6] = keep[12] = keep[13] = 0.0f;  // padding
    run->set_input(model.tokens, tokens);
    run->set_input(model.key_mask, keep);
    run->set_input(model.targets, tokens);
    run->set_input(model.loss_weights, keep);
    Answers a;
    run->forward(parameters);
    a.logits.resize((*model.graph)[model.logits].shape.elements());
    run->read(model.logits, a.logits);
    a.gradients.resize(parameters.size());
    run->backward(a.gradients);
    return a;
}

/// The largest difference as a share of the root mean square.
double difference(std::span<const float> expected, std::span<const float> given) {
    double squares = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x = expected[i], d = std::abs(x - static_cast<double>(given[i]));
        squares += x * x;
        largest = std::isfinite(d) ? std::max(largest, d) : INFINITY;
    }
    return largest / std::sqrt(squares / static_cast<double>(expected.size()));
}

std::string error_of(GlBackend& gl, CpuBackend& cpu, const TransformerGraph& model) {
    const std::vector<float> fresh = initial_parameters(*model.graph, 1);
    AlignedFloats parameters(fresh.begin(), fresh.end());
    Rng rng(2);
    for (float& p : parameters) p += static_cast<float>(0.1 * rng.normal());  // biases too
    const Answers expected = answers_of(cpu, model, parameters), given = answers_of(gl, model, parameters);
    for (const auto& [what, error] : {std::pair{"values", difference(expected.logits, given.logits)},
                                      {"gradients", difference(expected.gradients, given.gradients)}})
        if (!(error <= tolerance))
            return std::string("the graphics driver computes other ") + what + " of a small model than the processor";
    return "";
}

}  // namespace

// The second model's sentence is so long that attention runs in one op.
std::string self_test(GlBackend& gl, CpuBackend& cpu) {
    const std::string error = error_of(gl, cpu, small_encoder(2, 3, 7));
    return error.empty() ? error_of(gl, cpu, small_encoder(1, 1, GlOptions{}.fuse_from)) : error;
}

}  // namespace glassformer
