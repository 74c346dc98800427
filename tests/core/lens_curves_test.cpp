#include "core/analysis/lens_curves.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/logit_lens.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("lens curves: entropy, rank and probability of every layer, by hand in double") {
    const auto model = small_model("plain", [](TransformerConfig&) {});
    const auto trace = model->trace(sentence_a);
    ThreadPool pool(1);
    const LogitLens lens(trace, pool);
    std::vector<std::vector<float>> logits;
    for (int layer = 0; layer < lens.layers(); ++layer) logits.push_back(lens.rows(layer, {2, 1}).logits);
    const LensCurves curves(logits);
    REQUIRE(curves.layers() == lens.layers());
    for (int layer = 0; layer < curves.layers(); ++layer) {
        const std::vector<float>& all = logits[layer];
        double sum = 0, entropy = 0;
        for (const float x : all) sum += std::exp(static_cast<double>(x));
        std::vector<int> order(all.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](int a, int b) { return all[a] > all[b]; });
        for (int word = 0; word < static_cast<int>(all.size()); ++word) {
            const double p = std::exp(static_cast<double>(all[word])) / sum;
            entropy -= p * std::log2(p);
            CHECK(curves.probability(layer, word) == doctest::Approx(p).epsilon(1e-9));
            CHECK(curves.rank(layer, word) == std::ranges::find(order, word) - order.begin() + 1);
        }
        CHECK(curves.entropy(layer) == doctest::Approx(entropy).epsilon(1e-9));
    }
}

TEST_CASE("lens curves: each word that led is listed once, with the last layer at which it led") {
    const LensCurves curves({{0, 5, 1}, {7, 5, 1}, {0, 5, 1}, {3, 3, 9}});
    const auto& led = curves.leaders();
    REQUIRE(led.size() == 3);
    CHECK((led[0].word == 2 && led[0].layer == 3));
    CHECK((led[1].word == 1 && led[1].layer == 2));
    CHECK((led[2].word == 0 && led[2].layer == 1));
    CHECK(curves.rank(3, 0) == 2);  // of equal logits, the smaller id comes first
    CHECK(curves.rank(3, 1) == 3);
}
