#include <doctest/doctest.h>

#include "core/analysis/altered_backend.h"
#include "core/io/config_json.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using namespace glassformer::what_if;

namespace {

/// Checks that every parameter of the altered model equals the original's, cell for cell.
void check_taken_over(const SmallModel& model, const AlteredModel& altered) {
    const auto graph_of = [](const TransformerConfig& c) {
        return build_transformer(c, {1, 1, c.family == Family::encoder_decoder ? 1 : 0}).graph;
    };
    const auto from = graph_of(model.config), to = graph_of(altered.config);
    REQUIRE(static_cast<std::int64_t>(altered.parameters->size()) == to->parameter_count());
    for (const int id : to->parameters()) {
        const NodeInfo &mine = (*to)[id], &theirs = (*from)[from->at(mine.name)];
        INFO(mine.name);
        const std::size_t count = mine.shape.elements();
        CHECK(same_bytes(std::span(*altered.parameters).subspan(mine.offset, count),
                         std::span(*model.parameters).subspan(theirs.offset, count)));
    }
}

}  // namespace

TEST_CASE("an altered model keeps the parameters that it still has, by name") {
    for (const auto& model : small_models())
        for (const WhatIf& change :
             std::vector<WhatIf>{PositionsOff{}, MaskOff{}, ScaleOff{}, NormOff{}, ResidualOff{}}) {
            if (!refusal(change, model->config).empty()) continue;
            INFO(model->name, ", ", describe(change));
            const AlteredModel altered = alter(model->config, model->parameters, std::vector{change});
            CHECK(altered.config != model->config);
            check_taken_over(*model, altered);
        }
    const auto translator = small_model("translator", [](TransformerConfig& c) { c.family = Family::encoder_decoder; });
    for (const std::vector<WhatIf>& changes :
         {std::vector<WhatIf>{PositionsOff{}, NormOff{}}, std::vector<WhatIf>{MaskOff{}}})
        check_taken_over(*translator, alter(translator->config, translator->parameters, changes));
}

TEST_CASE("parameters are copied only if the change removes some") {
    const auto model = small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder; });
    const auto altered = [&](const std::vector<WhatIf>& changes) {
        return alter(model->config, model->parameters, changes);
    };
    CHECK(altered({MaskOff{}, ScaleOff{}, ResidualOff{}}).parameters == model->parameters);
    CHECK(altered({HeadOff{0, 0}}).config == model->config);
    CHECK(altered({HeadOff{0, 0}}).parameters == model->parameters);
    CHECK(altered({PositionsOff{}}).parameters->size() == model->parameters->size() - 8 * 12);
    CHECK(altered({NormOff{}}).parameters->size() == model->parameters->size() - 5 * 2 * 12);
    CHECK(contains(error_of([&] { altered({HeadOff{0, 7}}); }), "head 7"));
}

TEST_CASE("without norms, a model has none at the embedding, in the heads or before the unembedding either") {
    using Config = TransformerConfig;
    const auto check = [](const char* name, const auto& change) {
        const auto model = small_model(name, change);
        INFO(name);
        CHECK(refusal(NormOff{}, model->config).empty());
        const AlteredModel altered = alter(model->config, model->parameters, std::vector<WhatIf>{NormOff{}});
        check_taken_over(*model, altered);
        validate(altered.config);
        for (const NodeInfo& node : build_transformer(altered.config, {1, 3}).graph->nodes())
            CHECK(!contains(node.name, "hook_normalized"));
    };
    check("RMS norm of queries and keys", [](Config& c) { c.norm = NormKind::rms_norm, c.attention.qk_norm = true; });
    check("norm of queries and keys alone",
          [](Config& c) { c.norm_placement = NormPlacement::none, c.attention.qk_norm = true; });
    check("BERT", [](Config& c) {
        c.norm_placement = NormPlacement::post, c.embedding_norm = c.head_transform = c.unembed_bias = true;
    });
    const auto head_alone = [](Config& c) { c.norm_placement = NormPlacement::none, c.head_transform = true; };
    check("norm before the unembedding alone", head_alone);
    // Files of such a model have this norm, although it has none in its blocks.
    const auto model = small_model("norm before the unembedding alone", head_alone);
    CHECK(build_transformer(model->config, {1, 3}).graph->find("head.ln.w"));
    CHECK(!contains(config_to_json(model->config).dump(), "head_norm"));
}

TEST_CASE("scaling a norm multiplies its γ and β, and nothing else") {
    const auto model = small_model("encoder", [](TransformerConfig&) {});
    const std::vector<WhatIf> changes{NormScaled{"blocks.1.ln2", 2.0f, 0.0f}};
    CHECK(is_structural(changes[0]));
    const AlteredModel altered = alter(model->config, model->parameters, changes);
    CHECK(altered.config == model->config);
    const auto graph = build_transformer(model->config, {1, 1}).graph;
    for (const int id : graph->parameters()) {
        const NodeInfo& node = (*graph)[id];
        CAPTURE(node.name);
        const float factor = node.name == "blocks.1.ln2.w" ? 2.0f : node.name == "blocks.1.ln2.b" ? 0.0f : 1.0f;
        for (std::int64_t i = node.offset; i < node.offset + node.shape.elements(); ++i)
            CHECK((*altered.parameters)[i] == factor * (*model->parameters)[i]);
    }
    CHECK(alter(model->config, model->parameters, std::vector<WhatIf>{NormScaled{"ln_final"}}).parameters ==
          model->parameters);
    CHECK(contains(
        error_of([&] { alter(model->config, model->parameters, std::vector<WhatIf>{NormScaled{"blocks.7.ln1"}}); }),
        "blocks.7.ln1"));
}

TEST_CASE("a decoder without its causal mask computes what an encoder computes, and cannot be saved") {
    const auto model = small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder; });
    const TransformerConfig open = altered_config(model->config, std::vector<WhatIf>{MaskOff{}});
    CHECK(model->config.causal());
    CHECK_FALSE(open.causal());
    CHECK_FALSE(supports_kv_cache(open));
    Tracer altered(model->backend, open), encoder(model->backend, small_config());
    const auto a = altered.trace(sentence_a, model->parameters), b = encoder.trace(sentence_a, model->parameters);
    CHECK(same_bytes(a->values("probabilities"), b->values("probabilities")));
    CHECK_FALSE(same_bytes(a->values("probabilities"), model->trace(sentence_a)->values("probabilities")));
    CHECK(contains(error_of([&] { config_to_json(open); }), "cannot be saved"));
}
