// Attention in one op, against the same in single steps and against the CPU.
#include "core/backend/gl/fused_attention.h"

#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/execution.h"
#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "tests/core/training_models.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr int never = 1 << 20;

struct Stages {
    bool scale = true, alibi = false, causal = false, mask = false;
    bool same = false;  // q, k and v are one node
};

struct Sizes {
    std::int64_t queries, keys, heads, head_width, value_width;
};

/// Attention alone over two sentences, and the sum of z times random weights.
struct Attention {
    Attention(const Sizes& n, const Stages& stages) {
        const Shape q_shape{2, n.queries, n.heads, n.head_width}, k_shape{2, n.keys, n.heads, n.head_width},
            v_shape{2, n.keys, n.heads, n.value_width};
        const Node q = parameter("q", q_shape, 1), k = stages.same ? q : parameter("k", k_shape, 2),
                   v = stages.same ? q : parameter("v", v_shape, 3);
        Node scores = graph->apply(ops::attention_scores(), {q, k});
        if (stages.scale) scores = graph->apply(ops::scale(0.7f), {scores});
        if (stages.alibi) scores = graph->apply(ops::alibi(), {scores});
        if (stages.causal) scores = graph->apply(ops::mask_causal(), {scores});
        if (stages.mask) scores = graph->apply(ops::mask(), {scores, input("keep", padded(n.keys))});
        const Node weights = graph->apply(ops::softmax(), {scores}),
                   z = graph->apply(ops::attention_values(), {weights, v});
        pattern = weights.id, output = z.id;
        const std::int64_t cells = z.shape().elements();
        loss = graph
                   ->apply(ops::linear(),
                           {graph->apply(ops::reshape({1, cells}), {z}), input("upstream", normal({cells, 1}, 4))})
                   .id;
    }

    /// The second sentence is shorter; if the first has one word, it has none.
    static Tensor padded(std::int64_t keys) {
        std::vector<float> keep(static_cast<std::size_t>(2 * keys), 1.0f);
        for (std::int64_t key = keys / 2; key < keys; ++key) keep[keys + key] = 0.0f;
        keep[0] = 0.0f;  // with a causal mask, the first query sees nothing
        return Tensor({2, keys}, keep);
    }

    Node parameter(const std::string& name, const Shape& shape, std::uint64_t seed) {
        const Tensor values = normal(shape, seed);
        parameters.insert(parameters.end(), values.values().begin(), values.values().end());
        return graph->parameter(name, shape, {});
    }
    Node input(const std::string& name, const Tensor& values) {
        const Node node = graph->input(name, values.shape());
        inputs.emplace_back(node.id, values);
        return node;
    }

    std::unique_ptr<Execution> prepare(Backend& backend, std::vector<int> keep) const {
        std::unique_ptr<Execution> run = backend.prepare(graph, {std::move(keep), loss});
        for (const auto& [id, values] : inputs) run->set_input(id, values.values());
        return run;
    }
    std::vector<float> read(const Execution& run, int id) const {
        std::vector<float> values(static_cast<std::size_t>((*graph)[id].shape.elements()));
        run.read(id, values);
        return values;
    }

    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    AlignedFloats parameters;
    std::vector<std::pair<int, Tensor>> inputs;
    int pattern = -1, output = -1, loss = -1;
};

/// Compares z and the gradients of two backends, twice: the second run starts from what the first left. `size` is as in
/// difference().
std::string error_of(const Attention& a, Backend& expected_of, GlBackend& given_of, double size = 0.0) {
    const auto expected = a.prepare(expected_of, {a.output}), given = a.prepare(given_of, {a.output});
    AlignedFloats x(a.parameters.size()), y(a.parameters.size());
    for (int run = 0; run < 2; ++run) {
        expected->forward(a.parameters), given->forward(a.parameters);
        std::string error = difference(a.read(*expected, a.output), a.read(*given, a.output));
        if (!error.empty()) return "z: " + error;
        expected->backward(x), given->backward(y);
        if (error = difference(x, y, size); !error.empty()) return "gradients: " + error;
    }
    return dynamic_cast<const gl::GlExecution&>(*given).guard_error();
}

constexpr std::int64_t odd_sizes[] = {1, 2, 3, 17, 63, 65, 130};

