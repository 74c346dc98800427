#include "core/analysis/rollout.h"

#include <doctest/doctest.h>

#include <array>

#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("rollout: two blocks by hand") {
    // Of two heads, one attends to the first token alone and one to itself. A step is ½ I + ½ of their mean.
    const std::array<float, 8> pattern{1, 0, 1, 0, 1, 0, 0, 1};
    AttentionRollout rollout(2);
    CHECK(rollout.shares() == std::vector<double>{1, 0, 0, 1});
    rollout.add_block(pattern);
    CHECK(rollout.shares() == std::vector<double>{1, 0, 0.25, 0.75});
    rollout.add_block(pattern);
    CHECK(rollout.shares() == std::vector<double>{1, 0, 0.4375, 0.5625});
    CHECK(rollout.of(1)[0] == 0.4375);
    AttentionRollout without(2, 0.0);
    without.add_block(pattern);
    CHECK(without.shares() == std::vector<double>{1, 0, 0.5, 0.5});
    CHECK_THROWS_AS(without.add_block(std::span(pattern).first(7)), Error);
    CHECK_THROWS_AS(without.add_block({}), Error);
    // Weights set by an intervention need not sum to 1, but the shares do.
    const std::array<float, 4> halved{0.5f, 0, 0, 0};
    AttentionRollout changed(2);
    changed.add_block(halved);
    CHECK(changed.shares() == std::vector<double>{1, 0, 0, 1});
    // With no weights at all, each position keeps its own row.
    AttentionRollout nothing(2, 0.0);
    nothing.add_block(std::array<float, 4>{});
    CHECK(nothing.shares() == std::vector<double>{1, 0, 0, 1});
}

TEST_CASE("rollout: each share is the sum over all paths through the blocks, and each row sums to 1") {
    auto models = small_models();
    models.push_back(small_model("without residual", [](TransformerConfig& c) { c.residual = false; }));
    models.push_back(small_model("three blocks", [](TransformerConfig& c) { c.n_layers = 3; }));
    for (const auto& model : models) {
        INFO(model->name);
        const std::vector<int> sentence{4, 7, 11, 5, 2};
        const auto trace = model->trace(sentence);
        const std::size_t n = sentence.size(), heads = 3;
        const double own = model->config.residual ? 0.5 : 0.0;
        const auto step = [&](int block, std::size_t to, std::size_t from) {
            const auto pattern = trace->values("blocks." + std::to_string(block) + ".attn.hook_pattern");
            double mean = 0.0;
            for (std::size_t h = 0; h < heads; ++h)
                mean += static_cast<double>(pattern[(h * n + to) * n + from]) / static_cast<double>(heads);
            return (to == from ? own : 0.0) + (1.0 - own) * mean;
        };
        // Adds up all paths from `to` down to `from`, one by one.
        const auto paths = [&](const auto& self, int block, std::size_t to, std::size_t from) -> double {
            if (block < 0) return to == from ? 1.0 : 0.0;
            double sum = 0.0;
            for (std::size_t by = 0; by < n; ++by) sum += step(block, to, by) * self(self, block - 1, by, from);
            return sum;
        };
        const std::vector<double> shares = attention_rollout(*trace);
        REQUIRE(shares.size() == n * n);
        for (std::size_t to = 0; to < n; ++to) {
            double sum = 0.0;
            for (std::size_t from = 0; from < n; ++from) {
                CHECK(std::abs(shares[to * n + from] - paths(paths, model->config.n_layers - 1, to, from)) <= 1e-6);
                sum += shares[to * n + from];
            }
            CHECK(std::abs(sum - 1.0) <= 1e-12);
        }
    }
}

TEST_CASE("rollout: a model without attention has none") {
    const auto model =
        small_model("rnn", [](TransformerConfig& c) { c.family = Family::rnn, c.activation = Activation::none; });
    CHECK_THROWS_AS(attention_rollout(*model->trace({1, 2, 3})), Error);
}
