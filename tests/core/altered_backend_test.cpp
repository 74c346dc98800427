#include "core/analysis/altered_backend.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis/what_if_tracer.h"
#include "core/tasks/sense_probe.h"
#include "core/train/fixed_batch.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using namespace glassformer::what_if;

namespace {

/// Sentences of two lengths, so that they run in batches of different shapes.
const std::vector<std::vector<int>> sentences = {sentence_a, sentence_b, {3, 9, 4}, {7, 7, 1}, {11, 2, 18}};

/// Returns the largest difference between the streams that a measurement sees and those that the window shows.
double distance(SmallModel& model, const std::vector<WhatIf>& changes) {
    AlteredBackend backend(model.backend, model.config, changes);
    ContextualVectors measured(backend, backend.config(), sentences);
    measured.run(*backend.parameters(model.parameters));
    WhatIfTracer tracer(model.backend, model.config);
    double most = 0.0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto shown = tracer.trace({{sentences[i]}, 0, {}}, model.parameters, changes);
        for (int layer = 0; layer < measured.layers(); ++layer) {
            const std::size_t width = measured.d_model();
            const auto stream = shown->values(stream_name(layer));
            for (std::size_t p = 0; p < sentences[i].size(); ++p)
                for (std::size_t d = 0; d < width; ++d)
                    most = std::max(most, std::abs(static_cast<double>(stream[p * width + d]) -
                                                   static_cast<double>(measured.at(layer, i, static_cast<int>(p))[d])));
        }
    }
    return most;
}

}  // namespace

TEST_CASE("an altered backend computes what a trace with the same what-ifs shows") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        CHECK(distance(*model, {}) < 1e-4);
        CHECK(distance(*model, {HeadOff{1, 2}, AttentionOff{0}}) < 1e-4);
        CHECK(distance(*model, {UniformAttention{0, 1}}) < 1e-4);
        CHECK(distance(*model, {HardAttention{1, 2}, HardAttention{0, 0}, HardAttention{0, 1}, HeadOff{1, 0}}) < 1e-4);
        if (refusal(ResidualOff{}, model->config).empty())
            CHECK(distance(*model, {ResidualOff{}, HeadOff{0, 0}}) < 1e-4);
        if (refusal(NormOff{}, model->config).empty()) CHECK(distance(*model, {NormOff{}, HardAttention{1, 1}}) < 1e-4);
    }
}

TEST_CASE("a what-if on a head applies to every row of a batch, padded or not, and not to the plain backend") {
    SmallModel model("encoder", small_config());
    const BatchShape shape{2, 4};
    Batch batch;
    batch.tokens = {3, 9, 4, 0, 7, 1, 2, 5};
    batch.key_mask = {1, 1, 1, 0, 1, 1, 1, 1};
    batch.targets = batch.tokens;
    batch.loss_weights = std::vector<float>(8, 1.0f);
    const std::vector<WhatIf> uniform{UniformAttention{0, 1}};
    AlteredBackend backend(model.backend, model.config, uniform);
    const std::string name = "blocks.0.attn.hook_pattern";
    FixedBatch altered(backend, backend.config(), shape, batch, {name}),
        plain(model.backend, model.config, shape, batch, {name});
    altered.run(*backend.parameters(model.parameters));
    plain.run(*model.parameters);
    const auto now = altered.values(name), before = plain.values(name);
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t head = 0; head < 3; ++head)
            for (std::size_t query = 0; query < 4; ++query)
                for (std::size_t key = 0; key < 4; ++key) {
                    const std::size_t cell = ((row * 3 + head) * 4 + query) * 4 + key;
                    const float open = row == 0 ? (key < 3 ? 1.0f / 3 : 0.0f) : 0.25f;
                    CHECK(now[cell] == (head == 1 ? open : before[cell]));
                }
}

TEST_CASE("an altered backend drops what-ifs of a single sentence, and refuses what the model cannot do") {
    SmallModel model("encoder", small_config());
    const std::vector<WhatIf> all{AttentionRow{0, 0, 0, 0, {1, 0, 0}}, HeadOff{0, 0}, Patch{1, {"logits"}, {"logits"}}};
    CHECK(AlteredBackend(model.backend, model.config, all).changes() == std::vector<WhatIf>{HeadOff{0, 0}});
    const auto refused = [&](const WhatIf& wrong) {
        return error_of([&] { AlteredBackend(model.backend, model.config, std::vector{wrong}); });
    };
    CHECK(contains(refused(HeadOff{0, 3}), "no head 3"));
    CHECK(contains(refused(NormScaled{"blocks.9.ln1", 2, 1}), "no norm \"blocks.9.ln1\""));
}
