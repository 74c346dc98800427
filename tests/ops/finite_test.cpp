// No infinity or NaN of a forward pass goes unnoticed, although only a few values are checked.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/graph/plan.h"
#include "tests/ops/variants.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float bad[] = {inf, -inf, std::numeric_limits<float>::quiet_NaN()};

std::vector<int> run_for_loss(const VariantModel& m) {
    const Plan plan(m.graph, {{}, m.model.loss});
    return plan.forward();
}

}  // namespace

TEST_CASE("a number that is not finite is found at every position of a long list") {
    ThreadPool one(1), three(3);
    for (const std::size_t size : {1, 31, 65536, 65537, 200000}) {
        std::vector<float> values(size, -std::numeric_limits<float>::max());
        CHECK(all_finite(values, one));
        for (const std::size_t cell : {std::size_t{0}, size / 2, size - 1}) {
            for (const float b : bad) {
                const float before = values[cell];
                values[cell] = b;
                CHECK_FALSE(all_finite(values, one));
                CHECK_FALSE(all_finite(values, three));
                values[cell] = before;
            }
        }
    }
    CHECK(all_finite({}, one));
}

TEST_CASE("whichever op of a model makes a number that is not finite, the forward pass detects it") {
    CpuBackend backend(1);
    std::int64_t tried = 0;
    for (const Variant& v : variants()) {
        const VariantModel m(v, 2);
        const auto run = m.prepare(backend, {{}, m.model.loss, true});
        run->forward(m.parameters);
        INFO(v.name);
        REQUIRE(run->finite());
        Rng rng(3);
        for (const int id : run_for_loss(m)) {
            const NodeInfo& info = m.graph[id];
            for (const float b : bad) {
                if (info.op->traits().is_mask && b == -inf) continue;
                const auto cell =
                    static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(info.shape.elements())));
                run->intervene({Intervention{id, {{cell, 1}}, {b}}});
                run->forward(m.parameters);
                INFO(info.name, " (", std::string(info.op->name()), ") cell ", cell, " is ", b);
                // A mask's own output is −∞ or a score that was already checked: what is watched is the mask's input.
                if (!info.op->traits().is_mask) CHECK_FALSE(run->finite());
                ++tried;
            }
        }
        run->intervene({});
        run->forward(m.parameters);
        CHECK(run->finite());
    }
    CHECK(tried > 5000);
}

TEST_CASE("only a few values are watched") {
    for (const Variant& v : variants()) {
        if (v.name != "encoder") continue;
        const VariantModel m(v, 2);
        const std::vector<int> forward = run_for_loss(m);
        const std::vector<bool> watched = watched_nodes(m.graph, forward);
        for (const int id : forward) {
            const std::string& name = m.graph[id].name;
            INFO(name);
            const bool expected = name.ends_with("hook_scale") || name.ends_with("attn_scores_scaled") ||
                                  name.ends_with("mlp.hook_pre") || id == m.model.logits || id == m.model.loss;
            const bool relu = m.model.config.activation == Activation::relu;
            CHECK(watched[id] == (expected && (relu || !name.ends_with("mlp.hook_pre"))));
        }
    }
}
