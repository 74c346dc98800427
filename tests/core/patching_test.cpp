#include "core/analysis/patching.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("patching the first stream at all positions turns one run into the other") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        REQUIRE_FALSE(same_bytes(a->values("logits"), b->values("logits")));
        const auto patched = model->trace(sentence_a, {patch(*b, {"blocks.0.hook_resid_pre"})});
        for (const char* node : {"blocks.0.attn.hook_pattern", "blocks.1.hook_resid_post", "logits", "probabilities"})
            CHECK(same_bytes(patched->values(node), b->values(node)));
        CHECK(patched->tokens() == sentence_a);
    }
}

TEST_CASE("patching nothing, or a run's own values, changes nothing") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto a = model->trace(sentence_a);
        CHECK(same_bytes(model->trace(sentence_a, {})->values("logits"), a->values("logits")));
        for (const char* node : {"blocks.0.hook_attn_out", "blocks.1.attn.hook_z", "blocks.1.attn.hook_q"})
            CHECK(same_bytes(model->trace(sentence_a, {patch(*a, {node})})->values("logits"), a->values("logits")));
    }
}

TEST_CASE("a patch can take one position and one head, and write them elsewhere") {
    SmallModel model("encoder", small_config());
    const auto a = model.trace(sentence_a), b = model.trace({5, 6});
    const HookPoint from{"blocks.1.attn.hook_z", 1, 2}, to{"blocks.1.attn.hook_z", 4, 0};
    const auto patched = model.trace(sentence_a, {patch(*b, from, a->model(), to)});
    CHECK(values_of(*patched, to) == values_of(*b, from));
    CHECK(values_of(*patched, {"blocks.1.attn.hook_z", 3}) == values_of(*a, {"blocks.1.attn.hook_z", 3}));
    CHECK(values_of(*patched, {"blocks.1.attn.hook_z", 4, 1}) == values_of(*a, {"blocks.1.attn.hook_z", 4, 1}));
    CHECK_THROWS_AS(patch(*b, {"blocks.1.attn.hook_z"}, a->model(), to), Error);
    CHECK_THROWS_AS(patch(*b, to, a->model(), to), Error);  // sentence b has two words
}

TEST_CASE("a patch grid equals patching each cell on its own") {
    for (const auto& model : small_models()) {
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        const LogitDifference difference{4, 3, 8};
        for (const PatchedNode node : {PatchedNode::resid_pre, PatchedNode::attn_out, PatchedNode::mlp_out}) {
            if (!a->graph().find(patched_name(node, 0))) continue;
            const PatchGrid grid = patch_grid(model->backend, *a, *b, node, difference);
            INFO(model->name, " ", patched_name(node, 0));
            CHECK(grid.complete);
            CHECK(grid.a == difference.of(*a));
            CHECK(grid.b == static_cast<double>(b->values("logits")[4 * 19 + 3]) -
                                static_cast<double>(b->values("logits")[4 * 19 + 8]));
            for (int block = 0; block < 2; ++block)
                for (int p = 0; p < 5; ++p) {
                    const auto one = model->trace(sentence_a, {patch(*b, {patched_name(node, block), p})});
                    CHECK(grid.at(block, p) == difference.of(*one));
                    CHECK(grid.effect(block, p) == doctest::Approx((difference.of(*one) - grid.a) / (grid.b - grid.a)));
                }
        }
    }
}

