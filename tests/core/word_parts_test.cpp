#include "core/analysis/word_parts.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/altered_backend.h"
#include "core/analysis/interventions.h"
#include "core/analysis/rollout.h"
#include "core/analysis/what_if_tracer.h"
#include "core/base/aligned.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

WordParts parts_of(SmallModel& model, const std::vector<int>& tokens, const Answer& answer,
                   const WordPartsOptions& options = {}) {
    WordPartsRun run(model.backend, model.config, model.parameters, {tokens}, answer, options);
    while (!run.complete()) {
        CHECK(run.done() < run.total());
        run.step();
    }
    CHECK(run.done() == run.total());
    return run.found();
}

double logit(const Trace& trace, int position, int word) {
    return static_cast<double>(
        trace.part(trace.model().logits, {position, 1}).values()[static_cast<std::size_t>(word)]);
}

/// Returns f for these embeddings (scaled, or with one cell moved), written into a run by an intervention.
double logit_with(SmallModel& model, const std::vector<int>& tokens, std::vector<float> embedding, int position,
                  int word, std::vector<Intervention> more = {}) {
    const TransformerGraph graph = model.tracer.model({tokens});
    more.push_back(set_cells(graph, {"hook_embed"}, embedding));
    return logit(*model.trace(tokens, more), position, word);
}

std::vector<float> embedding_of(SmallModel& model, const std::vector<int>& tokens) {
    const std::span<const float> e = model.trace(tokens)->values("hook_embed");
    return {e.begin(), e.end()};
}

/// Σ_j e_j ∂f/∂e_j of a word: the derivative of f at h = 0 if the word's embedding is multiplied by 1 + h.
double slope(SmallModel& model, const std::vector<int>& tokens, int word_at, int position, int word,
             const std::vector<Intervention>& more = {}) {
    constexpr double h = 0.01;
    const std::size_t d = static_cast<std::size_t>(model.config.d_model);
    const auto at = [&](double by) {
        std::vector<float> e = embedding_of(model, tokens);
        for (std::size_t j = 0; j < d; ++j)
            e[static_cast<std::size_t>(word_at) * d + j] *= static_cast<float>(1.0 + by);
        return logit_with(model, tokens, e, position, word, more);
    };
    return (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
}

}  // namespace

TEST_CASE("word parts: removing or hiding a word changes the answer by its part, in any model") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const WordParts found = parts_of(*model, sentence_a, {.position = 3, .word = 7, .minus = 5}, {.mask = 1});
        const auto whole = model->trace(sentence_a);
        CHECK(found.answer == doctest::Approx(logit(*whole, 3, 7) - logit(*whole, 3, 5)).epsilon(1e-5));
        for (int i = 0; i < 5; ++i) {
            std::vector<int> rest = sentence_a, masked = sentence_a;
            rest.erase(rest.begin() + i);
            masked[static_cast<std::size_t>(i)] = 1;
            const auto hidden = model->trace(masked);
            CHECK(found.hidden[static_cast<std::size_t>(i)] ==
                  doctest::Approx(found.answer - logit(*hidden, 3, 7) + logit(*hidden, 3, 5)).epsilon(1e-4));
            if (i == 3) {
                CHECK(std::isnan(found.removed[3]));
                continue;
            }
            const auto without = model->trace(rest);
            const int at = i < 3 ? 2 : 3;
            CHECK(found.removed[static_cast<std::size_t>(i)] ==
                  doctest::Approx(found.answer - logit(*without, at, 7) + logit(*without, at, 5)).epsilon(1e-4));
        }
    }
}

TEST_CASE("word parts: the words of a pair keep the token types that they were given") {
    const auto model = small_model("BERT", [](TransformerConfig& c) { c.d_token_types = 2; });
    const TraceInput input{.tokens = sentence_a, .token_types = {0, 0, 1, 1, 1}};
    WordPartsRun run(model->backend, model->config, model->parameters, input, {.position = 3, .word = 7});
    while (!run.complete()) run.step();
    const auto typed = model->tracer.trace(input, model->parameters), untyped = model->trace(sentence_a);
    CHECK(run.found().answer == doctest::Approx(logit(*typed, 3, 7)).epsilon(1e-5));
    CHECK(std::abs(run.found().answer - logit(*untyped, 3, 7)) > 1e-3);
}

TEST_CASE("word parts: gradient times input is the slope of the answer as a word's embedding grows") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const WordParts found = parts_of(*model, sentence_a, {.position = 3, .word = 7});
        for (int i = 0; i < 5; ++i)
            CHECK(found.gradient[static_cast<std::size_t>(i)] ==
                  doctest::Approx(slope(*model, sentence_a, i, 3, 7)).epsilon(2e-3).scale(1.0));
        CHECK(found.hidden.empty());  // no mask token was named
    }
}

