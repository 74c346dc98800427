#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis/embedding_map.h"
#include "core/analysis/pca.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/tasks/sense_probe.h"
#include "core/trace/tracer.h"

using namespace glassformer;

TEST_CASE("PCA finds the directions in which the points vary") {
    // Points with variance 9 along (3, 4, 0)/5, variance 1 along z, and almost none in the third direction.
    Rng rng(1);
    std::vector<float> points;
    for (int i = 0; i < 4000; ++i) {
        const double a = 3.0 * rng.normal(), b = rng.normal(), c = 0.01 * rng.normal();
        points.push_back(static_cast<float>(10.0 + 0.6 * a - 0.8 * c));
        points.push_back(static_cast<float>(-2.0 + 0.8 * a + 0.6 * c));
        points.push_back(static_cast<float>(b));
    }
    const Pca found = pca(points, 3);
    CHECK(std::abs(0.6f * found.directions[0][0] + 0.8f * found.directions[0][1]) ==
          doctest::Approx(1.0).epsilon(1e-3));
    CHECK(std::abs(found.directions[1][2]) == doctest::Approx(1.0).epsilon(1e-3));
    CHECK(found.share[0] == doctest::Approx(0.9).epsilon(0.02));
    CHECK(found.mean[0] == doctest::Approx(10.0).epsilon(0.02));
    const std::array<float, 3> mean = found.project(found.mean);
    CHECK(mean[0] == doctest::Approx(0.0));

    SUBCASE("with a previous result the axes do not flip") {
        Pca before = found;
        for (float& v : before.directions[0]) v = -v;
        CHECK(pca(points, 3, &before).directions[0][0] == doctest::Approx(before.directions[0][0]));
    }
}

TEST_CASE("PCA of no points or of one point gives a valid, empty result") {
    CHECK(pca({}, 4).directions[0].size() == 4);
    const std::vector<float> one{1, 2, 3, 4};
    CHECK(pca(one, 4).share[0] == 0.0f);
}

TEST_CASE("the nearest words are those whose means have the largest cosine, measured from the overall mean") {
    SenseProbeResult probe;
    probe.word_seen = {true, true, true, false};
    probe.mean = {{10.0f, 10.0f}};
    probe.word_means = {
        {11.0f, 10.0f, 10.0f, 11.0f, 9.0f, 10.0f, 10.9f, 10.1f}};  // east, north, west; word 3 was not seen
    const std::vector<float> vector{12.0f, 10.5f};
    const std::vector<Neighbor> near = nearest_words(probe, 0, vector, -1, 2);
    REQUIRE(near.size() == 2);
    CHECK(near[0].id == 0);
    CHECK(near[0].cosine == doctest::Approx(2.0 / std::sqrt(4.25)));
    CHECK(near[1].id == 1);
    CHECK(nearest_words(probe, 0, vector, 0, 1)[0].id == 1);  // the word itself is left out
    CHECK(nearest_words(probe, 7, vector, -1, 2).empty());
    // A vector equal to the mean up to rounding has no direction.
    const std::vector<float> nowhere{10.0f, std::nextafter(10.0f, 11.0f)};
    CHECK(nearest_words(probe, 0, nowhere, -1, 2).empty());
    probe.word_means[0][0] = 10.0f;
    CHECK(nearest_words(probe, 0, vector, -1, 3).size() == 2);
}

TEST_CASE("contextual vectors equal those of each sentence traced alone, whatever the lengths in the batch") {
    CpuBackend backend(2);
    TransformerConfig config;
    config.d_vocab = 30;
    config.n_ctx = 9;
    config.d_model = 16;
    config.n_heads = 2;
    config.d_mlp = 32;
    Rng rng(3);
    std::vector<std::vector<int>> sentences;
    for (int i = 0; i < 40; ++i) {
        sentences.emplace_back();
        for (std::uint64_t n = 1 + rng.below(9); n > 0; --n)
            sentences.back().push_back(static_cast<int>(3 + rng.below(27)));
    }
    const TransformerGraph model = build_transformer(config, {1, 1});
    const Parameters parameters = std::make_shared<ParameterValues>(initial_parameters(*model.graph, 5));
    ContextualVectors vectors(backend, config, sentences);
    vectors.run(*parameters);
    Tracer tracer(backend, config);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto trace = tracer.trace(sentences[i], parameters);
        const std::span<const float> last = trace->values("blocks.1.hook_resid_post");
        for (int p = 0; p < trace->positions(); ++p)
            for (std::size_t j = 0; j < 16; ++j)
                CHECK(vectors.at(2, i, p)[j] ==
                      doctest::Approx(last[static_cast<std::size_t>(p) * 16 + j]).epsilon(1e-5));
    }
}

TEST_CASE("a tie between both senses counts as half right") {
    CpuBackend backend(1);
    const WorldTraining training(World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar"));
    SenseProbe probe(backend, training, 2);
    const std::int64_t count = build_transformer(training.config, {1, 1}).graph->parameter_count();
    for (const float accuracy : probe.measure(std::vector<float>(static_cast<std::size_t>(count))).accuracy)
        CHECK(accuracy == 0.5f);
}
