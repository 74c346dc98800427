#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/interventions.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

void check_near(std::span<const float> a, std::span<const float> b, double tolerance) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        CHECK(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <=
              tolerance * (1.0 + std::abs(static_cast<double>(b[i]))));
}

/// Returns the parameters with `rows` rows of the matrix `name`, from row `first` on, set to 0.
Parameters without_rows(const SmallModel& model, const std::string& name, std::int64_t first, std::int64_t rows) {
    std::vector<float> values = *model.parameters;
    const TransformerGraph built = build_transformer(model.config, {1, 1});
    const NodeInfo& info = (*built.graph)[built.graph->at(name)];
    const std::int64_t width = info.shape.back();
    std::fill_n(values.begin() + info.offset + first * width, rows * width, 0.0f);
    return std::make_shared<ParameterValues>(std::move(values));
}

}  // namespace

TEST_CASE("ablating a head equals zeroing its rows of W_O") {
    for (const auto& model : small_models())
        for (int block = 0; block < model->config.n_layers; ++block)
            for (int head = 0; head < model->config.n_heads; ++head) {
                INFO(model->name, " ", block, ".", head);
                const auto plain = model->trace(sentence_a);
                const auto ablated = model->trace(sentence_a, {ablate_head(plain->model(), block, head)});
                const int width = model->config.d_value();
                const auto rows = model->tracer.trace(
                    sentence_a,
                    without_rows(*model, "blocks." + std::to_string(block) + ".attn.W_O", head * width, width));
                check_near(ablated->values("logits"), rows->values("logits"), 1e-5);
                CHECK_FALSE(same_bytes(ablated->values("logits"), plain->values("logits")));
            }
    const auto trace = SmallModel("encoder", small_config()).trace(sentence_a);
    CHECK_THROWS_AS(ablate_head(trace->model(), 1, 3), Error);
    CHECK_THROWS_AS(ablate_head(trace->model(), 2, 0), Error);
}

TEST_CASE("ablating a cross-attention head equals zeroing its rows of that W_O") {
    const auto model = small_model("translator", [](TransformerConfig& c) { c.family = Family::encoder_decoder; });
    const TraceInput input{sentence_a, sentence_b};
    const TransformerGraph built = build_transformer(model->config, {1, 1, 1});
    const NodeInfo& info = (*built.graph)[built.graph->at("blocks.1.cross_attn.W_O")];
    const std::int64_t rows = model->config.d_value(), width = info.shape.back();
    for (int head = 0; head < model->config.n_heads; ++head) {
        std::vector<float> values = *model->parameters;
        std::fill_n(values.begin() + info.offset + head * rows * width, rows * width, 0.0f);
        const auto without = model->tracer.trace(input, std::make_shared<ParameterValues>(std::move(values)));
        const auto ablated = model->tracer.trace(
            input, model->parameters, std::vector{ablate_head(without->model(), 1, head, AttentionTo::source)});
        check_near(ablated->values("logits"), without->values("logits"), 1e-5);
    }
    CHECK_THROWS_AS(
        ablate_head(SmallModel("encoder", small_config()).trace(sentence_a)->model(), 0, 0, AttentionTo::source),
        Error);
}

TEST_CASE("an ablated attention layer or MLP leaves the residual stream unchanged") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        const auto no_attention = model->trace(sentence_a, {ablate_attention(plain->model(), 1)});
        const bool has_mlp = plain->graph().find("blocks.1.hook_mlp_out").has_value();
        CHECK(same_bytes(no_attention->values(has_mlp ? "blocks.1.hook_resid_mid" : "blocks.1.hook_resid_post"),
                         no_attention->values("blocks.1.hook_resid_pre")));
        if (!has_mlp) continue;
        const auto no_mlp = model->trace(sentence_a, {ablate_mlp(plain->model(), 1)});
        CHECK(same_bytes(no_mlp->values("blocks.1.hook_resid_post"), no_mlp->values("blocks.1.hook_resid_mid")));
        // With both ablated, block 1 adds nothing.
        const auto neither =
            model->trace(sentence_a, {ablate_attention(plain->model(), 1), ablate_mlp(plain->model(), 1)});
        CHECK(same_bytes(neither->values("blocks.1.hook_resid_post"), plain->values("blocks.0.hook_resid_post")));
    }
}

