// Attention a few queries at a time, against the same in single steps.

#include <doctest/doctest.h>

#include <cstring>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

struct Sizes {
    std::int64_t queries, keys, heads = 3, head_width = 5, value_width = 4;
};

/// Attention alone over two sentences, of which the second is shorter.
struct Attention {
    Attention(const Sizes& n, const std::vector<OpPtr>& steps, bool hides_words = false) {
        const Node q = input("q", {2, n.queries, n.heads, n.head_width}, 1),
                   k = input("k", {2, n.keys, n.heads, n.head_width}, 2),
                   v = input("v", {2, n.keys, n.heads, n.value_width}, 3);
        Node last = graph->apply(ops::attention_scores(), {q, k});
        for (const OpPtr& step : steps) last = graph->apply(step, {last});
        if (hides_words) {
            const Node keep = graph->input("keep", {2, n.keys});
            std::vector<float> kept(static_cast<std::size_t>(2 * n.keys), 1.0f);
            std::fill(kept.end() - n.keys / 2, kept.end(), 0.0f);
            values.emplace_back(keep.id, Tensor({2, n.keys}, kept));
            last = graph->apply(ops::mask(), {last, keep});
        }
        const Node weights = graph->apply(ops::softmax(), {last});
        pattern = weights.id;
        z = graph->apply(ops::attention_values(), {weights, v}).id;
    }

    Node input(const std::string& name, const Shape& shape, std::uint64_t seed) {
        const Node node = graph->input(name, shape);
        values.emplace_back(node.id, normal(shape, seed));
        return node;
    }

    std::unique_ptr<Execution> prepare(Backend& backend, const std::shared_ptr<const Graph>& of,
                                       std::vector<int> keep) const {
        std::unique_ptr<Execution> run = backend.prepare(of, {std::move(keep), -1});
        for (const auto& [id, tensor] : values) run->set_input(id, tensor.values());
        run->forward(std::vector<float>{});
        return run;
    }
    std::shared_ptr<const Graph> blocked(int lanes) const { return block_attention(graph, {{z}, -1}, 1, lanes); }

    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    std::vector<std::pair<int, Tensor>> values;
    int pattern = -1, z = -1;
};

bool same_bytes(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Requesting the pattern makes the chain run in single steps.
std::vector<float> in_single_steps(const Attention& attention) {
    CpuBackend backend(1);
    const auto run = attention.prepare(backend, attention.graph, {attention.pattern, attention.z});
    const std::span<const float> z = run->view(attention.z);
    return {z.begin(), z.end()};
}

void check(const Sizes& n, const std::vector<OpPtr>& steps, bool hides_words = false) {
    const Attention attention(n, steps, hides_words);
    const std::vector<float> expected = in_single_steps(attention);
    for (const int threads : {1, 2, 3}) {
        INFO(n.queries, " queries, ", n.keys, " keys, ", threads, " threads");
        CpuBackend backend(threads);
        REQUIRE(attention.blocked(threads) != attention.graph);
        const auto run = attention.prepare(backend, attention.blocked(threads), {attention.z});
        CHECK(same_bytes(run->view(attention.z), expected));
        run->forward(std::vector<float>{});  // starts from what the first run left
        CHECK(same_bytes(run->view(attention.z), expected));
    }
}

// Around a block of queries (42) and a packed block of keys (256), and odd sizes.
const std::vector<Sizes> all_sizes{{1, 1},    {1, 70},   {2, 2},     {41, 41},  {43, 43},
                                   {85, 300}, {300, 85}, {301, 301}, {560, 560}};

void check_all(const std::vector<OpPtr>& steps, bool hides_words = false) {
    for (const Sizes& n : all_sizes) check(n, steps, hides_words);
}

}  // namespace

TEST_CASE("blocked attention: gives the same bytes as single steps") {
    check_all({ops::scale(0.4f)});
    check_all({});
    check({90, 90, 2, 64, 64}, {ops::scale(0.125f)});
    check({300, 300, 1, 300, 17}, {ops::scale(0.1f)});  // features in two blocks of a product
}

