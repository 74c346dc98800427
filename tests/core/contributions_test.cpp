#include "core/analysis/contributions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/interventions.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

using Kind = Contribution::Kind;

void check_sum(const Contributions& found) {
    double size = 0.0, sum = 0.0;
    for (const Contribution& term : found.terms) {
        size += std::abs(term.value);
        sum += term.value;
    }
    CHECK(found.sum == doctest::Approx(sum));
    CHECK(std::abs(found.sum - found.traced) <= 1e-4 * std::max(std::abs(found.traced), 0.1 * size));
}

const Contribution& term(const Contributions& found, Kind kind, int block = -1, int head = -1) {
    for (const Contribution& t : found.terms)
        if (t.kind == kind && t.block == block && t.head == head) return t;
    throw Error("no such term");
}

}  // namespace

TEST_CASE("contributions add up to the traced logit, or to the difference of two logits") {
    for (const auto& model : small_models()) {
        const auto trace = model->trace(sentence_a);
        for (int position = 0; position < 5; ++position)
            for (int word = 0; word < 19; ++word) {
                INFO(model->name, ", position ", position, ", word ", word);
                const Contributions one = logit_contributions(*trace, position, word);
                CHECK(one.traced == static_cast<double>(trace->values("logits")[position * 19 + word]));
                check_sum(one);
                const Contributions less = logit_contributions(*trace, position, word, 5);
                check_sum(less);
                const Contributions other = logit_contributions(*trace, position, 5);
                REQUIRE(less.terms.size() == one.terms.size());
                for (std::size_t i = 0; i < one.terms.size(); ++i)
                    CHECK(less.terms[i].value ==
                          doctest::Approx(one.terms[i].value - other.terms[i].value).epsilon(1e-9));
            }
    }
}

TEST_CASE("contributions above the mean add up to the logit minus the mean logit, and average the differences") {
    for (const auto& model : small_models()) {
        const auto trace = model->trace(sentence_a);
        const std::span<const float> logits = trace->values("logits");
        for (int position = 0; position < 5; ++position) {
            INFO(model->name, ", position ", position);
            const Contributions found = contributions_above_mean(*trace, position, 7);
            check_sum(found);
            std::vector<double> expected(found.terms.size(), 0.0);
            double traced = 0.0;
            for (int other = 0; other < 19; ++other) {
                const Contributions less = logit_contributions(*trace, position, 7, other);
                for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += less.terms[i].value / 19;
                traced += static_cast<double>(logits[position * 19 + other]) / 19;
            }
            CHECK(found.traced == doctest::Approx(static_cast<double>(logits[position * 19 + 7]) - traced));
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(found.terms[i].value == doctest::Approx(expected[i]).epsilon(1e-6));
        }
    }
    SmallModel model("encoder", small_config());
    CHECK_THROWS_AS(contributions_above_mean(*model.trace(sentence_a), 0, 19), Error);
}

TEST_CASE("contributions list every part once") {
    SmallModel model("encoder", small_config());
    const Contributions found = logit_contributions(*model.trace(sentence_a), 2, 7);
    std::vector<std::string> names;
    for (const Contribution& t : found.terms)
        names.push_back(t.node + (t.head >= 0 ? " " + std::to_string(t.head) : ""));
    std::vector<std::string> expected{"hook_embed", "hook_pos_embed"};
    for (const std::string block : {"blocks.0.", "blocks.1."}) {
        for (const char* head : {"0", "1", "2"}) expected.push_back(block + "attn.hook_result " + head);
        expected.push_back(block + "attn.b_O");
        expected.push_back(block + "hook_mlp_out");
    }
    expected.push_back("ln_final.b");
    CHECK(names == expected);
    CHECK(term(found, Kind::head, 1, 2).node == "blocks.1.attn.hook_result");
}

