// nn::attention alone against torch.nn.MultiheadAttention: output, pattern of each head, gradients, ten updates.
#include <doctest/doctest.h>

#include "core/nn/layers.h"
#include "core/ops/ops.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

/// Builds attention from x to itself, or to a memory if the case has one; both are parameters, so that their gradients
/// are compared too. Returns the loss's node.
int build(Graph& graph, const golden::Case& golden) {
    const TransformerConfig config = golden.config();
    const BatchShape shape = golden.shape();
    const bool crosses = shape.source_positions > 0;
    const int keys = crosses ? shape.source_positions : shape.positions;
    const Node x = graph.parameter("x", {shape.batch, shape.positions, config.d_model}, {});
    const Node memory = crosses ? graph.parameter("memory", {shape.batch, keys, config.d_model}, {}) : x;
    const Node key_mask = graph.input("key_mask", {shape.batch, keys});
    nn::BuildContext assembly{graph, config};
    const Node out = nn::attention(assembly, "attn", {x, memory, key_mask, golden.flag("causal")}).named("attn_out");
    const Node targets = graph.input("target_values", out.shape());
    const Node weights = graph.input("loss_weights", {shape.batch, shape.positions});
    return graph.apply(ops::squared_error(), {out, targets, weights}).named("loss").id;
}

}  // namespace

TEST_CASE("golden: attention alone matches PyTorch's MultiheadAttention") {
    CpuBackend backend;
    for (const golden::Case& golden : golden::cases("attention.safetensors")) {
        const auto graph = std::make_shared<Graph>();
        const int loss = build(*graph, golden);
        golden::check(golden, graph, loss, backend);
    }
}
