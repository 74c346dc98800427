#include "core/analysis/logit_lens.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// The final norm and the unembedding of one position of a stream, in double, from the parameters by name.
std::vector<double> read_stream(const Trace& trace, std::span<const float> stream) {
    const TransformerConfig& c = trace.model().config;
    const Graph& g = trace.graph();
    std::vector<double> x(stream.begin(), stream.end());
    const auto d = static_cast<double>(x.size());
    if (const auto gamma = g.find("ln_final.w")) {
        double mean = 0.0, square = 0.0;
        if (c.norm == NormKind::layer_norm)
            for (const double v : x) mean += v / d;
        for (const double v : x) square += (v - mean) * (v - mean) / d;
        const double scale = std::sqrt(square + static_cast<double>(c.norm_epsilon));
        const std::span<const float> w = trace.values(*gamma);
        for (std::size_t j = 0; j < x.size(); ++j) {
            x[j] = (x[j] - mean) / scale * static_cast<double>(w[j % w.size()]);
            if (const auto beta = g.find("ln_final.b")) {
                const std::span<const float> b = trace.values(*beta);
                x[j] += static_cast<double>(b[j % b.size()]);
            }
        }
    }
    const std::size_t words = c.d_vocab;
    const std::span<const float> u = trace.values(c.tied ? "embed.W_E" : "unembed.W_U");
    std::vector<double> logits(words);
    for (std::size_t w = 0; w < words; ++w) {
        if (const auto bias = g.find("unembed.b_U")) logits[w] = static_cast<double>(trace.values(*bias)[w]);
        for (std::size_t j = 0; j < x.size(); ++j)
            logits[w] += x[j] * static_cast<double>(c.tied ? u[w * x.size() + j] : u[j * words + w]);
    }
    return logits;
}

}  // namespace

TEST_CASE("the logit lens reads every stream through the final norm and the unembedding") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace(sentence_a);
        const LogitLens lens(trace, model->backend.pool());
        REQUIRE(lens.layers() == 3);
        for (int layer = 0; layer < 3; ++layer) {
            const LensLayer found = lens.layer(layer);
            CHECK(found.positions == 5);
            CHECK(found.d_vocab == 19);
            REQUIRE(found.logits.size() == 5 * 19);
            REQUIRE(found.probabilities.size() == 5 * 19);
            for (std::size_t p = 0; p < 5; ++p) {
                const std::vector<double> expected =
                    read_stream(*trace, trace->values(stream_name(layer)).subspan(p * 12, 12));
                double sum = 0.0;
                for (const double logit : expected) sum += std::exp(logit);
                for (std::size_t w = 0; w < 19; ++w) {
                    INFO("layer ", layer, ", position ", p, ", word ", w);
                    CHECK(std::abs(static_cast<double>(found.logits[p * 19 + w]) - expected[w]) <= 1e-4);
                    CHECK(found.probabilities[p * 19 + w] ==
                          doctest::Approx(std::exp(expected[w]) / sum).epsilon(1e-4));
                }
            }
        }
        CHECK(same_bytes(lens.layer(2).logits, trace->values("logits")));
        CHECK(same_bytes(lens.layer(2).probabilities, trace->values("probabilities")));
        CHECK_FALSE(same_bytes(lens.layer(1).logits, trace->values("logits")));
        const LensLayer all = lens.layer(1), some = lens.rows(1, {2, 2});
        CHECK(some.positions == 2);
        CHECK(same_bytes(some.logits, std::span(all.logits).subspan(2 * 19, 2 * 19)));
        CHECK(same_bytes(some.probabilities, std::span(all.probabilities).subspan(2 * 19, 2 * 19)));
        CHECK_THROWS_AS(lens.rows(1, {4, 2}), Error);
        CHECK_THROWS_AS(lens.layer(-1), Error);
        CHECK_THROWS_AS(lens.layer(3), Error);
    }
}

TEST_CASE("the logit lens reads the streams of any model that predicts words, and of no other") {
    using Config = TransformerConfig;
    const auto last_is_traced = [](const std::string& name, const auto& change) {
        INFO(name);
        const auto model = small_model(name, change);
        const auto trace = model->trace(sentence_a);
        const LogitLens lens(trace, model->backend.pool());
        CHECK(same_bytes(lens.layer(2).logits, trace->values("logits")));
        CHECK_FALSE(same_bytes(lens.layer(0).logits, trace->values("logits")));
    };
    last_is_traced("post-LN", [](Config& c) { c.norm_placement = NormPlacement::post; });
    last_is_traced("stream first", [](Config& c) { c.norm_placement = NormPlacement::stream_first; });
    last_is_traced("batch norm", [](Config& c) { c.norm = NormKind::batch_norm; });
    last_is_traced("no residual", [](Config& c) { c.residual = false; });
    last_is_traced("gru", [](Config& c) { c.family = Family::gru, c.activation = Activation::none; });
    const auto classes = small_model("classes", [](Config& c) { c.output = OutputKind::classes, c.d_output = 3; });
    CHECK_THROWS_AS(LogitLens(classes->trace(sentence_a), classes->backend.pool()), Error);
}

TEST_CASE("the logit lens gives the same bytes on any number of threads") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);
    const std::vector<float> one = LogitLens(trace, model.backend.pool()).layer(1).logits;
    for (const int threads : {2, 3}) {
        ThreadPool pool(threads);
        CHECK(same_bytes(LogitLens(trace, pool).layer(1).logits, one));
    }
}

TEST_CASE("the lens at an earlier layer equals the model with the later blocks' outputs set to 0") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);
    const TransformerGraph& graph = trace->model();
    const auto zero = [&](const char* node) {
        const int id = graph.graph->at(node);
        const std::int64_t cells = (*graph.graph)[id].shape.elements();
        return Intervention{id, {{0, cells}}, std::vector<float>(static_cast<std::size_t>(cells))};
    };
    const auto without = model.trace(sentence_a, {zero("blocks.1.hook_attn_out"), zero("blocks.1.hook_mlp_out")});
    CHECK(same_bytes(LogitLens(trace, model.backend.pool()).layer(1).logits, without->values("logits")));
}

TEST_CASE("the top words of a lens are in order, and ties in the order of their ids") {
    LensLayer layer{2, 4, {0, 0, 0, 0, 1, 3, 3, 2}, {0, 0, 0, 0, 0.1f, 0.4f, 0.4f, 0.1f}};
    const std::vector<LensWord> top = top_words(layer, 1, 3);
    REQUIRE(top.size() == 3);
    CHECK(top[0].id == 1);
    CHECK(top[1].id == 2);
    CHECK(top[2].id == 3);
    CHECK(top[0].logit == 3.0f);
    CHECK(top[0].probability == 0.4f);
    CHECK(top_words(layer, 0, 99).size() == 4);
    CHECK(top_words(layer, 0, 0).empty());
    CHECK_THROWS_AS(top_words(layer, 2, 1), Error);
}
