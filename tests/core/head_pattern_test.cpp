#include "core/analysis/head_pattern.h"

#include <doctest/doctest.h>

#include <algorithm>

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
    pattern[2 * 4 + 1] = 0.5f;    // the third word looks behind the first 7
    pattern[3 * 4 + 3] = 0.125f;  // the fourth behind the third: at itself
    pattern[3 * 4 + 1] = 0.875f;  // and not behind the first
    CHECK(induction_score(pattern, tokens) == (0.5 + 0.125) / 2);
    CHECK_THROWS_AS(induction_score(pattern, std::vector<int>{7, 8, 7}), Error);
}

TEST_CASE("induction: nothing to say where less than a quarter repeats") {
    const std::vector<float> pattern(25, 0.2f);
    CHECK_FALSE(induction_score(pattern, std::vector<int>{1, 2, 3, 4, 5}));
    CHECK_FALSE(induction_score(pattern, std::vector<int>{1, 2, 3, 4, 1}));
    CHECK(induction_score(pattern, std::vector<int>{1, 2, 3, 2, 1}) == doctest::Approx(0.2));
}

TEST_CASE("a picture that is large enough is the pattern itself") {
    const std::vector<float> pattern{0.1f, 0.9f, 0.4f, 0.6f, 0.3f, 0.7f};
    const PatternPicture picture = pattern_picture(pattern, 2, 3, 3);
    CHECK(picture.rows == 2);
    CHECK(picture.columns == 3);
    CHECK(picture.weights == pattern);
    CHECK_THROWS_AS(pattern_picture(pattern, 3, 3, 3), Error);
    CHECK_THROWS_AS(pattern_picture(pattern, 2, 3, 0), Error);
}

TEST_CASE("a smaller picture shows the largest weight of each patch, and every cell counts") {
    constexpr int queries = 53, keys = 37, most = 10;
    Rng rng(3);
    std::vector<float> pattern(queries * keys);
    for (float& x : pattern) x = static_cast<float>(rng.uniform());
    const PatternPicture picture = pattern_picture(pattern, queries, keys, most);
    REQUIRE(picture.rows == most);
    REQUIRE(picture.columns == most);
    // A cell's patch, found the other way around: the last column that begins at or before it.
    std::vector<float> expected(most * most, 0.0f);
    for (int query = 0; query < queries; ++query)
        for (int key = 0; key < keys; ++key) {
            int column = most - 1;
            while (column * keys / most > key) --column;
            float& patch = expected[static_cast<std::size_t>(query * most / queries * most + column)];
            patch = std::max(patch, pattern[static_cast<std::size_t>(query * keys + key)]);
        }
    CHECK(picture.weights == expected);
    CHECK(*std::max_element(pattern.begin(), pattern.end()) ==
          *std::max_element(picture.weights.begin(), picture.weights.end()));
}
