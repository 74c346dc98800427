#include "core/analysis/what_if_tracer.h"

#include <doctest/doctest.h>

#include "core/analysis/interventions.h"
#include "core/analysis/patching.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using namespace glassformer::what_if;

namespace {

/// A model with a tracer for what-ifs.
struct Altered {
    explicit Altered(SmallModel& m) : model(m), tracer(m.backend, m.config) {}

    std::shared_ptr<const Trace> trace(const std::vector<WhatIf>& changes, int slot = 0) {
        return tracer.trace(run(slot), model.parameters, changes);
    }
    static WhatIfRun run(int slot) {
        return {{slot == 0 ? sentence_a : sentence_b}, slot, TraceInput{slot == 0 ? sentence_b : sentence_a}};
    }

    SmallModel& model;
    WhatIfTracer tracer;
};

/// Checks that two runs of one graph have the same values everywhere.
void check_same(const Trace& a, const Trace& b) {
    REQUIRE(a.graph().nodes().size() == b.graph().nodes().size());
    for (std::size_t id = 0; id < a.graph().nodes().size(); ++id) {
        INFO(a.graph().nodes()[id].name);
        CHECK(same_bytes(a.values(static_cast<int>(id)), b.values(static_cast<int>(id))));
    }
}

}  // namespace

TEST_CASE("each what-if equals core's own intervention, byte for byte") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        Altered altered(*model);
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        const TransformerGraph& graph = a->model();
        check_same(*altered.trace({HeadOff{1, 2}}), *model->trace(sentence_a, {ablate_head(graph, 1, 2)}));
        check_same(*altered.trace({AttentionOff{0}}), *model->trace(sentence_a, {ablate_attention(graph, 0)}));
        if (graph.graph->find("blocks.0.hook_mlp_out"))
            check_same(*altered.trace({MlpOff{0}}), *model->trace(sentence_a, {ablate_mlp(graph, 0)}));
        check_same(*altered.trace({UniformAttention{1, 0}}), *model->trace(sentence_a, {uniform_attention(*a, 1, 0)}));
        check_same(*altered.trace({HardAttention{0, 1}}), *model->trace(sentence_a, {hard_attention(*a, 0, 1)}));
        const std::vector<float> row{0.0f, 0.5f, 0.25f, 0.0f, 0.25f};
        check_same(*altered.trace({AttentionRow{0, 1, 1, 4, row}}),
                   *model->trace(sentence_a, {set_attention_row(graph, 1, 1, 4, row)}));
        const HookPoint from{"blocks.0.hook_resid_post", 1}, to{"blocks.0.hook_resid_post", 3};
        check_same(*altered.trace({Patch{0, from, to}}), *model->trace(sentence_a, {patch(*b, from, graph, to)}));
        CHECK_FALSE(same_bytes(altered.trace({HardAttention{0, 1}})->values("logits"), a->values("logits")));
        check_same(*altered.trace({}), *a);  // all taken back
        check_same(*altered.trace({}, 1), *b);
    }
}

TEST_CASE("changes of one sentence leave the other unchanged; a patch into B comes from A") {
    SmallModel model("encoder", small_config());
    Altered altered(model);
    const HookPoint site{"blocks.1.hook_resid_pre", 1};
    const std::vector<WhatIf> changes{AttentionRow{0, 0, 0, 0, {0, 0, 0, 0, 1}}, Patch{1, site, site}};
    const auto a = model.trace(sentence_a), b = model.trace(sentence_b);
    check_same(*altered.trace(changes, 0),
               *model.trace(sentence_a, {set_attention_row(a->model(), 0, 0, 0, std::vector<float>{0, 0, 0, 0, 1})}));
    check_same(*altered.trace(changes, 1), *model.trace(sentence_b, {patch(*a, site)}));
}

