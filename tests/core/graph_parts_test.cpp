#include "core/nn/graph_parts.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/nn/transformer.h"

using namespace glassformer;

namespace {

TransformerConfig sizes() {
    TransformerConfig c;
    c.d_vocab = 20, c.n_ctx = 12, c.d_model = 16, c.n_heads = 4, c.n_layers = 2, c.d_mlp = 48;
    return c;
}

}  // namespace

TEST_CASE("an encoder's graph is divided into its parts, in the order of execution") {
    const TransformerGraph model = build_transformer(sizes(), {1, 9});
    const GraphParts found = find_parts(*model.graph);
    using enum PartKind;
    std::vector<PartKind> expected = {embed};
    for (int block = 0; block < 2; ++block)
        expected.insert(expected.end(), {layer_norm, attention, residual_add, layer_norm, mlp, residual_add});
    expected.insert(expected.end(), {layer_norm, unembed, softmax});
    REQUIRE(found.parts.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(found.parts[i].kind == expected[i]);
        CHECK(found.parts[i].block == (i == 0 || i > 12 ? -1 : static_cast<int>(i - 1) / 6));
        CHECK(std::ranges::is_sorted(found.parts[i].nodes));
        for (const int node : found.parts[i].nodes) CHECK(found.part_of[node] == static_cast<int>(i));
    }
    CHECK(found.has_stream);
    CHECK(found.part_of[model.loss] == -1);
}

TEST_CASE("a BERT's pooler is a part of its own, and the linear map of its head is not an MLP") {
    TransformerConfig c = sizes();
    c.norm_placement = NormPlacement::post, c.embedding_norm = c.head_transform = c.pooler = true;
    const TransformerGraph model = build_transformer(c, {1, 9});
    const GraphParts found = find_parts(*model.graph);
    std::vector<PartKind> after;
    for (const GraphPart& part : found.parts)
        if (part.block < 0) after.push_back(part.kind);
    using enum PartKind;
    CHECK(after == std::vector{embed, layer_norm, pooler, linear, layer_norm, unembed, softmax});
    const GraphPart& part = *std::ranges::find(found.parts, pooler, &GraphPart::kind);
    CHECK(part.main == model.graph->at("pooler.hook_pooler_out"));
    CHECK(part.source == model.graph->at(stream_name(2)));
    REQUIRE(part.reads.size() == 1);
    CHECK(found.parts[part.reads[0]].kind == layer_norm);  // that of the last block
    CHECK(part.parameters == 16 * 16 + 16);
}

TEST_CASE("a part's source is the first value that it takes from another part") {
    const TransformerGraph model = build_transformer(sizes(), {1, 9});
    const GraphParts found = find_parts(*model.graph);
    CHECK(found.parts[0].source == -1);
    CHECK(found.parts[1].source == model.graph->at(stream_name(0)));
    CHECK(found.parts[7].source == model.graph->at(stream_name(1)));
    CHECK(found.parts.back().source == model.logits);
}
