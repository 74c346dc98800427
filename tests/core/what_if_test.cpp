#include "core/analysis/what_if.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis/altered_backend.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using namespace glassformer::what_if;

namespace {

TransformerConfig with(auto change) {
    TransformerConfig config = small_config();
    change(config);
    return config;
}

TransformerConfig decoder() {
    return with([](TransformerConfig& c) { c.family = Family::decoder; });
}

TransformerConfig recurrent() {
    return with([](TransformerConfig& c) {
        c.family = Family::gru, c.activation = Activation::none, c.positions = Positions::none;
    });
}

}  // namespace

TEST_CASE("each what-if has a short description") {
    CHECK(describe(HeadOff{1, 0}) == "block 1 · head 0 off");
    CHECK(describe(AttentionOff{1}) == "attention of block 1 off");
    CHECK(describe(MlpOff{0}) == "MLP of block 0 off");
    CHECK(describe(PositionsOff{}) == "no positions");
    CHECK(describe(MaskOff{}) == "no mask");
    CHECK(describe(ScaleOff{}) == "no scale");
    CHECK(describe(NormOff{}) == "no normalization");
    CHECK(describe(ResidualOff{}) == "no residual");
    CHECK(describe(NormScaled{"blocks.0.ln1", 2, 0.5f}) == "blocks.0.ln1: γ × 2.00, β × 0.50");
    CHECK(describe(UniformAttention{1, 2}) == "block 1 · head 2 uniform");
    CHECK(describe(HardAttention{0, 2}) == "block 0 · head 2 hard");
    CHECK(describe(HeadOff{1, 0, AttentionTo::source}) == "block 1 · cross-attention head 0 off");
    CHECK(describe(HardAttention{0, 2, AttentionTo::source}) == "block 0 · cross-attention head 2 hard");
    CHECK(describe(AttentionOff{1, AttentionTo::source}) == "cross-attention of block 1 off");
    CHECK(describe(AttentionRow{0, 1, 0, 3, {}}) == "row 3 of block 1 · head 0 painted in A");
    const HookPoint here{"blocks.1.attn.hook_z", 2, 0}, there{"blocks.0.hook_resid_pre", 4};
    CHECK(describe(Patch{0, here, here}) == "blocks.1.attn.hook_z[2] of head 0 of B patched into A");
    CHECK(describe(Patch{1, there, {"logits"}}) ==
          "residual stream before block 0 at position 4 of A patched into logits of B");
    const HookPoint mlp{"blocks.12.hook_mlp_out", 7};
    CHECK(describe(Patch{0, mlp, {"blocks.12.hook_mlp_out", 8}}) ==
          "MLP of block 12 at position 7 of B patched into MLP of block 12 at position 8 of A");
    CHECK(describe(HeadPatch{.slot = 0, .block = 1, .head = 2, .part = HeadPart::v, .position = 3}) ==
          "v of block 1 · head 2 at position 3 of A patched from B");
    const HeadPatch row{.slot = 1, .part = HeadPart::pattern, .position = 3, .source = PatchSource::mean};
    CHECK(describe(row, "bat") == "pattern of block 0 · head 0 at “bat” of B patched from the mean of its words");
    CHECK(describe(HeadPatch{.part = HeadPart::q}, "bat") == "q of block 0 · head 0 at every word of A patched from B");
}

TEST_CASE("what-ifs know which sentence they apply to") {
    CHECK(slot_of(HeadOff{1, 0}) == -1);
    CHECK(slot_of(AttentionRow{1, 0, 0, 0, {1.0f}}) == 1);
    CHECK(slot_of(Patch{0, {"logits"}, {"logits"}}) == 0);
    CHECK(slot_of(HeadPatch{.slot = 1}) == 1);
}

