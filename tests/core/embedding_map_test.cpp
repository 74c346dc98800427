#include "core/analysis/embedding_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

/// Returns rows with standard deviations 4 : 2 : 1 : ½ … along the axes, about a nonzero mean.
std::vector<float> spread_table(std::size_t words, std::size_t d) {
    std::vector<float> table(words * d);
    Rng rng(5);
    for (std::size_t word = 0; word < words; ++word)
        for (std::size_t j = 0; j < d; ++j)
            table[word * d + j] = static_cast<float>(0.3 + 4.0 * std::pow(0.5, static_cast<double>(j)) * rng.normal());
    return table;
}

double cosine(const std::vector<float>& table, std::size_t d, std::size_t a, std::size_t b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t j = 0; j < d; ++j) {
        const double x = static_cast<double>(table[a * d + j]), y = static_cast<double>(table[b * d + j]);
        ab += x * y, aa += x * x, bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
}

}  // namespace

TEST_CASE("the map of an embedding shows the words along the axes of largest variance, in order") {
    // More rows than are processed at once, then only a few.
    for (const std::size_t words : {std::size_t{9000}, std::size_t{60}}) {
        constexpr std::size_t d = 6;
        const std::vector<float> table = spread_table(words, d);
        const EmbeddingMap map = map_embedding(table, d);
        REQUIRE(map.points.size() == words);
        std::array<double, 3> variance{}, mean{};
        std::array<double, 3> product{};
        for (const auto& point : map.points)
            for (std::size_t k = 0; k < 3; ++k) {
                mean[k] += static_cast<double>(point[k]);
                variance[k] += static_cast<double>(point[k]) * static_cast<double>(point[k]);
                product[k] += static_cast<double>(point[k]) * static_cast<double>(point[(k + 1) % 3]);
            }
        double whole = 0;
        for (std::size_t j = 0; j < d; ++j) {
            double sum = 0, squares = 0;
            for (std::size_t word = 0; word < words; ++word) sum += static_cast<double>(table[word * d + j]);
            for (std::size_t word = 0; word < words; ++word)
                squares += std::pow(static_cast<double>(table[word * d + j]) - sum / static_cast<double>(words), 2);
            whole += squares;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(std::abs(mean[k]) < 1e-2 * static_cast<double>(words));
            CHECK(std::abs(product[k]) < 1e-3 * variance[0]);  // the axes are uncorrelated
            CHECK(static_cast<double>(map.pca.share[k]) == doctest::Approx(variance[k] / whole).epsilon(1e-3));
        }
        CHECK(variance[0] > 2 * variance[1]);
        CHECK(variance[1] > 2 * variance[2]);
        // No axis flips when the parameters change.
        std::vector<float> next = table;
        for (float& value : next) value = -value;
        const EmbeddingMap later = map_embedding(next, d, &map);
        for (std::size_t k = 0; k < 3; ++k)
            CHECK(std::inner_product(map.pca.directions[k].begin(), map.pca.directions[k].end(),
                                     later.pca.directions[k].begin(), 0.0f) > 0.99f);
    }
}

TEST_CASE("the nearest words of an embedding are those with the largest cosine") {
    constexpr std::size_t words = 300, d = 7;
    std::vector<float> table = spread_table(words, d);
    for (std::size_t j = 0; j < d; ++j) table[17 * d + j] = 2.5f * table[4 * d + j];  // the same direction
    for (std::size_t j = 0; j < d; ++j) table[30 * d + j] = 0;                        // no direction
    const std::vector<Neighbor> near = nearest_embeddings(table, d, 4, 12);
    REQUIRE(near.size() == 12);
    CHECK(near[0].id == 17);
    CHECK(near[0].cosine == doctest::Approx(1));
    std::vector<double> all;
    for (std::size_t word = 0; word < words; ++word)
        if (word != 4 && word != 30) all.push_back(cosine(table, d, 4, word));
    std::ranges::sort(all, std::greater<>());
    for (std::size_t i = 0; i < near.size(); ++i) {
        CHECK(static_cast<double>(near[i].cosine) == doctest::Approx(all[i]).epsilon(1e-6));
        CHECK(static_cast<double>(near[i].cosine) ==
              doctest::Approx(cosine(table, d, 4, static_cast<std::size_t>(near[i].id))).epsilon(1e-6));
    }
    CHECK(nearest_embeddings(table, d, 30, 5).empty());
    CHECK(nearest_embeddings(table, d, 4, 1000).size() == words - 2);
    CHECK(contains(error_of([&] { nearest_embeddings(table, d, 300, 5); }), "no word 300"));
    CHECK(map_embedding({}, d).points.empty());
}