/// Checks every size with these stages, one invocation per row as on a CPU.
void check_all(const Stages& stages, std::int64_t head_width, std::int64_t value_width) {
    CpuBackend cpu(1);
    GlBackend fused({.lanes = 1, .fuse_from = 1, .guard = true}), single({.lanes = 1, .fuse_from = never});
    std::vector<std::pair<std::int64_t, std::int64_t>> tables;
    for (const std::int64_t n : odd_sizes) tables.emplace_back(n, n);
    if (!stages.same) tables.insert(tables.end(), {{3, 17}, {17, 3}, {65, 18}, {18, 65}});
    for (const auto& [queries, keys] : tables) {
        const Attention attention({queries, keys, 2, head_width, value_width}, stages);
        REQUIRE(gl::fuse_attention(attention.graph, {{}, attention.loss}, 1) != attention.graph);
        INFO(queries, " queries, ", keys, " keys");
        CHECK(error_of(attention, cpu, fused) == "");
        CHECK(error_of(attention, single, fused) == "");
    }
}

TransformerConfig long_config(int positions) {
    return {.d_vocab = 23, .n_ctx = positions, .d_model = 16, .n_heads = 4, .n_layers = 2, .d_mlp = 24};
}

/// Returns the bytes that a training step over sentences of this length needs.
std::int64_t training_bytes(GlBackend& backend, int positions) {
    const TransformerGraph model = build_transformer(long_config(positions), {1, positions});
    return backend.prepare(model.graph, {{}, model.loss})->arena_bytes();
}

}  // namespace

TEST_CASE("OpenGL: fused attention gives the values and gradients of single steps") {
    REQUIRE_GL();
    check_all({}, 8, 8);
}

TEST_CASE("OpenGL: fused attention applies the masks, and fully masked rows are zeros") {
    REQUIRE_GL();
    check_all({.scale = false, .causal = true}, 8, 4);
    check_all({.causal = true, .mask = true}, 5, 3);
}

TEST_CASE("OpenGL: fused attention applies ALiBi and the padding mask") {
    REQUIRE_GL();
    check_all({.alibi = true, .mask = true}, 8, 8);
}

TEST_CASE("OpenGL: fused attention adds up the gradients of a node that is q, k and v") {
    REQUIRE_GL();
    check_all({.causal = true, .same = true}, 8, 8);
}

TEST_CASE("OpenGL: fused attention as a graphics card runs it, with heads up to the widest") {
    REQUIRE_GL();
    GlBackend fused({.lanes = 32, .fuse_from = 1, .guard = true});
    CpuBackend cpu(1);
    const Stages all{.alibi = true, .causal = true, .mask = true};
    CHECK(error_of(Attention({130, 130, 2, 8, 12}, all), cpu, fused) == "");
    CHECK(error_of(Attention({65, 70, 3, 7, 17}, all), cpu, fused) == "");
    CHECK(error_of(Attention({9, 9, 1, 4, gl::widest_fused_head}, {}), cpu, fused) == "");
    const Attention wider({9, 9, 1, 4, gl::widest_fused_head + 1}, {});
    CHECK(gl::fuse_attention(wider.graph, {{}, wider.loss}, 1) == wider.graph);
}

TEST_CASE("OpenGL: attention over texts that are too long to be fused runs in single steps") {
    REQUIRE_GL();
    GlBackend gl({.lanes = 1, .fuse_from = 1, .guard = true});
    CpuBackend cpu(1);
    // Gradients cancel over so many keys, so they are compared relative to the inputs, which are about 1.
    CHECK(error_of(Attention({4, 8192, 1, 64, 64}, {}), cpu, gl, 1.0) == "");
    CHECK(error_of(Attention({8192, 4, 1, 64, 64}, {}), cpu, gl, 1.0) == "");
    CHECK(error_of(Attention({4, 4096, 1, 128, 128}, {}), cpu, gl, 1.0) == "");
    const Attention a({4, 2048, 1, 64, 64}, {});
    const PlanRequest request{{}, a.loss};
    const std::int64_t needed = gl::fused_iterations(2048, 64, 64);
    CHECK(gl::fuse_attention(a.graph, request, 1, needed) != a.graph);
    CHECK(gl::fuse_attention(a.graph, request, 1, needed - 1) == a.graph);
}

