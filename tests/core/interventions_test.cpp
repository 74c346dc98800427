// Traces of runs with overwritten cells.
#include "core/analysis/interventions.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/ops/ops.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Checks every `step`-th cell of every node: overwritten cells say so, all others are what their op makes of its
/// operands.
void check_explanations(const Trace& trace, int step) {
    for (int node = 0; node < static_cast<int>(trace.graph().nodes().size()); ++node) {
        const NodeInfo& info = trace.graph()[node];
        if (info.kind != NodeInfo::Kind::op) continue;
        for (std::int64_t offset = 0; offset < info.shape.elements(); offset += step) {
            const Explanation e = trace.explain({node, offset});
            INFO(info.name, " cell ", offset);
            CHECK(e.overwritten == trace.overwritten(Cell{node, offset}));
            if (e.overwritten) {
                CHECK(e.op.empty());
                CHECK(e.terms.empty());
                CHECK(e.traced == static_cast<double>(trace.at({node, offset})));
            } else if (std::isfinite(e.traced)) {
                CHECK(e.recomputed == doctest::Approx(e.traced).epsilon(1e-4));
            }
        }
    }
}

}  // namespace

TEST_CASE("explanations of every cell are correct in a trace with interventions") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        CHECK_FALSE(plain->intervened());
        const TransformerGraph& graph = plain->model();
        const std::size_t width = model->config.d_value();
        const std::vector<float> ours(width, -2.0f);
        const auto trace =
            model->trace(sentence_a, {set_cells(graph, {"blocks.0.attn.hook_z", 2, 1}, ours),
                                      set_cells(graph, {"blocks.1.attn.hook_v", 3, 0}, ours),
                                      set_cells(graph, {"blocks.1.hook_resid_post", 1}, std::vector<float>{3.0f})});
        CHECK(trace->intervened());
        check_explanations(*trace, 1);
        const Graph& g = trace->graph();
        // z [1, 5, 3, d_value]: word 2, head 1.
        const int z = g.at("blocks.0.attn.hook_z"), v = g.at("blocks.1.attn.hook_v");
        const auto d_value = static_cast<std::int64_t>(width), first = (2 * 3 + 1) * d_value;
        CHECK_FALSE(trace->overwritten(Cell{z, first - 1}));
        CHECK(trace->overwritten(Cell{z, first}));
        CHECK(trace->overwritten(Cell{z, first + d_value - 1}));
        CHECK_FALSE(trace->overwritten(Cell{z, first + d_value}));
        CHECK(trace->explain({z, first + 1}).traced == -2.0);
        // v is a view: the cells of its root were overwritten too, and say so.
        REQUIRE(g[v].op->is_view());
        CHECK(trace->overwritten(Cell{v, 3 * 3 * d_value}));
        CHECK(trace->overwritten(Cell{g[v].inputs[0], 3 * 3 * d_value}));
        CHECK(trace->overwritten(g[v].inputs[0]));
        CHECK_FALSE(trace->overwritten(g.at("blocks.0.attn.hook_v")));
        CHECK_FALSE(plain->overwritten(z));
    }
}

TEST_CASE("the trace after one with interventions is plain again, even if that one was refused") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        const TransformerGraph& graph = plain->model();
        const Intervention zero = set_cells(graph, {"blocks.0.hook_attn_out"}, std::vector<float>{0.0f});
        const auto changed = model->trace(sentence_a, {zero});
        CHECK_FALSE(same_bytes(changed->values("logits"), plain->values("logits")));
        CHECK(same_bytes(model->trace(sentence_a)->values("logits"), plain->values("logits")));
        CHECK_THROWS_AS(model->trace(sentence_a, {zero, {graph.tokens, {{0, 1}}, {1.0f}}}), Error);
        CHECK(same_bytes(model->trace(sentence_a)->values("logits"), plain->values("logits")));
        CHECK_FALSE(model->trace(sentence_a, {{zero.node, {}, {}}})->intervened());
    }
}

TEST_CASE("an intervention on a view whose memory was already read is refused") {
    Graph g;
    const Node x = g.apply(ops::scale(2.0f), {g.input("x", {2, 3})}).named("x2");
    const Node early = g.apply(ops::gelu(), {x}).named("early");
    const Node view = g.apply(ops::reshape({3, 2}), {x}).named("view");
    g.apply(ops::gelu(), {view}).named("late");
    const std::vector<Intervention> on_view{{view.id, {{0, 1}}, {1.0f}}}, on_root{{x.id, {{0, 1}}, {1.0f}}};
    CHECK_THROWS_WITH_AS(OverwrittenCells(g, on_view),
                         "view is the memory of x2, which early has read before; intervene on x2 instead", Error);
    const OverwrittenCells cells(g, on_root);
    CHECK(cells.contains(root_of(g, view.id), 0));
    CHECK_FALSE(cells.contains(root_of(g, view.id), 1));
    CHECK_FALSE(cells.any(early.id));
    CHECK(OverwrittenCells(g, {}).empty());
}

TEST_CASE("a recurrent layer's states depend on each other, so none can be set") {
    const auto model =
        small_model("gru", [](TransformerConfig& c) { c.family = Family::gru, c.activation = Activation::none; });
    const auto plain = model->trace(sentence_a);
    for (const char* node : {"blocks.0.rnn.hook_state", "blocks.0.hook_rnn_out"})
        CHECK_THROWS_AS(model->trace(sentence_a, {set_cells(plain->model(), {node, 1}, std::vector<float>{1.0f})}),
                        Error);
    CHECK_NOTHROW(model->trace(sentence_a,
                               {set_cells(plain->model(), {"blocks.0.hook_resid_post", 1}, std::vector<float>{1.0f})}));
}

