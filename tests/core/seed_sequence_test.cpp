#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "core/base/rng.h"

using namespace glassformer;

TEST_CASE("SeedSequence generates the numbers of std::seed_seq, at every length that it treats differently") {
    std::mt19937 words(7);
    for (const std::size_t n : {0u, 1u, 2u, 6u, 7u, 38u, 39u, 67u, 68u, 622u, 623u, 624u, 1248u})
        for (int trial = 0; trial < 5; ++trial) {
            std::array<std::uint32_t, 4> v{};
            for (std::uint32_t& word : v) word = trial ? static_cast<std::uint32_t>(words()) : 0;
            std::vector<std::uint32_t> ours(n), theirs(n);
            SeedSequence(v).generate(ours.begin(), ours.end());
            std::seed_seq(v.begin(), v.end()).generate(theirs.begin(), theirs.end());
            CHECK(ours == theirs);
        }
    std::seed_seq theirs{1u, 2u, 3u, 4u};
    SeedSequence ours({1, 2, 3, 4});
    std::mt19937_64 a(theirs), b(ours);
    for (int i = 0; i < 700; ++i) CHECK(a() == b());
}
