#include "core/graph/hook_names.h"

#include <doctest/doctest.h>

using namespace glassformer;

TEST_CASE("a node's name says its side, block, module and quantity") {
    const NodePlace score = node_place("blocks.12.cross_attn.hook_attn_scores_scaled");
    CHECK_FALSE(score.encoder);
    CHECK(score.block == 12);
    CHECK((score.cross() && score.attention() && score.of_pairs() && !score.is_pattern()));
    CHECK(score.within == "cross_attn.hook_attn_scores_scaled");
    CHECK(score.quantity == "hook_attn_scores_scaled");
    CHECK_FALSE(score.of_source());  // its rows are the decoder's, its keys the source's
    CHECK(score.keys_of_source());

    const NodePlace norm = node_place("encoder.blocks.3.ln1.hook_scale");
    CHECK((norm.encoder && norm.of_source()));
    CHECK(norm.block == 3);
    CHECK(norm.module == NodePlace::Module::norm);
    CHECK(norm.same_block(node_place("encoder.blocks.3.mlp.W_in")));
    CHECK_FALSE(norm.same_block(node_place("blocks.3.mlp.W_in")));

    CHECK(node_place("blocks.0.cross_attn.hook_k").of_source());
    CHECK(node_place("blocks.0.cross_attn.v_groups").of_source());
    CHECK_FALSE(node_place("blocks.0.cross_attn.hook_q").of_source());
    CHECK(node_place("source_tokens").of_source());

    for (const char* outside : {"logits", "ln_final.w", "blocks.", "blocks.x.attn", "blocks.-1.attn", "blocks.7"}) {
        CAPTURE(outside);
        CHECK(node_place(outside).block == -1);
        CHECK(node_place(outside).within == outside);
    }
    CHECK(node_place("logits").quantity == "logits");
    CHECK(node_place("ln_final.w").module == NodePlace::Module::norm);
}

TEST_CASE("a block's hook name is parsed back into its parts") {
    for (const bool encoder : {false, true}) {
        const std::string name = block_hook(5, "attn.hook_q", encoder);
        CHECK(name == (encoder ? "encoder.blocks.5.attn.hook_q" : "blocks.5.attn.hook_q"));
        const NodePlace place = node_place(name);
        CHECK((place.encoder == encoder && place.block == 5 && place.within == "attn.hook_q"));
    }
}