TEST_CASE("blocked attention: masks hide the same cells as in single steps") {
    check_all({ops::scale(0.4f), ops::mask_causal()});
    check_all({ops::scale(0.4f)}, true);
    check_all({ops::scale(0.4f), ops::mask_causal()}, true);
    check_all({ops::scale(0.4f), ops::mask_window(3)});
    check_all({ops::scale(0.4f), ops::mask_causal(), ops::mask_window(50)}, true);
}

TEST_CASE("blocked attention: ALiBi's distances are those of the whole sentence, and its slopes the head's") {
    check_all({ops::scale(0.4f), ops::alibi()});
    check_all({ops::scale(0.4f), ops::alibi(), ops::mask_causal()}, true);
}

TEST_CASE("blocked attention: works with hard attention") {
    Attention attention({301, 301}, {});
    attention.graph->replace(attention.pattern, ops::hardmax(), attention.graph->nodes()[attention.pattern].inputs);
    CpuBackend backend(2);
    const auto run = attention.prepare(backend, attention.blocked(2), {attention.z});
    CHECK(same_bytes(run->view(attention.z), in_single_steps(attention)));
}

TEST_CASE("blocked attention: what is kept, trained or watched runs in single steps") {
    const Attention a({50, 50}, {ops::scale(0.5f), ops::mask_causal()});
    CHECK(block_attention(a.graph, {{a.z}, -1}, 50, 1) != a.graph);
    CHECK(block_attention(a.graph, {{a.z}, -1}, 51, 1) == a.graph);
    CHECK(block_attention(a.graph, {{a.z, a.pattern}, -1}, 1, 1) == a.graph);
    CHECK(block_attention(a.graph, {{a.z, a.pattern - 1}, -1}, 1, 1) == a.graph);
    CHECK(block_attention(a.graph, {{a.pattern}, -1}, 1, 1) == a.graph);
    CHECK(block_attention(a.graph, {{a.z}, a.z}, 1, 1) == a.graph);
    CHECK(block_attention(a.graph, {.keep = {a.z}, .watch = true}, 1, 1) == a.graph);
    const Attention between({50, 50}, {ops::scale(0.5f), ops::gelu()});
    CHECK(between.blocked(1) == between.graph);
}

TEST_CASE("blocked attention: a long sentence needs no table of queries and keys") {
    CpuBackend backend(2);
    const auto bytes = [&](std::int64_t words, bool looked_at) {
        const Attention a({words, words}, {ops::scale(0.5f)});
        const std::vector<int> keep = looked_at ? std::vector{a.z, a.pattern} : std::vector{a.z};
        return backend.prepare(a.graph, {keep, -1})->arena_bytes();
    };
    CHECK(bytes(600, false) < 3 * bytes(256, false));
    CHECK(bytes(600, true) > 4 * bytes(256, true));
}

TEST_CASE("blocked attention: an intervention within it has the same effect as in single steps") {
    const Attention a({300, 300}, {ops::scale(0.5f)}, true);
    CpuBackend backend(2);
    const auto plain = a.prepare(backend, a.graph, {a.pattern, a.z}), blocked = a.prepare(backend, a.graph, {a.z});
    REQUIRE(blocked->arena_bytes() < plain->arena_bytes());
    for (const int node : {a.z, a.pattern}) {
        for (Execution* run : {plain.get(), blocked.get()}) {
            run->intervene({{node, {{3, 2}, {40, 1}}, {0.25f, 0.5f, 0.75f}}});
            run->forward(std::vector<float>{});
        }
        CHECK(same_bytes(plain->view(a.z), blocked->view(a.z)));
    }
    CHECK(blocked->view(a.pattern).empty());
    CHECK_THROWS_AS(blocked->intervene({{a.pattern, {{0, 1}}, {}}}), Error);
}