TEST_CASE("a part's contribution is its output along the word's direction, computed by hand") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);
    const Contributions found = logit_contributions(*trace, 3, 6);
    const std::span<const float> mlp = trace->values("blocks.0.hook_mlp_out").subspan(36, 12),
                                 u = trace->values("embed.W_E").subspan(6 * 12, 12),
                                 gamma = trace->values("ln_final.w"), beta = trace->values("ln_final.b");
    const double scale = static_cast<double>(trace->values("ln_final.hook_scale")[3]);
    double mean = 0.0, expected = 0.0, bias = 0.0;
    for (std::size_t j = 0; j < 12; ++j) mean += static_cast<double>(mlp[j]) / 12.0;
    for (std::size_t j = 0; j < 12; ++j) {
        expected +=
            (static_cast<double>(mlp[j]) - mean) / scale * static_cast<double>(gamma[j]) * static_cast<double>(u[j]);
        bias += static_cast<double>(beta[j]) * static_cast<double>(u[j]);
    }
    CHECK(term(found, Kind::mlp, 0).value == doctest::Approx(expected));
    CHECK(term(found, Kind::final_norm_bias).value == doctest::Approx(bias));
}

TEST_CASE("an ablated part contributes nothing, and the others still add up") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto plain = model->trace(sentence_a);
        const auto trace = model->trace(sentence_a, {ablate_head(plain->model(), 0, 1)});
        const Contributions found = logit_contributions(*trace, 1, 4);
        check_sum(found);
        CHECK(term(found, Kind::head, 0, 1).value == 0.0);
        CHECK(term(found, Kind::head, 0, 2).value != 0.0);
        // An overwritten output is no longer the sum of its heads.
        const auto set = model->trace(sentence_a, {ablate_attention(plain->model(), 1)});
        const Contributions whole = logit_contributions(*set, 1, 4);
        check_sum(whole);
        CHECK(term(whole, Kind::attention, 1).value == 0.0);
        CHECK_THROWS_AS(term(whole, Kind::head, 1, 0), Error);
    }
}

TEST_CASE("contributions are refused if an intervention breaks the sum, and for invalid positions and words") {
    SmallModel model("encoder", small_config());
    const auto plain = model.trace(sentence_a);
    for (const char* node : {"blocks.0.hook_resid_mid", "ln_final.hook_scale", "ln_final.hook_out", "logits"}) {
        INFO(node);
        const auto trace = model.trace(sentence_a, {set_cells(plain->model(), {node, 0}, std::vector<float>{1.0f})});
        CHECK_THROWS_AS(logit_contributions(*trace, 1, 4), Error);
    }
    CHECK_THROWS_AS(logit_contributions(*plain, 5, 4), Error);
    CHECK_THROWS_AS(logit_contributions(*plain, -1, 4), Error);
    CHECK_THROWS_AS(logit_contributions(*plain, 0, 19), Error);
    CHECK_THROWS_AS(logit_contributions(*plain, 0, -1), Error);
    CHECK_THROWS_AS(logit_contributions(*plain, 0, 4, 19), Error);
    CHECK_THROWS_AS(logit_contributions(*plain, 0, 4, -2), Error);
}

TEST_CASE("contributions are refused for models whose stream is not a plain sum") {
    using Config = TransformerConfig;
    const auto refuses = [](const std::string& name, const auto& change) {
        INFO(name);
        const auto model = small_model(name, change);
        const auto trace = model->trace(sentence_a);
        CHECK_THROWS_AS(logit_contributions(*trace, 0, 1), Error);
    };
    refuses("post-LN", [](Config& c) { c.norm_placement = NormPlacement::post; });
    refuses("stream first", [](Config& c) { c.norm_placement = NormPlacement::stream_first; });
    refuses("batch norm", [](Config& c) { c.norm = NormKind::batch_norm; });
    refuses("no residual", [](Config& c) { c.residual = false; });
    refuses("no residual, no norm", [](Config& c) { c.residual = false, c.norm_placement = NormPlacement::none; });
    refuses("gru, post-LN", [](Config& c) {
        c.family = Family::gru, c.activation = Activation::none, c.norm_placement = NormPlacement::post;
    });
    refuses("classes", [](Config& c) { c.output = OutputKind::classes, c.d_output = 3; });
}