TEST_CASE("word parts: integrated gradients add up to the change of the answer from the baseline") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const WordParts found = parts_of(*model, sentence_a, {.position = 4, .word = 9, .less_mean = true});
        CHECK(found.sum == doctest::Approx(std::accumulate(found.integrated.begin(), found.integrated.end(), 0.0)));
        CHECK(std::abs(found.rest()) <= 1e-3 * std::max(0.01, std::abs(found.answer - found.baseline)));
        CHECK(found.steps % 3 == 0);
        const auto nothing = [&](int word) {
            return logit_with(*model, sentence_a, std::vector<float>(5 * 12), 4, word);
        };
        double mean = 0.0;
        for (int w = 0; w < 19; ++w) mean += nothing(w) / 19.0;
        CHECK(found.baseline == doctest::Approx(nothing(9) - mean).epsilon(1e-4).scale(1.0));
        // In a decoder, later words have no part.
        if (model->config.causal()) {
            const WordParts early = parts_of(*model, sentence_a, {.position = 1, .word = 9});
            for (std::size_t i = 2; i < 5; ++i) {
                CHECK(early.integrated[i] == 0.0);
                CHECK(early.gradient[i] == 0.0);
                CHECK(std::abs(early.removed[i]) < 1e-5);
            }
        }
    }
    // Too few steps are not compensated: rest() shows the gap.
    SmallModel model("encoder", small_config());
    const WordParts few = parts_of(model, sentence_a, {.position = 2, .word = 3}, {.tolerance = 0.0, .most_steps = 9});
    CHECK(few.steps == 9);
    CHECK(few.rest() == doctest::Approx(few.answer - few.baseline - few.sum));
}

TEST_CASE("word parts: the answer about a sense is the difference of the cosines to two centroids") {
    for (const bool positions : {true, false}) {
        auto model = small_model("encoder", [&](TransformerConfig& c) {
            if (!positions) c.positions = Positions::none;
        });
        Answer answer{.position = 2, .layer = 1};
        for (int j = 0; j < 12; ++j)
            answer.sense.push_back(static_cast<float>(j % 3) - 0.8f),
                answer.other.push_back(0.1f * static_cast<float>(j));
        const WordParts found = parts_of(*model, sentence_a, answer);
        const auto sense = [&](const std::vector<int>& tokens, int at) {
            const auto trace = model->trace(tokens);
            const std::span<const float> x =
                trace->values("blocks.1.hook_resid_pre").subspan(static_cast<std::size_t>(at) * 12, 12);
            const auto cosine = [&](const std::vector<float>& c) {
                double xc = 0.0, xx = 0.0, cc = 0.0;
                for (std::size_t j = 0; j < 12; ++j) {
                    const auto a = static_cast<double>(x[j]), b = static_cast<double>(c[j]);
                    xc += a * b, xx += a * a, cc += b * b;
                }
                return xc / std::sqrt(xx * cc);
            };
            return cosine(answer.sense) - cosine(answer.other);
        };
        CHECK(found.answer == doctest::Approx(sense(sentence_a, 2)).epsilon(1e-5).scale(1.0));
        CHECK(found.removed[0] == doctest::Approx(found.answer - sense({7, 2, 11, 7}, 1)).epsilon(1e-5).scale(1.0));
        CHECK(found.removed[4] == doctest::Approx(found.answer - sense({4, 7, 2, 11}, 2)).epsilon(1e-5).scale(1.0));
        CHECK(std::abs(found.rest()) <= 1e-3 * std::max(0.01, std::abs(found.answer - found.baseline)));
    }
}

TEST_CASE("word parts: an altered model has its own parts, and no gradient flows through overwritten cells") {
    SmallModel model("encoder", small_config());
    const std::vector<WhatIf> changes{what_if::HeadOff{0, 1}, what_if::MlpOff{1}};
    AlteredBackend altered(model.backend, model.config, changes);
    WordPartsRun run(altered, altered.config(), altered.parameters(model.parameters), {sentence_a},
                     {.position = 3, .word = 7});
    while (!run.complete()) run.step();
    WhatIfTracer tracer(model.backend, model.config);
    const auto whole = tracer.trace({{sentence_a}, 0, {}}, model.parameters, changes);
    CHECK(run.found().answer == doctest::Approx(logit(*whole, 3, 7)).epsilon(1e-5));
    const auto without = tracer.trace({{{4, 7, 2, 11}}, 0, {}}, model.parameters, changes);
    CHECK(run.found().removed[4] == doctest::Approx(logit(*whole, 3, 7) - logit(*without, 3, 7)).epsilon(1e-4));
    const TransformerGraph graph = model.tracer.model({sentence_a});
    const std::vector<Intervention> set{*cells_of(graph, changes[0]), *cells_of(graph, changes[1])};
    for (int i = 0; i < 5; ++i)
        CHECK(run.found().gradient[static_cast<std::size_t>(i)] ==
              doctest::Approx(slope(model, sentence_a, i, 3, 7, set)).epsilon(2e-3).scale(1.0));
    CHECK(std::abs(run.found().rest()) < 1e-3 * std::abs(run.found().answer - run.found().baseline) + 1e-5);
}

