// Cells overwritten with values that the model did not compute.
#include <doctest/doctest.h>

#include <limits>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/nn/transformer.h"
#include "tests/ops/op_harness.h"
#include "tests/same_bytes.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr int positions = 5;

/// A two-block encoder on two sentences.
struct Run {
    explicit Run(std::uint64_t sentence, std::vector<std::string> keep = {})
        : model(build_transformer(
              {.d_vocab = 23, .n_ctx = 9, .d_model = 12, .n_heads = 2, .n_layers = 2, .d_mlp = 20, .init_std = 0.3f},
              {2, positions})),
          graph(*model.graph),
          parameters(initial_parameters(graph, 1)) {
        Rng rng(5);
        for (float& p : parameters) p += static_cast<float>(0.1 * rng.normal());  // biases too
        PlanRequest request;
        for (const std::string& name : keep) request.keep.push_back(graph.at(name));
        for (int id = 0; id < static_cast<int>(graph.nodes().size()) && keep.empty(); ++id) request.keep.push_back(id);
        run = backend.prepare(model.graph, request);
        const Shape shape{2, positions};
        run->set_input(model.tokens, whole(shape, sentence, 23).values());
        run->set_input(model.targets, whole(shape, 3, 23).values());
        run->set_input(model.key_mask, std::vector<float>(2 * positions, 1.0f));
        run->set_input(model.loss_weights, std::vector<float>(2 * positions, 1.0f));
        run->forward(parameters);
    }

    std::vector<float> read(const std::string& name) const {
        std::vector<float> values(static_cast<std::size_t>(graph[graph.at(name)].shape.elements()));
        run->read(graph.at(name), values);
        return values;
    }
    std::vector<float> parameter(const std::string& name) const {
        const NodeInfo& info = graph[graph.at(name)];
        return {parameters.begin() + info.offset, parameters.begin() + info.offset + info.shape.elements()};
    }
    void set(std::vector<Intervention> interventions) {
        run->intervene(std::move(interventions));
        run->forward(parameters);
    }

    CpuBackend backend{1};
    TransformerGraph model;
    const Graph& graph;
    std::vector<float> parameters;
    std::unique_ptr<Execution> run;
};

std::size_t cell(int b, int p, int i, int width) { return static_cast<std::size_t>((b * positions + p) * width + i); }

}  // namespace

TEST_CASE("intervene: later ops compute from the overwritten values") {
    for (const bool view : {false, true}) {
        const auto g = std::make_shared<Graph>(), rest = std::make_shared<Graph>();
        const Node x = g->input("x", {2, 3});
        Node set = g->apply(ops::scale(2.0f), {x});
        if (view) set = g->apply(ops::reshape({3, 2}), {set});
        const Node out = g->apply(ops::gelu(), {g->apply(ops::softmax(), {set})});
        const Node from = rest->input("from", set.shape()),
                   expected = rest->apply(ops::gelu(), {rest->apply(ops::softmax(), {from})});
        CpuBackend backend(1);
        const auto run = backend.prepare(g, {{out.id, set.id}, -1});
        const auto other = backend.prepare(rest, {{expected.id}, -1});
        run->set_input(x.id, std::vector<float>{1, 2, 3, 4, 5, 6});
        other->set_input(from.id, std::vector<float>{2, -1, 6, 8, 0.5f, 0.25f});  // 2·x, with three cells overwritten
        run->intervene({{set.id, {{1, 1}, {4, 2}}, {-1, 0.5f, 0.25f}}});
        run->forward({});
        other->forward({});
        std::vector<float> found(6), right(6), seen(6);
        run->read(out.id, found);
        run->read(set.id, seen);
        other->read(expected.id, right);
        CHECK(same_bytes(found, right));
        CHECK(seen == std::vector<float>{2, -1, 6, 8, 0.5f, 0.25f});
    }
}

TEST_CASE("intervene: block 1, given another sentence's stream, computes what it computes for that sentence") {
    Run a(2);
    const Run b(7);
    REQUIRE_FALSE(same_bytes(a.read("logits"), b.read("logits")));
    const std::string stream = "blocks.0.hook_resid_post";
    const std::vector<float> before = a.read("logits"), first_block = a.read("blocks.0.hook_mlp_out");
    const std::vector<float> values = b.read(stream);
    a.set({{a.graph.at(stream), {{0, static_cast<std::int64_t>(values.size())}}, values}});
    for (const char* name : {"blocks.1.attn.hook_pattern", "blocks.1.attn.hook_result", "ln_final.hook_out", "logits"})
        CHECK(same_bytes(a.read(name), b.read(name)));
    CHECK(same_bytes(a.read("blocks.0.hook_mlp_out"), first_block));  // nothing before it changes
    SUBCASE("clearing restores every byte") {
        a.set({});
        CHECK(same_bytes(a.read("logits"), before));
    }
    SUBCASE("overwriting cells with the model's own values changes no byte") {
        a.set({});
        const std::vector<float> own = a.read("blocks.0.attn.hook_q");
        a.set({{a.graph.at("blocks.0.attn.hook_q"), {{0, static_cast<std::int64_t>(own.size())}}, own}});
        CHECK(same_bytes(a.read("logits"), before));
    }
}

