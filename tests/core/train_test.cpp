#include <doctest/doctest.h>

#include "core/base/background.h"
#include "core/base/error.h"
#include "core/tasks/sense_probe.h"
#include "core/train/timeline.h"
#include "core/train/trainer.h"
#include "tests/core/error_of.h"
#include "tests/same_bytes.h"

using namespace glassformer;

namespace {

WorldTraining& homonyms() {
    static WorldTraining training(World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar"));
    return training;
}

const MaskedWords& task() {
    static const std::shared_ptr<const MaskedWords> words = homonyms().masked_words();
    return *words;
}

std::vector<float> train(int threads, int steps, std::uint64_t seed) {
    CpuBackend backend(threads);
    TrainOptions options;
    options.seed = seed;
    Trainer trainer(backend, homonyms().config, homonyms().masked_words(), options);
    for (int i = 0; i < steps; ++i) trainer.step();
    return {trainer.parameters().begin(), trainer.parameters().end()};
}

}  // namespace

TEST_CASE("the same seed gives the same bytes on 1, 2 and 3 threads; another seed does not") {
    const std::vector<float> one = train(1, 6, 7);
    CHECK(same_bytes(one, train(2, 6, 7)));
    CHECK(same_bytes(one, train(3, 6, 7)));
    CHECK_FALSE(same_bytes(one, train(2, 6, 8)));
}

TEST_CASE("an update made in parts between frames gives the same bytes, and setting the batch size restarts it") {
    const std::vector<float> whole = train(1, 3, 7);
    const TasksWithoutThreads none;
    CpuBackend backend(1);
    TrainOptions options;
    options.seed = 7;
    Trainer trainer(backend, homonyms().config, homonyms().masked_words(), options);
    int parts = 0;
    Background task("parts", [&](const std::stop_token& stop) {
        if (stop.stop_requested() || trainer.steps() == 3) return Turn::done;
        ++parts;
        const std::int64_t before = trainer.steps();
        if (trainer.step_async())
            CHECK(trainer.steps() == before + 1);
        else
            CHECK(trainer.steps() == before);
        if (parts == 5) trainer.set_batch(options.batch);
        return Turn::more;
    });
    while (take_turns(0.0005)) {
    }
    CHECK(parts > 6);
    CHECK(same_bytes(whole, trainer.parameters()));
}

TEST_CASE("batches depend only on seed and step; a fifth of the words is predicted, four fifths of those masked") {
    Batch a, b;
    task().draw(1, 12, 64, a);
    task().draw(1, 13, 64, b);
    CHECK(a.tokens != b.tokens);
    task().draw(1, 12, 64, b);
    CHECK(a.tokens == b.tokens);
    double words = 0, predicted = 0, masked = 0;
    for (int step = 1; step <= 50; ++step) {
        task().draw(1, step, 64, a);
        for (std::size_t i = 0; i < a.tokens.size(); ++i) {
            words += static_cast<double>(a.key_mask[i]);
            predicted += static_cast<double>(a.loss_weights[i]);
            masked += a.tokens[i] == static_cast<float>(WordTokenizer::mask);
            if (a.key_mask[i] == 0.0f) CHECK(a.loss_weights[i] == 0.0f);
            if (a.loss_weights[i] == 0.0f && a.key_mask[i] == 1.0f) CHECK(a.tokens[i] == a.targets[i]);
        }
    }
    CHECK(predicted / words == doctest::Approx(0.2).epsilon(0.05));
    CHECK(masked / predicted == doctest::Approx(0.8).epsilon(0.05));
}

TEST_CASE("training on the homonyms teaches the senses to the blocks, not to the embedding") {
    CpuBackend backend;
    TrainOptions options;
    options.schedule.total = 600;
    Trainer trainer(backend, homonyms().config, homonyms().masked_words(), options);
    SenseProbe probe(backend, homonyms());
    const float loss_before = trainer.step().loss;
    float loss = 0.0f;
    for (int i = 0; i < 599; ++i) loss = trainer.step().loss;
    const SenseProbeResult result = probe.measure(trainer.parameters());
    CHECK(probe.tested() >= 300);
    CHECK(loss < 0.3f * loss_before);
    CHECK(result.accuracy[0] < 0.65f);  // the embedding has one vector per word, and the position gives little away
    CHECK(result.accuracy.back() > 0.88f);
}

TEST_CASE("a huge learning rate stops training, with an error and the parameters as they were") {
    CpuBackend backend;
    TrainOptions options;
    options.schedule.peak = 1e9f;
    options.schedule.warmup = 0;
    options.clip = 1e30f;
    Trainer trainer(backend, homonyms().config, homonyms().masked_words(), options);
    std::vector<float> before;
    std::string message;
    for (int i = 0; i < 50 && message.empty(); ++i) {
        before.assign(trainer.parameters().begin(), trainer.parameters().end());
        message = error_of([&] { trainer.step(); });
    }
    CHECK(contains(message, "is NaN or infinite at step"));
    CHECK(contains(message, "with a lower learning rate"));
    CHECK(same_bytes(before, trainer.parameters()));
}

TEST_CASE("reset starts the same run again; another batch size keeps the parameters") {
    CpuBackend backend;
    Trainer trainer(backend, homonyms().config, homonyms().masked_words(), {});
    const std::vector<float> fresh(trainer.parameters().begin(), trainer.parameters().end());
    trainer.step();
    const std::vector<float> first(trainer.parameters().begin(), trainer.parameters().end());
    trainer.reset(1);
    CHECK(trainer.steps() == 0);
    CHECK(same_bytes(fresh, trainer.parameters()));
    trainer.step();
    CHECK(same_bytes(first, trainer.parameters()));
    trainer.set_batch(8);
    CHECK(same_bytes(first, trainer.parameters()));
    CHECK(trainer.step().step == 2);
}

TEST_CASE("the timeline keeps early steps densely, later ones evenly, and never exceeds its limit") {
    Timeline timeline(TimelineLimits{.most = 24});
    const auto parameters = std::make_shared<ParameterValues>(3, 1.0f);
    for (std::int64_t step = 0; step <= 100000; ++step)
        if (timeline.wants(step)) timeline.keep({step, parameters});
    CHECK(timeline.keyframes().size() <= 24);
    CHECK(timeline.keyframes().size() >= 12);
    CHECK(timeline.nearest(0).step == 0);
    CHECK(timeline.nearest(3).step == 2);
    CHECK(timeline.nearest(33).step == 32);
    CHECK(timeline.nearest(1'000'000).step == timeline.keyframes().back().step);
    std::int64_t last = -1;
    for (const auto& k : timeline.keyframes()) {
        CHECK(k.step > last);
        last = k.step;
    }
    CHECK_THROWS_AS(timeline.keep({5, parameters}), Error);
}