TEST_CASE("hard attention uses the scores of the run as changed by earlier blocks") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        Altered altered(*model);
        const auto plain = model->trace(sentence_a);
        // Given from the last block to the first, but applied in the order of the blocks.
        const auto found = altered.trace({HardAttention{1, 2}, HardAttention{0, 0}, AttentionOff{1}, HeadOff{0, 1}});
        const Intervention off = ablate_head(plain->model(), 0, 1), first = hard_attention(*plain, 0, 0);
        const auto half = model->trace(sentence_a, {off, first});
        const auto expected =
            model->trace(sentence_a, {off, first, hard_attention(*half, 1, 2), ablate_attention(plain->model(), 1)});
        check_same(*found, *expected);
    }
}

TEST_CASE("of two changes to the same cells, the later one wins") {
    SmallModel model("encoder", small_config());
    Altered altered(model);
    const std::vector<float> row{1, 0, 0, 0, 0};
    const auto row_of = [&](const std::vector<WhatIf>& changes) {
        return values_of(*altered.trace(changes), {"blocks.0.attn.hook_pattern", 2, 1});
    };
    CHECK(row_of({UniformAttention{0, 1}, AttentionRow{0, 0, 1, 2, row}}) == row);
    CHECK(row_of({AttentionRow{0, 0, 1, 2, row}, UniformAttention{0, 1}}) == std::vector<float>(5, 0.2f));
}

TEST_CASE("a structural what-if equals a model built that way, with the interventions on it") {
    const auto model = small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder; });
    Altered altered(*model);
    const auto check_built = [&](const WhatIf& change, auto edit) {
        INFO(describe(change));
        TransformerConfig config = model->config;
        edit(config);
        const Parameters parameters = alter(model->config, model->parameters, std::vector{change}).parameters;
        Tracer tracer(model->backend, config);
        const auto expected = tracer.trace(sentence_a, parameters), other = tracer.trace(sentence_b, parameters);
        check_same(*altered.trace({change}), *expected);
        CHECK_FALSE(same_bytes(expected->values("logits"), model->trace(sentence_a)->values("logits")));
        const HookPoint site{"blocks.1.attn.hook_v", 2, 1};
        const auto both = altered.trace({HeadOff{0, 1}, change, HardAttention{1, 0}, Patch{0, site, site}});
        const std::vector<Intervention> first{ablate_head(expected->model(), 0, 1), patch(*other, site)};
        const auto half = tracer.trace(sentence_a, parameters, first);
        check_same(*both, *tracer.trace(sentence_a, parameters, {first[0], hard_attention(*half, 1, 0), first[1]}));
    };
    check_built(PositionsOff{}, [](TransformerConfig& c) { c.positions = Positions::none; });
    check_built(MaskOff{}, [](TransformerConfig& c) { c.family = Family::encoder; });
    check_built(ScaleOff{}, [](TransformerConfig& c) { c.attention.scale = false; });
    check_built(NormOff{}, [](TransformerConfig& c) { c.norm_placement = NormPlacement::none; });
    check_built(ResidualOff{}, [](TransformerConfig& c) { c.residual = false; });
    check_same(*altered.trace({}), *model->trace(sentence_a));
}