TEST_CASE("word parts: a single word has no part by removal, and answers without parts are refused") {
    SmallModel model("encoder", small_config());
    const WordParts one = parts_of(model, {4}, {.position = 0, .word = 7}, {.mask = 4});
    CHECK(std::isnan(one.removed[0]));
    CHECK(std::isnan(one.hidden[0]));  // it is the mask
    CHECK(std::isfinite(one.gradient[0]));
    CHECK(std::abs(one.rest()) <= 1e-3 * std::max(0.01, std::abs(one.answer - one.baseline)));
    const auto make = [&](const std::vector<int>& tokens, const Answer& answer) {
        return error_of([&] { WordPartsRun(model.backend, model.config, model.parameters, {tokens}, answer); });
    };
    CHECK(make({4}, {.position = 1}) == "there is no position 1 in this sentence");
    CHECK(make({4}, {.word = 19}) == "there is no word 19; ids go from 0 to 18");
    CHECK(make({}, {}) == "the sentence is empty; type at least one word");
    CHECK(make({4, 7}, {.loss = AnswerLoss::of_next_words}) ==
          "this model does not predict the next word, so a sentence has no loss");
    CHECK(make({4}, {.word = 19, .loss = AnswerLoss::of_word}) == "there is no word 19; ids go from 0 to 18");
    auto decoder = small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder; });
    CHECK(contains(error_of([&] {
                       WordPartsRun(decoder->backend, decoder->config, decoder->parameters, {{4}},
                                    {.loss = AnswerLoss::of_next_words});
                   }),
                   "a sentence of one token"));
    const WordParts two = parts_of(*decoder, {4, 7}, {.loss = AnswerLoss::of_next_words});
    CHECK(std::isnan(two.removed[0]));  // no word is left to predict
    CHECK(std::isnan(two.removed[1]));
    CHECK(make({4}, {.layer = 1, .sense = {1.0f}, .other = {1.0f}}) == "the senses are not of this model");
    TransformerConfig numbers = small_config();
    numbers.input = InputKind::values;
    CHECK_FALSE(WordPartsRun::refusal(numbers).empty());
    CHECK(WordPartsRun::refusal(small_config()).empty());
}

TEST_CASE("rollout: every row sums to 1, and each block passes on half of what it read") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace(sentence_a);
        const std::vector<double> rollout = attention_rollout(*trace);
        std::vector<double> expected(25);
        for (std::size_t i = 0; i < 5; ++i) expected[i * 6] = 1.0;
        for (int block = 0; block < 2; ++block) {
            const std::span<const float> pattern =
                trace->values("blocks." + std::to_string(block) + ".attn.hook_pattern");
            std::vector<double> next(25);
            for (std::size_t i = 0; i < 5; ++i)
                for (std::size_t k = 0; k < 5; ++k) {
                    next[i * 5 + k] += 0.5 * expected[i * 5 + k];
                    for (std::size_t j = 0; j < 5; ++j)
                        for (std::size_t h = 0; h < 3; ++h)
                            next[i * 5 + k] +=
                                0.5 * static_cast<double>(pattern[h * 25 + i * 5 + j]) / 3.0 * expected[j * 5 + k];
                }
            expected = next;
        }
        for (std::size_t row = 0; row < 5; ++row) {
            double sum = 0.0;
            for (std::size_t k = 0; k < 5; ++k) {
                sum += rollout[row * 5 + k];
                CHECK(rollout[row * 5 + k] == doctest::Approx(expected[row * 5 + k]).epsilon(1e-6).scale(1.0));
                if (model->config.causal() && k > row) CHECK(rollout[row * 5 + k] == 0.0);
            }
            CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
        }
    }
    auto recurrent =
        small_model("rnn", [](TransformerConfig& c) { c.family = Family::rnn, c.activation = Activation::none; });
    CHECK(error_of([&] { attention_rollout(*recurrent->trace(sentence_a)); }) ==
          "there is no attention rollout: a recurrent model has no attention");
    // Its words still have their parts.
    const WordParts found = parts_of(*recurrent, sentence_a, {.position = 4, .word = 7});
    for (int i = 0; i < 5; ++i)
        CHECK(found.gradient[static_cast<std::size_t>(i)] ==
              doctest::Approx(slope(*recurrent, sentence_a, i, 4, 7)).epsilon(2e-3).scale(1.0));
}