TEST_CASE("a patch grid is 0 where the sentences agree, and where no later position reads the patch") {
    SmallModel model("encoder", small_config());
    const auto a = model.trace(sentence_a), b = model.trace(sentence_b);
    const PatchGrid grid = patch_grid(model.backend, *a, *b, PatchedNode::resid_pre, {4, 3, 8});
    CHECK(grid.effect(0, 0) == 0.0);  // words 0 and 2 are the same in both
    CHECK(grid.effect(0, 2) == 0.0);
    CHECK(grid.effect(0, 1) != 0.0);
    CHECK(grid.effect(1, 0) != 0.0);  // after one block, the same word has attended to different words
    const PatchGrid last = patch_grid(model.backend, *a, *b, PatchedNode::mlp_out, {4, 3, 8});
    for (int p = 0; p < 4; ++p) CHECK(last.effect(1, p) == 0.0);  // no attention reads other positions after it
    CHECK(last.effect(1, 4) != 0.0);
    CHECK(patch_grid(model.backend, *a, *a, PatchedNode::resid_pre, {4, 3, 8}).effect(0, 1) == 0.0);
}

TEST_CASE("sentences of unequal length are patched by aligned words") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto a = model->trace(sentence_a), b = model->trace({9, 4, 2, 11, 7, 6, 3});
        const PatchPartners partners{1, -1, 2, 6, 4};
        const LogitDifference difference{4, 3, 8};
        const PatchGrid grid = patch_grid(model->backend, *a, *b, PatchedNode::resid_pre, difference, {partners});
        CHECK(grid.complete);
        CHECK(grid.a == difference.of(*a));
        CHECK(grid.b == LogitDifference{4, 3, 8}.of(*b));  // word 4 of A is paired with word 4 of B
        for (int block = 0; block < 2; ++block)
            for (int p = 0; p < 5; ++p) {
                const int partner = partners[p];
                if (partner < 0) {
                    CHECK(std::isnan(grid.at(block, p)));
                    continue;
                }
                const std::string name = patched_name(PatchedNode::resid_pre, block);
                const auto one = model->trace(sentence_a, {patch(*b, {name, partner}, a->model(), {name, p})});
                CHECK(grid.at(block, p) == difference.of(*one));
            }
        CHECK(std::isnan(patch_grid(model->backend, *a, *b, PatchedNode::resid_pre, {1, 3, 8}, {partners}).b));
        for (const PatchPartners& wrong :
             {PatchPartners{0, 1, 2}, PatchPartners{0, 1, 2, 3, 7}, PatchPartners{0, 1, 2, 3, -2}})
            CHECK_THROWS_AS(patch_grid(model->backend, *a, *b, PatchedNode::resid_pre, difference, {wrong}), Error);
    }
}

TEST_CASE("a patch grid can be stopped, and keeps what it has computed") {
    SmallModel model("encoder", small_config());
    const auto a = model.trace(sentence_a), b = model.trace(sentence_b);
    PatchGridRun run(model.backend, *a, *b, PatchedNode::attn_out, {4, 3, 8});
    CHECK(run.total() == 10);
    for (int done = 1; done <= 3; ++done) {
        run.step();
        CHECK(run.done() == done);
    }
    CHECK_FALSE(run.grid().complete);
    for (int i = 0; i < 10; ++i) CHECK(std::isnan(run.grid().at(i / 5, i % 5)) == (i >= 3));
}

TEST_CASE("runs that cannot be compared are refused") {
    SmallModel model("encoder", small_config());
    TransformerConfig other_config = small_config();
    other_config.n_layers = 1;
    SmallModel other("other", other_config);
    const auto a = model.trace(sentence_a), b = model.trace(sentence_b);
    const auto refused = [&](const Trace& x, const Trace& y, const LogitDifference& d) {
        CHECK_THROWS_AS(patch_grid(model.backend, x, y, PatchedNode::resid_pre, d), Error);
    };
    refused(*a, *model.trace({1, 2}), {0, 3, 8});
    refused(*a, *other.trace(sentence_b), {0, 3, 8});
    refused(*a, *b, {5, 3, 8});
    refused(*a, *b, {-1, 3, 8});
    refused(*a, *b, {0, 19, 8});
    refused(*a, *b, {0, 3, -1});
    refused(*model.trace(sentence_a, {patch(*b, {"blocks.0.hook_mlp_out", 1})}), *b, {0, 3, 8});
}