TEST_CASE("the unembedding bias is a part of its own, and a BERT's head is refused with the reason") {
    const auto model = small_model("bias", [](TransformerConfig& c) { c.unembed_bias = true; });
    const auto trace = model->trace(sentence_a);
    const Contributions found = logit_contributions(*trace, 2, 7);
    check_sum(found);
    CHECK(std::ranges::count(found.terms, Kind::unembed_bias, &Contribution::kind) == 1);
    const auto head = small_model("head", [](TransformerConfig& c) { c.head_transform = c.unembed_bias = true; });
    CHECK(contains(error_of([&] { logit_contributions(*head->trace(sentence_a), 0, 1); }),
                   "another layer before the unembedding"));
}

TEST_CASE("attention without W_O is one part, not split into heads") {
    const auto model =
        small_model("no projections", [](TransformerConfig& c) { c.attention.projections = Projections::none; });
    const Contributions found = logit_contributions(*model->trace(sentence_a), 2, 7);
    check_sum(found);
    CHECK(term(found, Kind::attention, 0).node == "blocks.0.hook_attn_out");
}

TEST_CASE("a translator's cross-attention is split into heads, too") {
    TransformerConfig config = small_config();
    config.family = Family::encoder_decoder;
    CpuBackend backend(1);
    const Parameters parameters = fresh_parameters(config, 6);
    const auto trace = Tracer(backend, config).trace(TraceInput{sentence_a, {3, 1, 8}}, parameters);
    const Contributions found = logit_contributions(*trace, 4, 2, 9);
    check_sum(found);
    const auto crossed = std::ranges::count_if(
        found.terms, [](const Contribution& t) { return t.node == "blocks.1.cross_attn.hook_result"; });
    CHECK(crossed == 3);
}

TEST_CASE("a recurrent layer is a part of its own, and an RNN's parts add up to the logit") {
    for (const Family family : {Family::rnn, Family::gru})
        for (const NormPlacement place : {NormPlacement::pre, NormPlacement::none}) {
            INFO("family ", static_cast<int>(family), ", placement ", static_cast<int>(place));
            const auto model = small_model("recurrent", [&](TransformerConfig& c) {
                c.family = family, c.activation = Activation::none, c.norm_placement = place, c.dropout = 0.2f;
            });
            const auto trace = model->trace(sentence_a);
            const std::span<const float> embed = trace->values("hook_embed"), at = trace->values("hook_pos_embed"),
                                         first = trace->values("blocks.0.hook_rnn_out"),
                                         second = trace->values("blocks.1.hook_rnn_out"),
                                         last = trace->values("blocks.1.hook_resid_post");
            for (std::size_t i = 0; i < last.size(); ++i)
                CHECK(static_cast<double>(last[i]) ==
                      doctest::Approx(static_cast<double>(embed[i] + at[i % at.size()] + first[i] + second[i]))
                          .epsilon(1e-5)
                          .scale(1));
            for (int position = 0; position < 5; ++position)
                for (int word = 0; word < 19; ++word) {
                    check_sum(logit_contributions(*trace, position, word));
                    check_sum(logit_contributions(*trace, position, word, 5));
                    check_sum(contributions_above_mean(*trace, position, word));
                }
            const Contributions found = logit_contributions(*trace, 3, 6);
            std::vector<std::string> names;
            for (const Contribution& t : found.terms) names.push_back(t.node);
            std::vector<std::string> expected{"hook_embed", "hook_pos_embed", "blocks.0.hook_rnn_out",
                                              "blocks.1.hook_rnn_out"};
            if (place == NormPlacement::pre) expected.push_back("ln_final.b");
            CHECK(names == expected);
            CHECK(std::abs(term(found, Kind::recurrent, 1).value) > 1e-3);
            if (place == NormPlacement::pre) continue;
            double along = 0.0;  // no norm between the stream and the logits
            for (std::size_t j = 0; j < 12; ++j)
                along += static_cast<double>(second[3 * 12 + j] * trace->values("embed.W_E")[6 * 12 + j]);
            CHECK(term(found, Kind::recurrent, 1).value == doctest::Approx(along).epsilon(1e-5));
        }
}