TEST_CASE("OpenGL: attention whose pattern is read runs in single steps") {
    REQUIRE_GL();
    GlBackend gl({.fuse_from = 1});
    CpuBackend cpu(1);
    const Attention a({17, 17, 2, 8, 8}, {.causal = true, .mask = true});
    const PlanRequest looked_at{{a.pattern}, a.loss}, by_itself{{a.output}, a.loss}, pattern_alone{{a.pattern}};
    CHECK(gl::fuse_attention(a.graph, looked_at, 1) == a.graph);
    CHECK(gl::fuse_attention(a.graph, pattern_alone, 1) == a.graph);
    CHECK(gl::fuse_attention(a.graph, by_itself, 18) == a.graph);
    CHECK(gl::fuse_attention(a.graph, by_itself, 17) != a.graph);
    const auto expected = a.prepare(cpu, {a.pattern}), given = a.prepare(gl, {a.pattern});
    expected->forward(a.parameters), given->forward(a.parameters);
    CHECK(difference(a.read(*expected, a.pattern), a.read(*given, a.pattern)) == "");
    const auto fused = a.prepare(gl, {a.output});
    fused->forward(a.parameters);
    std::vector<float> weights(2 * 2 * 17 * 17);
    CHECK_THROWS_AS(fused->read(a.pattern, weights), Error);
    CHECK(fused->view(a.pattern).empty());
}

TEST_CASE("OpenGL: an intervention in fused attention has the same effect as on the CPU") {
    REQUIRE_GL();
    GlBackend gl({.fuse_from = 1});
    CpuBackend cpu(1);
    const Attention a({17, 17, 2, 8, 8}, {.mask = true});
    const auto expected = a.prepare(cpu, {a.output}), given = a.prepare(gl, {a.output});
    AlignedFloats x(a.parameters.size()), y(a.parameters.size());
    for (const int node : {a.output, a.pattern}) {
        for (Execution* run : {expected.get(), given.get()}) {
            run->forward(a.parameters);
            run->intervene({{node, {{3, 2}, {40, 1}}, {0.25f, 0.5f, 0.75f}}});
            run->forward(a.parameters);
        }
        CHECK(difference(a.read(*expected, a.output), a.read(*given, a.output)) == "");
    }
    CHECK_THROWS_AS(given->intervene({{a.pattern, {{0, 1}}, {}}}), Error);
    for (Execution* run : {expected.get(), given.get()}) run->intervene({}), run->forward(a.parameters);
    expected->backward(x), given->backward(y);
    CHECK(difference(x, y) == "");
}

TEST_CASE("OpenGL: attention with other steps, or in another order, is not fused") {
    const auto fuses = [](const std::vector<OpPtr>& stages) {
        auto graph = std::make_shared<Graph>();
        const Node q = graph->parameter("q", {1, 9, 2, 4}, {});
        Node last = graph->apply(ops::attention_scores(), {q, q});
        for (const OpPtr& op : stages) last = graph->apply(op, {last});
        const Node z = graph->apply(ops::attention_values(), {last, q});
        return gl::fuse_attention(graph, {{z.id}, -1}, 1) != graph;
    };
    CHECK(fuses({ops::scale(0.5f), ops::alibi(), ops::mask_causal(), ops::softmax()}));
    CHECK(fuses({ops::softmax()}));
    CHECK_FALSE(fuses({ops::hardmax()}));
    CHECK_FALSE(fuses({ops::alibi(), ops::scale(0.5f), ops::softmax()}));
    CHECK_FALSE(fuses({ops::scale(0.5f), ops::gelu(), ops::softmax()}));
    CHECK_FALSE(fuses({ops::softmax(), ops::scale(0.5f)}));
}

TEST_CASE("OpenGL: with fused attention, the memory of training grows linearly with the sentence") {
    REQUIRE_GL();
    GlBackend fused({.fuse_from = 64}), single({.fuse_from = never});
    const std::int64_t of_64 = training_bytes(fused, 64), of_128 = training_bytes(fused, 128),
                       of_256 = training_bytes(fused, 256), table = std::int64_t{4} * 256 * 256 * 4;
    // Each word adds the same, apart from the alignment of buffers.
    CHECK(of_256 - of_128 <= 2 * (of_128 - of_64) + 4096);
    CHECK(of_256 < table);
    CHECK(training_bytes(single, 256) > 2 * table);
}

TEST_CASE("OpenGL: training with fused attention gives the CPU's losses") {
    REQUIRE_GL();
    GlBackend gl({.fuse_from = 1});
    CpuBackend cpu(1);
    for (const Family family : {Family::encoder, Family::decoder}) {
        TransformerConfig config = training_config();
        config.family = family;
        Trainer expected(cpu, config, small_corpus(), training_options()),
            given(cpu, config, small_corpus(), training_options());
        given.use(std::make_unique<GlTrainingDevice>(gl));
        for (int i = 0; i < 40; ++i) {
            const StepReport a = expected.step(), b = given.step();
            REQUIRE(given.device() != nullptr);
            REQUIRE(b.loss == doctest::Approx(a.loss).epsilon(1e-3));
            REQUIRE(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(1e-3));
        }
    }
}