TEST_CASE("a scaled norm gives γ · s · x̂ + β · t, for each new pair of factors") {
    SmallModel model("encoder", small_config());
    Altered altered(model);
    const auto plain = model.trace(sentence_a);
    for (const auto& [gamma, beta] : {std::pair{2.0f, 1.0f}, {0.5f, 0.0f}, {2.0f, 1.0f}, {0.0f, 3.0f}}) {
        CAPTURE(gamma);
        const auto trace = altered.trace({NormScaled{"blocks.0.ln1", gamma, beta}});
        const auto x = plain->values("blocks.0.ln1.hook_normalized"), y = trace->values("blocks.0.ln1.hook_out");
        const auto w = plain->values("blocks.0.ln1.w"), b = plain->values("blocks.0.ln1.b");
        REQUIRE(x.size() == y.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            CHECK(std::abs(y[i] - (w[i % w.size()] * gamma * x[i] + b[i % b.size()] * beta)) < 1e-4f);
    }
    check_same(*altered.trace({}), *plain);
}

TEST_CASE("rebuilt models follow the parameters, even after many of them have been used") {
    SmallModel model("encoder", small_config());
    Altered altered(model);
    const std::vector<std::vector<WhatIf>> many{{PositionsOff{}},
                                                {NormOff{}},
                                                {ScaleOff{}},
                                                {ResidualOff{}},
                                                {NormOff{}, PositionsOff{}},
                                                {NormOff{}, ResidualOff{}},
                                                {NormOff{}, ScaleOff{}}};
    std::vector<std::vector<float>> logits;
    const auto logits_with = [&](const std::vector<WhatIf>& changes) {
        const auto trace = altered.trace(changes);
        return std::vector<float>(trace->values("logits").begin(), trace->values("logits").end());
    };
    for (const auto& changes : many) logits.push_back(logits_with(changes));
    for (std::size_t i = many.size(); i-- > 0;) CHECK(logits_with(many[i]) == logits[i]);
    std::vector<float> moved = *model.parameters;
    for (float& value : moved) value *= 1.25f;
    const Parameters before = std::exchange(model.parameters, std::make_shared<ParameterValues>(std::move(moved)));
    for (std::size_t i = 0; i < many.size(); ++i) CHECK(logits_with(many[i]) != logits[i]);
    model.parameters = before;
    for (std::size_t i = 0; i < many.size(); ++i) CHECK(logits_with(many[i]) == logits[i]);
}

TEST_CASE("a translator's mask is removed only in the decoder, its positions also in the encoder") {
    const auto model = small_model("translator", [](TransformerConfig& c) { c.family = Family::encoder_decoder; });
    WhatIfTracer tracer(model->backend, model->config);
    const WhatIfRun run{{sentence_a, sentence_b}, 0, {}};
    const auto plain = tracer.trace(run.input, model->parameters);
    const auto found = tracer.trace(run, model->parameters, std::vector<WhatIf>{MaskOff{}});
    const std::vector<float> row = values_of(*found, {"blocks.0.attn.hook_pattern", 0, 0});
    CHECK(values_of(*plain, {"blocks.0.attn.hook_pattern", 0, 0}) == std::vector<float>{1, 0, 0, 0, 0});
    for (const float weight : row) CHECK(weight > 0.0f);
    CHECK(same_bytes(found->values("encoder.blocks.1.hook_resid_post"),
                     plain->values("encoder.blocks.1.hook_resid_post")));
    const auto lost = tracer.trace(run, model->parameters, std::vector<WhatIf>{PositionsOff{}});
    CHECK_FALSE(lost->graph().find("encoder.hook_pos_embed"));
}

TEST_CASE("cross-attention heads can be ablated, uniform or hard like others, each after those it depends on") {
    const auto model = small_model("translator", [](TransformerConfig& c) { c.family = Family::encoder_decoder; });
    WhatIfTracer tracer(model->backend, model->config);
    const WhatIfRun run{{sentence_a, sentence_b}, 0, {}};
    const auto with = [&](const std::vector<Intervention>& made) {
        return model->tracer.trace(run.input, model->parameters, made);
    };
    const auto what_if = [&](const std::vector<WhatIf>& changes) {
        return tracer.trace(run, model->parameters, changes);
    };
    constexpr AttentionTo source = AttentionTo::source;
    const auto plain = with({});
    const TransformerGraph& graph = plain->model();
    for (int block = 0; block < 2; ++block)
        for (int head = 0; head < 3; ++head) {
            INFO(block, ".", head);
            check_same(*what_if({HeadOff{block, head, source}}), *with({ablate_head(graph, block, head, source)}));
            check_same(*what_if({UniformAttention{block, head, source}}),
                       *with({uniform_attention(*plain, block, head, -1, source)}));
            check_same(*what_if({HardAttention{block, head, source}}),
                       *with({hard_attention(*plain, block, head, -1, source)}));
            CHECK_FALSE(same_bytes(what_if({HeadOff{block, head, source}})->values("logits"), plain->values("logits")));
        }
    check_same(*what_if({AttentionOff{1, source}}), *with({ablate_attention(graph, 1, source)}));
    // No weight on hidden keys, equal weights on the rest.
    const std::vector<float> row =
        values_of(*what_if({UniformAttention{0, 1, source}}), {"blocks.0.cross_attn.hook_pattern", 2, 1});
    CHECK(row == std::vector<float>(sentence_b.size(), 1.0f / static_cast<float>(sentence_b.size())));
    // The scores against the source are those after the change to the block's own attention.
    const Intervention own = hard_attention(*plain, 1, 0);
    check_same(*what_if({HardAttention{1, 2, source}, HardAttention{1, 0}}),
               *with({own, hard_attention(*with({own}), 1, 2, -1, source)}));
}

TEST_CASE("a change that does not fit a sentence is refused with the reason, and nothing is run") {
    SmallModel model("encoder", small_config());
    Altered altered(model);
    const auto why = [&](const WhatIf& change, const std::vector<WhatIf>& with = {}) {
        std::vector<WhatIf> all = with;
        all.push_back(change);
        const std::string found = altered.tracer.refusal(Altered::run(0), change, all);
        // What is accepted runs; what is refused does not.
        if (found.empty())
            CHECK(altered.trace(all));
        else
            CHECK(contains(error_of([&] { altered.trace(all); }), found));
        return found;
    };
    const std::vector<float> five(5, 0.2f);
    CHECK(why(AttentionRow{0, 0, 0, 4, five}).empty());
    CHECK(contains(why(AttentionRow{0, 0, 0, 5, five}), "no position 5"));
    CHECK(contains(why(AttentionRow{0, 0, 0, 4, {1.0f}}), "5 keys; 1 weights"));
    CHECK(contains(why(HeadOff{2, 0}), "no block 2"));
    CHECK(why(Patch{0, {"hook_pos_embed", 1}, {"hook_pos_embed", 1}}).empty());
    CHECK(contains(why(Patch{0, {"hook_pos_embed", 1}, {"hook_pos_embed", 1}}, {PositionsOff{}}), "hook_pos_embed"));
    CHECK(contains(why(Patch{0, {"logits", 1}, {"logits"}}), "19 cells"));
    CHECK(contains(why(Patch{0, {"logits", 5}, {"logits", 0}}), "no position 5"));
    CHECK(altered.tracer.refusal(Altered::run(1), AttentionRow{0, 0, 0, 5, five}, {}).empty());  // it belongs to A
    const WhatIfRun alone{{sentence_a}, 0, {}};
    CHECK(contains(altered.tracer.refusal(alone, Patch{0, {"logits"}, {"logits"}}, {}), "no other sentence"));
}

TEST_CASE("attention without parameters, whose output is its heads, can be changed, too") {
    const auto model = small_model("softmax(XXT)X", [](TransformerConfig& c) {
        c.attention.projections = Projections::none, c.norm_placement = NormPlacement::none;
    });
    Altered altered(*model);
    const std::vector<std::vector<WhatIf>> lists{
        {HeadOff{0, 0}}, {AttentionOff{0}}, {HardAttention{1, 1}}, {ResidualOff{}}, {ResidualOff{}, HeadOff{0, 0}}};
    const auto plain = model->trace(sentence_a);
    for (const std::vector<WhatIf>& changes : lists) {
        INFO(describe(changes.back()));
        CHECK(altered.tracer.refusal(Altered::run(0), changes.back(), changes).empty());
        CHECK_FALSE(same_bytes(altered.trace(changes)->values("logits"), plain->values("logits")));
    }
}
