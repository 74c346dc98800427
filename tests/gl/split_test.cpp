#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "core/tasks/world_data.h"
#include "core/train/trainer.h"
#include "tests/gl/compare.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr int vocabulary = 1000;

/// Returns sentences with words from all over a large vocabulary.
std::shared_ptr<const BatchSource> scattered_words() {
    std::vector<std::vector<int>> corpus;
    for (int s = 0; s < 30; ++s) {
        corpus.emplace_back();
        for (int p = 0; p < 4 + s % 6; ++p) corpus.back().push_back(3 + (s * 397 + p * p * 131) % (vocabulary - 3));
    }
    return std::make_shared<MaskedWords>(corpus, 9);
}

}  // namespace

// Embedding (24,000 cells), unembedding, logits (72,000) and the parameter vector exceed what a shader may see.
TEST_CASE("OpenGL: tensors larger than a shader's block are processed in parts") {
    REQUIRE_GL();
    GlBackend gl({.largest_block = 16384});
    CpuBackend cpu(1);
    for (const bool tied : {true, false}) {
        CAPTURE(tied);
        const TransformerConfig config{
            .d_vocab = vocabulary, .n_ctx = 9, .d_model = 24, .n_heads = 2, .n_layers = 1, .d_mlp = 40, .tied = tied};
        TrainOptions options;
        options.batch = 8;
        options.schedule.warmup = 2;
        Trainer expected(cpu, config, scattered_words(), options), given(cpu, config, scattered_words(), options);
        given.use(std::make_unique<GlTrainingDevice>(gl));
        for (int i = 0; i < 10; ++i) {
            const StepReport a = expected.step(), b = given.step();
            REQUIRE(b.loss == doctest::Approx(a.loss).epsilon(1e-3));
            REQUIRE(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(1e-3));
        }
        CHECK(given.take_device_trouble() == "");
        CHECK(difference(expected.inside().gradients, given.inside().gradients, 0.1) == "");

        const TransformerGraph model = build_transformer(config, {8, 9});
        Batch batch;
        scattered_words()->draw(1, 1, 8, batch);
        const PlanRequest request{{model.probabilities}, -1};
        const std::unique_ptr<Execution> here = cpu.prepare(model.graph, request),
                                         there = gl.prepare(model.graph, request);
        std::vector<float> a(static_cast<std::size_t>(8 * 9 * vocabulary)), b(a.size());
        for (Execution* run : {here.get(), there.get()}) {
            set_inputs(*run, model, batch);
            run->forward(expected.parameters());
        }
        here->read(model.probabilities, a);
        there->read(model.probabilities, b);
        CHECK(difference(a, b) == "");
    }
}

TEST_CASE("OpenGL: a tensor that cannot be split is refused before anything runs") {
    REQUIRE_GL();
    GlBackend gl({.largest_block = 1024});
    CpuBackend cpu(1);
    const TransformerConfig config{
        .d_vocab = vocabulary, .n_ctx = 9, .d_model = 24, .n_heads = 2, .n_layers = 1, .d_mlp = 40};
    Trainer trainer(cpu, config, scattered_words(), {});
    CHECK_THROWS_AS(trainer.use(std::make_unique<GlTrainingDevice>(gl)), Error);
}