TEST_CASE("uniform attention equals setting the head's queries to 0") {
    for (const auto& model : small_models()) {
        if (model->config.positions == Positions::alibi) continue;  // its biases still favour near keys
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        const auto uniform = model->trace(sentence_a, {uniform_attention(*plain, 0, 1)});
        const int width = model->config.d_head();
        const HookPoint queries{"blocks.0.attn.hook_q", -1, 1};
        const auto zero = model->trace(
            sentence_a, {set_cells(plain->model(), queries, std::vector<float>(static_cast<std::size_t>(width)))});
        check_near(uniform->values("blocks.0.attn.hook_pattern"), zero->values("blocks.0.attn.hook_pattern"), 1e-6);
        check_near(uniform->values("logits"), zero->values("logits"), 1e-5);
    }
}

TEST_CASE("hard attention equals a softmax at a very low temperature") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        const auto hard = model->trace(sentence_a, {hard_attention(*plain, 1, 0)});
        const Graph& graph = plain->graph();
        const int scores_node = graph[graph.at("blocks.1.attn.hook_pattern")].inputs[0];
        std::vector<float> scores = values_of(*plain, {graph[scores_node].name, -1, 0});
        for (float& score : scores) score = std::max(score, -1e30f);  // hidden keys: −∞ − (−∞) would be NaN
        const std::vector<float> pattern = values_of(*hard, {"blocks.1.attn.hook_pattern", -1, 0});
        for (std::size_t q = 0; q < 5; ++q)
            for (std::size_t k = 0; k < 5; ++k) {
                double sum = 0.0;
                for (std::size_t other = 0; other < 5; ++other)
                    sum += std::exp(
                        1e6 * (static_cast<double>(scores[q * 5 + other]) - static_cast<double>(scores[q * 5 + k])));
                CHECK(pattern[q * 5 + k] == doctest::Approx(1.0 / sum));
            }
        // Hardening one query leaves the other rows unchanged.
        const auto one = model->trace(sentence_a, {hard_attention(*plain, 1, 0, 2)});
        const std::vector<float> rows = values_of(*one, {"blocks.1.attn.hook_pattern", -1, 0}),
                                 before = values_of(*plain, {"blocks.1.attn.hook_pattern", -1, 0});
        for (std::size_t i = 0; i < 25; ++i) CHECK(rows[i] == (i / 5 == 2 ? pattern[i] : before[i]));
    }
}

TEST_CASE("an attention row with weight 1 on one key gives that key's value") {
    SmallModel model("encoder", small_config());
    const auto plain = model.trace(sentence_a);
    const TransformerGraph& graph = plain->model();
    const auto found = model.trace(sentence_a, {set_attention_row(graph, 0, 2, 4, std::vector<float>{0, 0, 0, 1, 0})});
    const std::vector<float> z = values_of(*found, {"blocks.0.attn.hook_z", 4, 2}),
                             v = values_of(*plain, {"blocks.0.attn.hook_v", 3, 2});
    CHECK(z == v);
    CHECK_THROWS_AS(set_attention_row(graph, 0, 2, 4, std::vector<float>(4)), Error);
    CHECK_THROWS_AS(set_attention_row(graph, 0, 2, -1, std::vector<float>(5)), Error);
    CHECK_THROWS_AS(set_attention_row(graph, 0, 2, 5, std::vector<float>(5)), Error);
    CHECK_THROWS_AS(set_attention_row(graph, 0, 3, 0, std::vector<float>(5)), Error);
    CHECK_THROWS_AS(
        set_attention_row(graph, 0, 2, 4, std::vector<float>{0, 0, std::numeric_limits<float>::quiet_NaN(), 1, 0}),
        Error);
}
