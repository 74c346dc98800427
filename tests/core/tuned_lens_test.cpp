#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis/logit_lens.h"
#include "core/analysis/tuned_lens_training.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

std::vector<float> noise(std::size_t count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng.normal());
    return values;
}

HeadRun::Outside parameters_of(const SmallModel& model, const Graph& graph) {
    return [&](int node) { return model.parameters->values(graph[node].offset, graph[node].shape.elements()).data(); };
}

/// KL(softmax(a) ‖ softmax(b)) in bits.
double kl(std::span<const float> a, std::span<const float> b) {
    double sum_a = 0, sum_b = 0, found = 0;
    for (const float x : a) sum_a += std::exp(static_cast<double>(x));
    for (const float x : b) sum_b += std::exp(static_cast<double>(x));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double p = std::exp(static_cast<double>(a[i])) / sum_a, q = std::exp(static_cast<double>(b[i])) / sum_b;
        found += p * std::log2(p / q);
    }
    return found;
}

/// Trains lenses on the sentences of small_corpus(), with some of them held out.
struct Trained {
    explicit Trained(SmallModel& model, int threads = 1) : pool(threads) {
        const auto corpus = small_corpus();
        StreamCollector collector(model.backend, model.config, corpus->shape(32));
        StreamRows learn;
        Batch batch;
        for (int step = 1; step <= 8; ++step) {
            corpus->draw(1, step, 32, batch);
            collector.add(batch, *model.parameters, 2000, learn);
        }
        corpus->draw(1, 0, 32, held_out);
        StreamRows other;
        collector.add(held_out, *model.parameters, 500, other);
        rows = other.rows;
        TunedLensTraining training(collector.head(), model.parameters, std::move(learn), std::move(other), pool,
                                   {.steps = 120, .rows = 64, .check_every = 20});
        double before = -1;
        while (!training.done()) {
            CHECK(training.share() > before);
            before = training.share();
            training.work();
        }
        CHECK(training.share() == 1);
        lens = training.lens();
    }

    ThreadPool pool;
    Batch held_out;
    std::int64_t rows = 0;
    TunedLens lens;
};

}  // namespace

TEST_CASE("tuned lens: the gradient of the output head matches finite differences, in every kind of model") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const OutputHead head(build_transformer(model->config, {2, 5}));
        ThreadPool pool(1);
        HeadRun run(head, {0, 3}, parameters_of(*model, *head.model.graph), pool);
        const std::vector<float> weights = noise(3 * 19, 4);
        AlignedFloats stream;
        for (const float x : noise(3 * 12, 5)) stream.push_back(x);
        const auto loss = [&] {
            run.forward(stream.data());
            double sum = 0;
            for (std::size_t i = 0; i < weights.size(); ++i)
                sum += static_cast<double>(weights[i]) * static_cast<double>(run.logits()[i]);
            return sum;
        };
        loss();
        const std::span<const float> found = run.backward(weights);
        const std::vector<float> gradient(found.begin(), found.end());
        REQUIRE(gradient.size() == stream.size());
        for (std::size_t i = 0; i < stream.size(); ++i) {
            const float x = stream[i];
            stream[i] = x + 0.01f;
            const double above = loss();
            stream[i] = x - 0.01f;
            const double below = loss();
            stream[i] = x;
            CHECK(static_cast<double>(gradient[i]) == doctest::Approx((above - below) / 0.02).epsilon(0.01).scale(0.1));
        }
    }
}

TEST_CASE("tuned lens: with maps of 0 it equals the logit lens bit for bit, and its last layer always does") {
    const auto model = small_model("plain", [](TransformerConfig&) {});
    const auto trace = model->trace(sentence_a);
    ThreadPool pool(1);
    auto none = std::make_shared<TunedLens>(), some = std::make_shared<TunedLens>();
    none->d_model = some->d_model = 12;
    for (int layer = 0; layer < 2; ++layer) {
        none->maps.push_back({AlignedFloats(12 * 13)});
        const std::vector<float> values = noise(12 * 13, 7);
        some->maps.push_back({AlignedFloats(values.begin(), values.end())});
    }
    const LogitLens plain(trace, pool), same(trace, pool, none), other(trace, pool, some);
    for (int layer = 0; layer < 3; ++layer) {
        CHECK(same_bytes(plain.layer(layer).logits, same.layer(layer).logits));
        CHECK(same_bytes(plain.layer(layer).logits, other.layer(layer).logits) == (layer == 2));
        const std::vector<float> all = other.layer(layer).logits, row = other.rows(layer, {2, 1}).logits;
        CHECK(same_bytes(row, std::span(all).subspan(2 * 19, 19)));
    }
}

