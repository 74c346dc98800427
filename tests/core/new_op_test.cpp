#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/interventions.h"
#include "core/graph/plan.h"
#include "core/nn/graph_parts.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

// An op that no other code knows replaces a step of attention, and everything that walks over the graph can handle it.

namespace {

/// c · tanh(x / 2c): the soft cap of Gemma 2's scores (Gemma Team 2024) after the division by √d = 2.
class SoftCap final : public Op {
public:
    std::string_view name() const override { return "soft_cap"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = "kept within bounds", .step = "cap"};
    }
    Shape infer_shape(std::span<const Shape> in) const override { return in[0]; }
    void forward(const ForwardArgs& a) const override {
        for (std::int64_t i = 0; i < a.output.shape.elements(); ++i)
            a.output.data[i] = cap * std::tanh(a.inputs[0].data[i] / (cap * 2.0f));
    }
    void backward(const BackwardArgs&) const override {}
    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }
    bool propagates_nonfinite(int /*input*/) const override { return true; }
    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], c = cap;
        OpExplanation e{"c · tanh(x / 2c)", "", "the input", {}, c * std::tanh(x / (2 * c)), {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

private:
    static constexpr float cap = 1.5f;
};

/// Returns the model with a soft cap in place of the division of its scores by √d.
TransformerGraph capped(const TransformerConfig& config, const BatchShape& shape) {
    TransformerGraph model = build_transformer(config, shape);
    const std::shared_ptr<Graph> graph = model.graph->copy();
    for (int block = 0; block < config.n_layers; ++block) {
        const int step = graph->at("blocks." + std::to_string(block) + ".attn.hook_attn_scores_scaled");
        graph->replace(step, std::make_shared<SoftCap>(), (*graph)[step].inputs);
    }
    model.graph = graph;
    return model;
}

std::vector<std::vector<int>> nodes_of(const Graph& graph) {
    std::vector<std::vector<int>> nodes;
    for (const GraphPart& part : find_parts(graph).parts) {
        nodes.push_back(part.nodes);
        nodes.back().push_back(static_cast<int>(part.kind));
        nodes.back().push_back(part.pattern);
    }
    return nodes;
}

}  // namespace

TEST_CASE("a new op fits into a model's parts, its hook positions and the saved activations") {
    const TransformerConfig config = small_config();
    const TransformerGraph plain = build_transformer(config, {1, 5}), model = capped(config, {1, 5});
    CHECK(nodes_of(*model.graph) == nodes_of(*plain.graph));
    for (const char* hook : {"hook_attn_scores_scaled", "hook_attn_scores", "hook_pattern"}) {
        const HookPoint query{"blocks.1.attn." + std::string(hook), 2, 1};
        const auto ranges = cells_of(model, query), expected = cells_of(plain, query);
        REQUIRE(ranges.size() == expected.size());
        CHECK(ranges[0].offset == expected[0].offset);
        CHECK(ranges[0].count == expected[0].count);
    }
    std::vector<int> all;
    for (int id = 0; id < static_cast<int>(model.graph->nodes().size()); ++id)
        if ((*model.graph)[id].kind == NodeInfo::Kind::op) all.push_back(id);
    CHECK(select_saved_activations(*model.graph, all, 0) == select_saved_activations(*plain.graph, all, 0));
    CHECK(watched_nodes(*model.graph, all) == watched_nodes(*plain.graph, all));
    CHECK(has_batch_axis(*model.graph, model.graph->at("blocks.0.attn.hook_attn_scores_scaled")));
}

TEST_CASE("a new op is explained, and the explanations lead through it to the scores") {
    const TransformerConfig config = small_config();
    const TransformerGraph model = capped(config, {1, 5});
    const auto parameters = std::make_shared<ParameterValues>(initial_parameters(*model.graph, 3));
    std::vector<int> all;
    for (int id = 0; id < static_cast<int>(model.graph->nodes().size()); ++id) all.push_back(id);
    CpuBackend backend(1);
    std::shared_ptr<Execution> run = backend.prepare(model.graph, {all, -1});
    run->set_input(model.tokens, std::vector<float>(sentence_a.begin(), sentence_a.end()));
    run->set_input(model.key_mask, std::vector<float>(5, 1.0f));
    run->set_input(model.targets, std::vector<float>(5, 0.0f));
    run->set_input(model.loss_weights, std::vector<float>(5, 1.0f));
    run->forward(*parameters);
    const Trace trace(model, parameters, TraceInput{sentence_a}, run);

    Cell cell{model.graph->at("blocks.1.attn.hook_pattern"), 31};
    std::vector<std::string> steps;
    while (trace.graph().role(cell.node) != OpRole::attention_scores) {
        const Explanation e = trace.explain(cell);
        CHECK(std::abs(e.recomputed - e.traced) < 1e-5);
        REQUIRE(e.reading.main_term >= 0);
        steps.push_back(e.title);
        cell = e.terms[e.reading.main_term].operands[0].cell;
    }
    CHECK(steps == std::vector<std::string>{"softmax", "mask", "kept within bounds"});
    CHECK(trace.graph()[cell.node].name == "blocks.1.attn.hook_attn_scores_raw");
}