TEST_CASE("a what-if that a model does not support is refused with the reason, and others are accepted") {
    const auto refused = [](const WhatIf& change, const TransformerConfig& config, const std::string& why) {
        INFO(describe(change));
        CHECK(contains(refusal(change, config), why));
        CHECK(contains(error_of([&] { require_sense(std::vector{change}, config); }), describe(change)));
    };
    refused(HeadOff{0, 3}, small_config(), "no head 3; they go from 0 to 2");
    refused(HeadOff{0, -1}, small_config(), "no head -1");
    refused(AttentionRow{0, 0, 0, 0, {0, 0, 5}}, small_config(), "sum to 1");
    refused(AttentionRow{0, 0, 0, 0, {2, -1, 0}}, small_config(), "no weights below 0");
    refused(AttentionRow{0, 0, 0, 0, {NAN, 1, 0}}, small_config(), "no weights below 0");
    CHECK(refusal(AttentionRow{0, 0, 0, 0, {0.5f, 0.5f, 0}}, small_config()).empty());
    refused(HeadOff{0, 0, AttentionTo::source}, small_config(), "no cross-attention");
    refused(AttentionOff{0, AttentionTo::source}, small_config(), "no cross-attention");
    refused(UniformAttention{2, 0}, small_config(), "no block 2; they go from 0 to 1");
    refused(MlpOff{2}, small_config(), "no block 2");
    refused(AttentionOff{-1}, small_config(), "no block -1");
    refused(MaskOff{}, small_config(), "no causal mask");
    refused(AttentionRow{2, 0, 0, 0, {}}, small_config(), "no sentence 2");
    refused(Patch{-1, {"logits"}, {"logits"}}, small_config(), "no sentence -1");
    refused(HeadPatch{.slot = 2}, small_config(), "no sentence 2");
    refused(HeadPatch{.block = 2}, small_config(), "no block 2");
    refused(HeadPatch{.head = 3}, small_config(), "no head 3");
    refused(HeadPatch{.position = -2}, small_config(), "no position -2");
    refused(MlpOff{0}, with([](TransformerConfig& c) { c.activation = Activation::none; }), "no MLP");
    refused(PositionsOff{}, with([](TransformerConfig& c) { c.positions = Positions::none; }), "positions");
    refused(ScaleOff{}, with([](TransformerConfig& c) { c.attention.scale = false; }), "does not divide");
    refused(NormOff{}, with([](TransformerConfig& c) { c.norm_placement = NormPlacement::none; }), "no normalization");
    refused(NormScaled{}, with([](TransformerConfig& c) { c.norm_placement = NormPlacement::none; }),
            "no normalization");
    refused(NormScaled{"blocks.0.ln1", NAN}, small_config(), "finite");
    refused(ResidualOff{}, with([](TransformerConfig& c) { c.residual = false; }), "no residual");
    refused(HardAttention{0, 0}, with([](TransformerConfig& c) { c.attention.hard = true; }), "already hard");
    for (const WhatIf& change : std::vector<WhatIf>{HeadOff{0, 0}, AttentionOff{0}, ScaleOff{}, UniformAttention{0, 0},
                                                    HardAttention{0, 0}, AttentionRow{0, 0, 0, 0, {}}, HeadPatch{}})
        refused(change, recurrent(), "no attention");
    refused(MaskOff{}, recurrent(), "no mask");
    for (const WhatIf& change : std::vector<WhatIf>{
             HeadOff{1, 2}, AttentionOff{1}, MlpOff{1}, PositionsOff{}, MaskOff{}, ScaleOff{}, NormOff{}, ResidualOff{},
             UniformAttention{0, 0}, HardAttention{1, 2}, AttentionRow{1, 0, 0, 0, {1}}, Patch{0, {"logits"}, {}},
             HeadPatch{.head = 2, .position = 3}}) {
        INFO(describe(change));
        CHECK(refusal(change, decoder()).empty());
    }
    CHECK(refusal(NormOff{}, recurrent()).empty());
    CHECK(refusal(ResidualOff{}, recurrent()).empty());
}