TEST_CASE("tuned lens: KL divergence by hand in double") {
    const std::vector<float> a = noise(3 * 19, 1), b = noise(3 * 19, 2);
    const auto share = [](std::span<const float> logits) {
        std::vector<float> found;
        for (std::size_t row = 0; row < 3; ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < 19; ++i) sum += std::exp(static_cast<double>(logits[row * 19 + i]));
            for (std::size_t i = 0; i < 19; ++i)
                found.push_back(static_cast<float>(std::exp(static_cast<double>(logits[row * 19 + i])) / sum));
        }
        return found;
    };
    double expected = 0;
    for (std::size_t row = 0; row < 3; ++row)
        expected += kl(std::span(a).subspan(row * 19, 19), std::span(b).subspan(row * 19, 19)) / 3;
    CHECK(mean_kl(a, share(a), b, share(b), 19) == doctest::Approx(expected).epsilon(1e-5));
    CHECK(mean_kl(a, share(a), a, share(a), 19) == doctest::Approx(0).scale(1e-6));
}

TEST_CASE("tuned lens: no layer is worse than the logit lens on held-out sentences, by a second computation") {
    const auto model = small_model("encoder", [](TransformerConfig& c) { c.d_vocab = 23, c.n_ctx = 9; });
    Trained trained(*model);
    const std::size_t positions = 9;
    const auto lens = std::make_shared<TunedLens>(trained.lens);
    REQUIRE(lens->maps.size() == 2);
    std::vector<double> plain(2), tuned(2);
    std::int64_t rows = 0;
    for (std::size_t sentence = 0; sentence < 32; ++sentence) {
        std::vector<int> ids;
        for (std::size_t p = sentence * positions; p < (sentence + 1) * positions; ++p)
            if (trained.held_out.key_mask[p] > 0) ids.push_back(static_cast<int>(trained.held_out.tokens[p]));
        const auto trace = model->trace(ids);
        const LogitLens before(trace, trained.pool), after(trace, trained.pool, lens);
        const std::vector<float> truth = before.layer(2).logits;
        for (int layer = 0; layer < 2; ++layer)
            for (std::size_t p = 0; p < ids.size(); ++p) {
                const auto row = [&](std::span<const float> all) { return all.subspan(p * 23, 23); };
                plain[layer] += kl(row(truth), row(before.layer(layer).logits));
                tuned[layer] += kl(row(truth), row(after.layer(layer).logits));
            }
        rows += std::ssize(ids);
    }
    CHECK(rows == trained.rows);
    for (int layer = 0; layer < 2; ++layer) {
        const TunedLens::Map& map = lens->maps[layer];
        CHECK(map.plain == doctest::Approx(plain[layer] / static_cast<double>(rows)).epsilon(1e-4));
        CHECK(map.tuned == doctest::Approx(tuned[layer] / static_cast<double>(rows)).epsilon(1e-4));
        CHECK(map.tuned <= map.plain);
        CHECK(map.tuned < 0.8 * map.plain);  // and it has learned something
        CHECK(map.step > 0);
    }
}

TEST_CASE("tuned lens: if training only makes it worse, the logit lens stays") {
    const auto model = small_model("no norm", [](TransformerConfig& c) {
        c.d_vocab = 23, c.n_ctx = 9, c.norm_placement = NormPlacement::none;  // large streams make large logits
    });
    StreamCollector collector(model->backend, model->config, small_corpus()->shape(8));
    Batch batch;
    StreamRows learn, held_out;
    small_corpus()->draw(1, 1, 8, batch);
    collector.add(batch, *model->parameters, 100, learn);
    collector.add(batch, *model->parameters, 10, held_out);
    CHECK(held_out.rows == 10);
    ThreadPool pool(1);
    TunedLensTraining training(collector.head(), model->parameters, learn, held_out, pool,
                               {.steps = 20, .rows = 16, .check_every = 5, .learning_rate = 1e4f});
    while (!training.done()) training.work();
    for (const TunedLens::Map& map : training.lens().maps) {
        CHECK(map.step == 0);
        CHECK(map.tuned == map.plain);
        CHECK(std::ranges::all_of(map.values, [](float x) { return x == 0; }));
    }
    CHECK_THROWS_AS(TunedLensTraining(collector.head(), model->parameters, learn, {}, pool), Error);
}

TEST_CASE("tuned lens: the same bytes on any number of threads") {
    const auto model = small_model("decoder", [](TransformerConfig& c) {
        c.d_vocab = 23, c.n_ctx = 9, c.family = Family::decoder, c.tied = false;
    });
    const Trained one(*model), three(*model, 3);
    for (std::size_t layer = 0; layer < one.lens.maps.size(); ++layer)
        CHECK(same_bytes(one.lens.maps[layer].values, three.lens.maps[layer].values));
}

TEST_CASE("tuned lens: a model with batch norm is refused") {
    const auto model = small_model(
        "batch norm", [](TransformerConfig& c) { c.d_vocab = 23, c.n_ctx = 9, c.norm = NormKind::batch_norm; });
    StreamCollector collector(model->backend, model->config, small_corpus()->shape(8));
    Batch batch;
    small_corpus()->draw(1, 1, 8, batch);
    StreamRows rows;
    collector.add(batch, *model->parameters, 100, rows);
    ThreadPool pool(1);
    CHECK_THROWS_AS(TunedLensTraining(collector.head(), model->parameters, rows, rows, pool), Error);
}
