#include "core/analysis/nearest_uses.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/worlds/world.h"

using namespace glassformer;

TEST_CASE("nearest uses: the word's mean at a position is subtracted, or at a rare position that of all uses") {
    constexpr std::size_t width = 4;
    Rng rng(3);
    std::vector<std::array<float, width>> streams(13);
    for (auto& stream : streams)
        for (float& value : stream) value = static_cast<float>(rng.normal() + 5.0);
    std::vector<WordUse> uses;
    for (int i = 0; i < 12; ++i) uses.push_back({i < 6 ? 2 : i < 11 ? 4 : 7, streams[i]});  // six, five and one
    const WordUse here{4, streams[12]};
    const auto centre = [&](int position) {
        std::array<double, width> mean{};
        int count = 0;
        for (const WordUse& use : uses) {
            if (position != 7 && use.position != position) continue;
            for (std::size_t i = 0; i < width; ++i) mean[i] += static_cast<double>(use.stream[i]);
            ++count;
        }
        for (double& value : mean) value /= count;
        return mean;
    };
    const std::vector<double> found = centred_cosines(here, uses);
    REQUIRE(found.size() == 12);
    for (std::size_t u = 0; u < 12; ++u) {
        const auto mine = centre(4), other = centre(uses[u].position);
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const double a = static_cast<double>(here.stream[i]) - mine[i];
            const double b = static_cast<double>(uses[u].stream[i]) - other[i];
            ab += a * b, aa += a * a, bb += b * b;
        }
        CHECK(found[u] == doctest::Approx(ab / std::sqrt(aa * bb)).epsilon(1e-12));
    }
}

TEST_CASE("nearest uses: a single use has cosine 0, and no uses give an empty list") {
    const std::array<float, 2> a{1, 2}, b{3, -1};
    const WordUse use{0, a};
    CHECK(centred_cosines({0, b}, std::span(&use, 1)) == std::vector<double>{0.0});
    CHECK(centred_cosines({0, b}, {}).empty());
}

TEST_CASE("nearest uses: a world knows which templates can produce a sentence") {
    const World world = World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar");
    for (const Split split : {Split::train, Split::held_out})
        for (const Sentence& s : world.corpus(split, 5, 3)) {
            CHECK(world.says(split, s.words));
            if (split == Split::train) CHECK_FALSE(world.says(Split::held_out, s.words));
        }
    CHECK_FALSE(world.says(Split::train, {"bat", "the", "."}));
    CHECK_FALSE(world.says(Split::train, {}));
}
