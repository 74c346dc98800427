#include "core/analysis/surprise.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("surprise: n equally likely words take log₂ n bits, and a certain one none") {
    const std::vector<float> equal(8, 3.5f);
    CHECK(surprise_of_logits(equal, 5).bits == doctest::Approx(3.0));
    CHECK(surprise_of_logits(equal, 5).entropy == doctest::Approx(3.0));
    const std::array<float, 3> sure{0, 200, 0};
    CHECK(surprise_of_logits(sure, 1).bits == doctest::Approx(0.0));
    CHECK(surprise_of_logits(sure, 1).entropy == doctest::Approx(0.0));
    // Its probability, e⁻²⁰⁰, is 0 as a float.
    CHECK(surprise_of_logits(sure, 0).bits == doctest::Approx(200.0 / std::log(2.0)));
    const std::array<float, 4> shares{0.5f, 0.25f, 0.25f, 0};
    CHECK(surprise_of_probabilities(shares, 1).bits == doctest::Approx(2.0));
    CHECK(surprise_of_probabilities(shares, 1).entropy == doctest::Approx(1.5));
    CHECK(std::isinf(surprise_of_probabilities(shares, 3).bits));
    CHECK_THROWS_AS(surprise_of_logits(equal, 8), Error);
    CHECK_THROWS_AS(surprise_of_probabilities(shares, -1), Error);
}

TEST_CASE("surprise: a model's surprise is −log₂ of its traced probabilities") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace(sentence_a);
        const std::span<const float> logits = trace->values("logits"), shares = trace->values("probabilities");
        for (std::size_t p = 0; p < 5; ++p)
            for (std::size_t w = 0; w < 19; ++w) {
                const TokenSurprise found = surprise_of_logits(logits.subspan(p * 19, 19), static_cast<int>(w));
                CHECK(std::abs(found.bits + std::log2(static_cast<double>(shares[p * 19 + w]))) <= 1e-5);
                const TokenSurprise same = surprise_of_probabilities(shares.subspan(p * 19, 19), static_cast<int>(w));
                CHECK(std::abs(found.entropy - same.entropy) <= 1e-5);
            }
    }
}

TEST_CASE("surprise: a text's bits are the sum over its tokens, and its perplexity is 2 to their mean") {
    const std::array<TokenSurprise, 4> tokens{TokenSurprise{}, {1.0, 2.0}, {3.0, 2.5}, {5.0, 0.5}};
    const TextSurprise whole = sum_of(tokens);
    CHECK(whole.tokens == 3);
    CHECK(whole.bits == 9.0);
    CHECK(whole.per_token() == 3.0);
    CHECK(whole.perplexity() == doctest::Approx(8.0));
    CHECK(sum_of_entropies(tokens).bits == 5.0);
}