TEST_CASE("intervene: overwriting queries, which are a view, changes the scores") {
    Run a(2);
    const int q = a.graph.at("blocks.1.attn.hook_q");
    REQUIRE(a.graph[q].op->is_view());
    // Head 1 of word 3 in sentence 1: d_head 6, so cells 6 … 11 of its row of 12.
    const std::vector<float> query{0.5f, -1.0f, 2.0f, 0.25f, 0.0f, 3.0f};
    const std::vector<float> before = a.read("blocks.1.attn.hook_attn_scores_raw");
    a.set({{q, {{static_cast<std::int64_t>(cell(1, 3, 6, 12)), 6}}, query}});
    const std::vector<float> scores = a.read("blocks.1.attn.hook_attn_scores_raw"), k = a.read("blocks.1.attn.hook_k");
    const std::vector<float> merged = a.read(a.graph[a.graph[q].inputs[0]].name);  // the same memory
    for (int i = 0; i < 6; ++i) CHECK(merged[cell(1, 3, 6 + i, 12)] == query[i]);
    for (int b = 0; b < 2; ++b)
        for (int h = 0; h < 2; ++h)
            for (int i = 0; i < positions; ++i)
                for (int j = 0; j < positions; ++j) {
                    const std::size_t at = ((b * 2 + h) * positions + i) * positions + j;
                    if (b != 1 || h != 1 || i != 3) {
                        CHECK(scores[at] == before[at]);
                        continue;
                    }
                    double sum = 0.0;
                    for (int d = 0; d < 6; ++d)
                        sum += static_cast<double>(query[d]) * static_cast<double>(k[cell(b, j, 6 + d, 12)]);
                    CHECK(scores[at] == doctest::Approx(sum).epsilon(1e-5));
                }
}

TEST_CASE("intervene: overwriting z, which has a view after it, changes attention's output") {
    Run a(2);
    const int z = a.graph.at("blocks.0.attn.hook_z");
    REQUIRE_FALSE(a.graph[z].op->is_view());
    std::vector<float> values(2 * positions * 12);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(static_cast<int>(i % 7) - 3);
    a.set({{z, {{0, 60}, {60, 60}}, values}});
    CHECK(a.read("blocks.0.attn.hook_z") == values);
    const std::vector<float> out = a.read("blocks.0.hook_attn_out"), w = a.parameter("blocks.0.attn.W_O"),
                             bias = a.parameter("blocks.0.attn.b_O");
    for (std::size_t r = 0; r < 2 * positions; ++r)
        for (std::size_t j = 0; j < 12; ++j) {
            double sum = bias[j];
            for (std::size_t i = 0; i < 12; ++i)
                sum += static_cast<double>(values[r * 12 + i]) * static_cast<double>(w[i * 12 + j]);
            CHECK(out[r * 12 + j] == doctest::Approx(sum).epsilon(1e-4));
        }
}

TEST_CASE("intervene: of two on the same cell, the later one wins") {
    Run a(2);
    const int out = a.graph.at("blocks.0.hook_mlp_out");
    a.set({{out, {{0, 2}}, {1, 2}}, {out, {{1, 2}}, {5, 6}}});
    const std::vector<float> values = a.read("blocks.0.hook_mlp_out");
    CHECK(values[0] == 1.0f);
    CHECK(values[1] == 5.0f);
    CHECK(values[2] == 6.0f);
}

TEST_CASE("intervene: impossible ones are refused, and earlier ones stay in place") {
    Run a(2, {"logits"});  // head_result does not run
    const int out = a.graph.at("blocks.0.hook_mlp_out");
    const std::vector<float> plain = a.read("logits");
    a.set({{out, {{3, 1}}, {9}}});
    const std::vector<float> before = a.read("logits");
    REQUIRE_FALSE(same_bytes(before, plain));
    const std::int64_t cells = a.graph[out].shape.elements(), most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::pair<const char*, Intervention>> impossible{
        {"no node", {-1, {{0, 1}}, {1}}},
        {"beyond the nodes", {1 << 20, {{0, 1}}, {1}}},
        {"an input", {a.model.tokens, {{0, 1}}, {1}}},
        {"a parameter", {a.graph.at("blocks.0.attn.W_O"), {{0, 1}}, {1}}},
        {"an op that is not run", {a.graph.at("blocks.0.attn.hook_result"), {{0, 1}}, {1}}},
        {"before the first cell", {out, {{-1, 1}}, {1}}},
        {"a negative count", {out, {{2, -1}, {2, 2}}, {1}}},
        {"beyond the last cell", {out, {{cells, 1}}, {1}}},
        {"an offset that overflows", {out, {{most, 1}}, {1}}},
        {"a count that overflows", {out, {{1, most}}, {1}}},
        {"a value too few", {out, {{0, 2}, {4, 1}}, {1, 2}}},
        {"a value too many", {out, {{0, 2}}, {1, 2, 3}}}};
    for (const auto& [what, intervention] : impossible) {
        INFO(what);
        CHECK_THROWS_AS(a.run->intervene({intervention}), Error);
        CHECK_THROWS_AS(a.run->intervene({{out, {{0, 1}}, {1}}, intervention}), Error);
        a.run->forward(a.parameters);
        CHECK(same_bytes(a.read("logits"), before));
    }
    // A range of the last cell, and one of no cells, are allowed.
    CHECK_NOTHROW(a.run->intervene({{out, {{cells - 1, 1}, {cells, 0}}, {1}}, {out, {}, {}}}));
}

TEST_CASE("intervene: threads do not change a byte") {
    Run a(2);
    const std::vector<float> z(2 * positions * 12, 0.5f);
    const Intervention set{a.graph.at("blocks.0.attn.hook_z"), {{0, 2 * positions * 12}}, z};
    a.set({set});
    for (const int threads : {2, 3}) {
        CpuBackend backend(threads);
        const auto run = backend.prepare(a.model.graph, {{a.model.logits}, -1});
        run->set_input(a.model.tokens, whole({2, positions}, 2, 23).values());
        run->set_input(a.model.key_mask, std::vector<float>(2 * positions, 1.0f));
        run->intervene({set});
        run->forward(a.parameters);
        std::vector<float> logits(2 * positions * 23);
        run->read(a.model.logits, logits);
        CHECK(same_bytes(logits, a.read("logits")));
    }
}
