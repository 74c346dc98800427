#include "core/graph/plan.h"

#include <doctest/doctest.h>

#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("an op that may overwrite its input is computed in the place of that input") {
    for (const Activation activation : {Activation::relu, Activation::gelu, Activation::gelu_tanh}) {
        TransformerConfig config = small_config();
        config.activation = activation;
        const TransformerGraph model = build_transformer(config, {1, 8});
        const int pre = model.graph->at("blocks.0.mlp.hook_pre"), post = model.graph->at("blocks.0.mlp.hook_post");
        const Plan plan(*model.graph, {.keep = {model.logits}});
        CHECK(plan.value_offset(post) == plan.value_offset(pre));
        // Not if both are asked for.
        const Plan both(*model.graph, {.keep = {pre, post}});
        CHECK(both.value_offset(post) != both.value_offset(pre));
    }
}