TEST_CASE("word parts: words count as agreed if all methods rank them high, with the same sign") {
    const double none = std::nan("");
    WordParts parts{.removed = {3.0, none, -1.0, 0.1},
                    .hidden = {},
                    .gradient = {2.0, 0.2, -3.0, 0.3},
                    .integrated = {1.0, 0.4, 0.5, 0.1},
                    .rollout = {0.5, 0.1, 0.3, 0.1}};
    CHECK(agreed_words(parts, 2) == std::vector<int>{0});  // word 2 is in both, but with different signs
    parts.integrated[2] = -0.5;
    CHECK(agreed_words(parts, 2) == std::vector<int>{0, 2});
    CHECK(agreed_words(parts, 1).empty());
    parts.gradient = parts.integrated = {none, none, none, none};
    parts.rollout = {};
    CHECK(agreed_words(parts, 2).empty());  // one method cannot agree
}

TEST_CASE("gradients of an answer: each node's gradient is the slope of the answer as one of its cells changes") {
    for (const auto& model : small_models()) {
        WordPartsRun run(model->backend, model->config, model->parameters, {sentence_a}, {.position = 3, .word = 7},
                         {.gradients = true});
        run.step();
        REQUIRE(run.gradients());
        const auto trace = model->trace(sentence_a);
        const Graph& graph = trace->graph();
        for (const char* name :
             {"hook_embed", "blocks.0.hook_resid_pre", "blocks.0.attn.hook_q", "blocks.1.attn.hook_k",
              "blocks.1.attn.hook_pattern", "blocks.0.attn.hook_z", "blocks.1.hook_resid_post"}) {
            INFO(model->name, ", ", name);
            const int node = graph.at(name);
            const std::span<const float> gradient = run.gradients()->of(graph, node);
            REQUIRE(gradient.size() == static_cast<std::size_t>(graph[node].shape.elements()));
            const std::vector<float> values(trace->values(node).begin(), trace->values(node).end());
            for (std::size_t cell = 7; cell < values.size(); cell += values.size() / 3) {
                const auto at = [&](double by) {
                    std::vector<float> moved = values;
                    moved[cell] += static_cast<float>(by);
                    return logit(*model->trace(sentence_a, {set_cells(trace->model(), {name}, moved)}), 3, 7);
                };
                constexpr double h = 0.02;
                const double slope = (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
                CHECK(static_cast<double>(gradient[cell]) == doctest::Approx(slope).epsilon(4e-3).scale(1.0));
            }
        }
        CHECK(run.gradients()->of(graph, graph.at("probabilities")).empty());
    }
}

TEST_CASE("gradients of nodes: those of the embeddings add up to the gradients of the rows of W_E") {
    auto model = small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder, c.tied = false; });
    const TransformerGraph graph = build_transformer(model->config, {1, 5});
    const int embed = graph.graph->at("hook_embed"), last = graph.graph->at("blocks.1.hook_resid_post");
    const auto whole = model->backend.prepare(graph.graph, {{}, graph.loss});
    const auto nodes =
        model->backend.prepare(graph.graph, {.keep = {}, .loss = graph.loss, .gradients = {embed, last}});
    AlignedFloats gradients(model->parameters->size());
    for (Execution* run : {whole.get(), nodes.get()}) {
        run->set_input(graph.tokens, std::vector<float>(sentence_a.begin(), sentence_a.end()));
        run->set_input(graph.targets, std::vector<float>(sentence_b.begin(), sentence_b.end()));
        for (const int id : {graph.key_mask, graph.loss_weights}) run->set_input(id, std::vector<float>(5, 1.0f));
        run->forward(*model->parameters);
        run->backward(run == whole.get() ? std::span<float>(gradients) : std::span<float>());
    }
    const std::span<const float> by_node = nodes->gradient(embed);
    REQUIRE(by_node.size() == 60);
    const std::span<const float> rows =
        std::span<const float>(gradients).subspan((*graph.graph)[graph.graph->at("embed.W_E")].offset, 19 * 12);
    std::vector<float> sums(19 * 12);
    for (std::size_t p = 0; p < 5; ++p)
        for (std::size_t j = 0; j < 12; ++j)
            sums[static_cast<std::size_t>(sentence_a[p]) * 12 + j] += by_node[p * 12 + j];
    for (std::size_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == doctest::Approx(rows[i]).epsilon(1e-4).scale(0.01));
    CHECK(nodes->gradient(last).size() == 60);
}