TEST_CASE("statistics of batch norm have no batch axis") {
    const auto model = small_model("batch norm", [](TransformerConfig& c) { c.norm = NormKind::batch_norm; });
    const auto trace = model->trace(sentence_a);
    CHECK(trace->shape(trace->graph().at("ln_final.hook_mean")) == Shape{12});
    CHECK(trace->shape(trace->graph().at("ln_final.hook_normalized")) == Shape{5, 12});
    check_explanations(*trace, 7);
}

TEST_CASE("a model that reads numbers is not traced from tokens, but a classifier is") {
    const auto values =
        small_model("values", [](TransformerConfig& c) { c.input = InputKind::values, c.d_input = 3, c.tied = false; });
    CHECK_THROWS_AS(values->trace(sentence_a), Error);
    const auto classes =
        small_model("classes", [](TransformerConfig& c) { c.output = OutputKind::classes, c.d_output = 3; });
    CHECK(classes->trace(sentence_a)->shape(classes->trace(sentence_a)->model().logits) == Shape{3});
}

TEST_CASE("cells_of gives the cells of a hook, a position and a head") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);  // 5 words, 3 heads, d_model 12
    const TransformerGraph& graph = trace->model();
    const auto cells = [&](const HookPoint& site) {
        std::vector<std::pair<std::int64_t, std::int64_t>> found;
        for (const Intervention::Range& r : cells_of(graph, site)) found.emplace_back(r.offset, r.count);
        return found;
    };
    using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;
    CHECK(cells({"blocks.0.hook_mlp_out"}) == Ranges{{0, 60}});
    CHECK(cells({"blocks.0.hook_mlp_out", 2}) == Ranges{{24, 12}});
    CHECK(cells({"hook_pos_embed", 4}) == Ranges{{48, 12}});  // without a batch axis
    CHECK(cells({"ln_final.hook_scale", 3}) == Ranges{{3, 1}});
    CHECK(cells({"blocks.1.attn.hook_z", 1, 2}) == Ranges{{20, 4}});
    CHECK(cells({"blocks.1.attn.hook_z", 1}) == Ranges{{12, 12}});
    CHECK(cells({"blocks.1.attn.hook_z", -1, 1}) == Ranges{{4, 4}, {16, 4}, {28, 4}, {40, 4}, {52, 4}});
    // Patterns and scores are [head, query, key].
    CHECK(cells({"blocks.1.attn.hook_pattern", 2, 1}) == Ranges{{35, 5}});
    CHECK(cells({"blocks.1.attn.hook_pattern", -1, 1}) == Ranges{{25, 25}});
    CHECK(cells({"blocks.1.attn.hook_attn_scores_raw", 0}) == Ranges{{0, 5}, {25, 5}, {50, 5}});

    const std::vector<float> z = values_of(*trace, {"blocks.1.attn.hook_z", 1, 2});
    REQUIRE(z.size() == 4);
    CHECK(z[3] == trace->values("blocks.1.attn.hook_z")[23]);

    for (const HookPoint& none : std::vector<HookPoint>{{"blocks.7.attn.hook_z"},
                                                        {"blocks.0.attn.hook_z", 5},
                                                        {"blocks.0.attn.hook_z", -2},
                                                        {"blocks.0.attn.hook_z", 0, 3},
                                                        {"blocks.0.hook_mlp_out", 0, 0},
                                                        {"loss", 0}})
        CHECK_THROWS_AS(cells_of(graph, none), Error);
    CHECK_THROWS_AS(set_cells(graph, {"blocks.0.hook_mlp_out", 2}, std::vector<float>(5)), Error);
    CHECK_THROWS_AS(set_cells(graph, {"blocks.0.hook_mlp_out", 2}, std::vector<float>(24)), Error);
    CHECK_THROWS_AS(set_cells(graph, {"blocks.0.hook_mlp_out", 2}, {}), Error);
}

TEST_CASE("a head and a position are not confused even if both axes have the same size") {
    TransformerConfig config = small_config();
    config.n_heads = 4;  // 4 heads of 3 features; 4 words would make z [4, 4, 3], and 3 words a pattern [4, 3, 3]
    SmallModel model("encoder", config);
    const auto trace = model.trace({1, 2, 3, 4});
    const auto z = cells_of(trace->model(), {"blocks.0.attn.hook_z", 1, 2});
    CHECK(z[0].offset == (1 * 4 + 2) * 3);
    const auto pattern = cells_of(trace->model(), {"blocks.0.attn.hook_pattern", 1, 2});
    CHECK(pattern[0].offset == (2 * 4 + 1) * 4);
}

TEST_CASE("in a batch, a position means that position in every sentence") {
    const TransformerGraph model = build_transformer(small_config(), {2, 5});
    const auto ranges = cells_of(model, {"blocks.0.hook_mlp_out", 2});
    REQUIRE(ranges.size() == 2);
    CHECK(ranges[0].offset == 24);
    CHECK(ranges[1].offset == 84);
    CHECK(cells_of(model, {"hook_pos_embed", 1}).size() == 1);
}
