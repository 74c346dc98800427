#include <doctest/doctest.h>

#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/base/rng.h"

using namespace glassformer;

TEST_CASE("previous word: the mean of the weights below the diagonal") {
    const std::vector<float> pattern{1, 0, 0, 0.25f, 0.75f, 0, 0.5f, 0.125f, 0.375f};
    CHECK(previous_word_score(pattern, 3) == (0.25 + 0.125) / 2);
    CHECK_FALSE(previous_word_score(std::vector<float>{1}, 1));
    CHECK_THROWS_AS(previous_word_score(pattern, 2), Error);
    CHECK_THROWS_AS(previous_word_score({}, 0), Error);
}

TEST_CASE("induction: the word after the latest earlier copy") {
    const std::vector<int> tokens{7, 8, 7, 7};
    std::vector<float> pattern(16, 0.0f);
    pattern[2 * 4 + 1] = 0.5f;    // the third word looks at the word after the first 7
    pattern[3 * 4 + 3] = 0.125f;  // the fourth at the word after the third: itself
    pattern[3 * 4 + 1] = 0.875f;  // and not at the word after the first
    CHECK(induction_score(pattern, tokens) == (0.5 + 0.125) / 2);
    CHECK_THROWS_AS(induction_score(pattern, std::vector<int>{7, 8, 7}), Error);
}

TEST_CASE("induction: no score if less than a quarter of the tokens repeat") {
    const std::vector<float> pattern(25, 0.2f);
    CHECK_FALSE(induction_score(pattern, std::vector<int>{1, 2, 3, 4, 5}));
    CHECK_FALSE(induction_score(pattern, std::vector<int>{1, 2, 3, 4, 1}));
    CHECK(induction_score(pattern, std::vector<int>{1, 2, 3, 2, 1}) == doctest::Approx(0.2));
}

TEST_CASE("a picture with room for every cell is the pattern itself") {
    const std::vector<float> pattern{0.1f, 0.9f, 0.4f, 0.6f, 0.3f, 0.7f};
    const PatternPicture picture = pattern_picture(pattern, 2, 3, 3);
    CHECK(picture.rows == 2);
    CHECK(picture.columns == 3);
    CHECK(picture.weights == pattern);
    CHECK_THROWS_AS(pattern_picture(pattern, 3, 3, 3), Error);
    CHECK_THROWS_AS(pattern_picture(pattern, 2, 3, 0), Error);
}

TEST_CASE("a smaller picture shows the mean of each patch, and counts every cell once") {
    constexpr int queries = 53, keys = 37, most = 10;
    Rng rng(3);
    std::vector<float> pattern(queries * keys);
    for (float& x : pattern) x = static_cast<float>(rng.uniform());
    const PatternPicture picture = pattern_picture(pattern, queries, keys, most);
    REQUIRE(picture.rows == most);
    REQUIRE(picture.columns == most);
    // Finds a cell's patch the other way round: the last patch that begins at or before it.
    const auto patch_of = [](int cell, int cells) {
        int patch = most - 1;
        while (patch * cells / most > cell) --patch;
        return patch;
    };
    std::vector<double> sums(most * most, 0.0), counts(most * most, 0.0);
    for (int query = 0; query < queries; ++query)
        for (int key = 0; key < keys; ++key) {
            const std::size_t patch = patch_of(query, queries) * most + patch_of(key, keys);
            sums[patch] += static_cast<double>(pattern[query * keys + key]);
            counts[patch] += 1;
        }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        CAPTURE(i);
        CHECK(picture.weights[i] == static_cast<float>(sums[i] / counts[i]));
    }
}
