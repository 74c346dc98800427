// Patches of one head's parts: all of them as a grid, those that are kept as what-ifs, and parts that share memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/analysis/patching.h"
#include "core/analysis/what_if_tracer.h"
#include "core/base/error.h"
#include "tests/contains.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using what_if::HeadPatch;

namespace {

constexpr std::array parts{HeadPart::q, HeadPart::k, HeadPart::v, HeadPart::pattern, HeadPart::z};

}  // namespace

TEST_CASE("parts that share memory are patched together") {
    const auto model = small_model("softmax(XXT)X", [](TransformerConfig& c) {
        c.attention.projections = Projections::none, c.norm_placement = NormPlacement::none;
    });
    CHECK(parts_sharing(model->config, HeadPart::k) == std::vector{HeadPart::q, HeadPart::v});
    CHECK(parts_sharing(model->config, HeadPart::z).empty());
    CHECK(parts_sharing(small_config(), HeadPart::q).empty());
    const auto shared =
        small_model("shared", [](TransformerConfig& c) { c.attention.projections = Projections::shared; });
    const auto a = shared->trace(sentence_a), b = shared->trace(sentence_b);
    const auto patched = shared->trace(
        sentence_a, {patch_head({.block = 1, .head = 1, .part = HeadPart::k, .position = 3}, a->model(), *b)});
    for (const char* hook : {"blocks.1.attn.hook_q", "blocks.1.attn.hook_v"})
        CHECK(values_of(*patched, {hook, 3, 1}) == values_of(*b, {hook, 3, 1}));
}

TEST_CASE("a patch grid of one head equals patching each of its parts, at each word and at all words") {
    for (const auto& model : small_models()) {
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        const LogitDifference difference{4, 3, 8};
        for (const PatchSource source : {PatchSource::other, PatchSource::mean}) {
            const PatchGrid grid = patch_grid(model->backend, *a, *b, PatchedHead{0, 1, source}, difference);
            INFO(model->name);
            CHECK(grid.complete);
            REQUIRE(grid.rows == 5);
            REQUIRE(grid.columns == 6);
            for (int row = 0; row < 5; ++row)
                for (int column = 0; column < 6; ++column) {
                    const HeadPatch patch{.block = 0,
                                          .head = 1,
                                          .part = parts[row],
                                          .position = column == 5 ? -1 : column,
                                          .source = source};
                    const Trace& from = source == PatchSource::mean ? *a : *b;
                    const auto one = model->trace(sentence_a, {patch_head(patch, a->model(), from)});
                    CHECK(grid.at(row, column) == difference.of(*one));
                }
        }
        CHECK_THROWS_AS(patch_grid(model->backend, *a, *b, PatchedHead{0, 3}, difference), Error);
        CHECK_THROWS_AS(patch_grid(model->backend, *a, *b, PatchedHead{2, 0}, difference), Error);
    }
}

TEST_CASE("a what-if on a part of a head equals patch_head, and affects only its own sentence") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        WhatIfTracer tracer(model->backend, model->config);
        for (const HeadPart part : parts)
            for (const PatchSource source : {PatchSource::other, PatchSource::mean}) {
                const HeadPatch patch{.slot = 1, .block = 1, .head = 1, .part = part, .position = 2, .source = source};
                const std::vector<WhatIf> changes{patch};
                const WhatIfRun of_b{{sentence_b}, 1, TraceInput{sentence_a}}, of_a{{sentence_a}, 0, {}};
                CHECK(tracer.refusal(of_b, patch, changes).empty());
                const auto found = tracer.trace(of_b, model->parameters, changes);
                const Trace& from = source == PatchSource::mean ? *b : *a;
                const auto truth = model->trace(sentence_b, {patch_head(patch, b->model(), from)});
                CHECK(same_bytes(found->values("logits"), truth->values("logits")));
                CHECK(
                    same_bytes(tracer.trace(of_a, model->parameters, changes)->values("logits"), a->values("logits")));
            }
        const WhatIfRun alone{{sentence_b}, 1, {}};
        const HeadPatch patch{.slot = 1, .position = 9};
        CHECK(contains(tracer.refusal(alone, HeadPatch{.slot = 1}, {}), "no other sentence"));
        CHECK(tracer.refusal(alone, HeadPatch{.slot = 1, .source = PatchSource::mean}, {}).empty());
        CHECK(contains(tracer.refusal({{sentence_b}, 1, TraceInput{sentence_a}}, patch, {}), "no position 9"));
    }
}
