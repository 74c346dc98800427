#include "core/analysis/head_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/tasks/tasks.h"
#include "core/trace/tracer.h"
#include "core/train/trainer.h"

using namespace glassformer;

namespace {

const std::filesystem::path models = GLASSFORMER_SOURCE_DIR "/assets/models";

const HeadScore& best(const std::vector<HeadScore>& scores, float HeadScore::*score) {
    return *std::ranges::max_element(scores, {}, score);
}

}  // namespace

TEST_CASE("head scores: the shipped induction model has a previous-word head below an induction head") {
    const Checkpoint model = load_checkpoint(models / "induction");
    CpuBackend backend(2);
    const auto probe = HeadScoreProbe::make(backend, model.config, 3);
    REQUIRE(probe);
    const std::vector<HeadScore> scores = probe->measure(*model.parameters);
    REQUIRE(std::ssize(scores) == model.config.n_layers * model.config.n_heads);
    CHECK(best(scores, &HeadScore::induction).block == 1);
    CHECK(best(scores, &HeadScore::induction).induction > 0.7f);
    CHECK(best(scores, &HeadScore::previous_word).block == 0);
    CHECK(best(scores, &HeadScore::previous_word).previous_word > 0.4f);
    for (const HeadScore& s : scores)
        for (const float value : {s.previous_word, s.induction, s.duplicate_token}) {
            CHECK(value >= 0.0f);
            CHECK(value <= 1.0f);
        }
    CHECK(probe->measure(*model.parameters) == scores);
}

TEST_CASE("head scores: a trace of a repeated sequence shows the induction head, with the scores computed by hand") {
    const Checkpoint model = load_checkpoint(models / "induction");
    CpuBackend backend(2);
    Tracer tracer(backend, model.config);
    const auto trace = tracer.trace(model.tokenizer->ids("ka mo fe da bi ko ka mo fe da bi ko"), model.parameters);
    const std::vector<HeadScore> scores = head_scores(*trace);
    REQUIRE(std::ssize(scores) == model.config.n_layers * model.config.n_heads);
    CHECK(best(scores, &HeadScore::induction).induction > 0.6f);
    // By hand: the mean weights on the key five words back, after the first copy, and six back, the copy itself.
    const HeadScore& copying = best(scores, &HeadScore::induction);
    const std::span<const float> pattern =
        trace->values("blocks." + std::to_string(copying.block) + ".attn.hook_pattern");
    double induction = 0.0, duplicate = 0.0;
    for (std::size_t query = 6; query < 12; ++query) {
        const std::size_t row = (static_cast<std::size_t>(copying.head) * 12 + query) * 12;
        induction += static_cast<double>(pattern[row + query - 5]) / 6.0;
        duplicate += static_cast<double>(pattern[row + query - 6]) / 6.0;
    }
    CHECK(static_cast<double>(copying.induction) == doctest::Approx(induction));
    CHECK(static_cast<double>(copying.duplicate_token) == doctest::Approx(duplicate));
}

TEST_CASE("head scores: an untrained model scores low; regression, translation and recurrent models have no probe") {
    CpuBackend backend(2);
    const auto task = make_task("induction", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    const Trainer trainer(backend, task->config, task->batches, task->options);
    const std::vector<HeadScore> scores = HeadScoreProbe::make(backend, task->config, 3)->measure(trainer.parameters());
    CHECK(best(scores, &HeadScore::induction).induction < 0.2f);
    CHECK(best(scores, &HeadScore::previous_word).previous_word < 0.3f);
    for (const char* world : {"regression", "translation"})
        CHECK_FALSE(
            HeadScoreProbe::make(backend, make_task(world, GLASSFORMER_SOURCE_DIR "/assets/worlds")->config, 3));
    TransformerConfig recurrent = task->config;
    recurrent.family = Family::gru;
    CHECK_FALSE(HeadScoreProbe::make(backend, recurrent, 3));
}

TEST_CASE("head scores: the telling-word score is the homonym's attention to its telling words, minus chance") {
    const auto task = make_task("homonyms", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    const std::vector<TellingSentence> telling = telling_sentences(*task);
    REQUIRE(telling.size() > 20);
    const Checkpoint model = load_checkpoint(models / "homonyms");
    CpuBackend backend(2);
    const std::vector<HeadScore> scores =
        HeadScoreProbe::make(backend, model.config, 3, telling)->measure(*model.parameters);
    // By hand, from each sentence traced alone, without padding.
    Tracer tracer(backend, model.config);
    std::vector<double> sums(scores.size());
    double even = 0;
    for (const TellingSentence& sentence : telling) {
        even += static_cast<double>(sentence.keys.size()) / static_cast<double>(sentence.tokens.size()) /
                static_cast<double>(telling.size());
        const auto trace = tracer.trace(sentence.tokens, model.parameters);
        const std::size_t length = sentence.tokens.size();
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const std::span<const float> pattern =
                trace->values("blocks." + std::to_string(scores[i].block) + ".attn.hook_pattern");
            const std::size_t head = static_cast<std::size_t>(scores[i].head);
            for (const int key : sentence.keys) {
                CHECK(key != sentence.asks);
                sums[i] +=
                    static_cast<double>(pattern[(head * length + static_cast<std::size_t>(sentence.asks)) * length +
                                                static_cast<std::size_t>(key)]);
            }
        }
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double beyond = (sums[i] / static_cast<double>(telling.size()) - even) / (1 - even);
        CHECK(std::abs(static_cast<double>(scores[i].telling_word) - std::max(0.0, beyond)) <= 1e-5);
    }
    CHECK(best(scores, &HeadScore::telling_word).telling_word > 0.3f);
    // An untrained model attends to nothing in particular.
    for (const HeadScore& s :
         HeadScoreProbe::make(backend, model.config, 3, telling)->measure(*model.keyframes.front().parameters))
        CHECK(s.telling_word < 0.1f);
}

TEST_CASE("head scores: a world that says what a word should attend to has telling words; others have none") {
    const auto telling_of = [](const char* world) {
        return telling_sentences(*make_task(world, GLASSFORMER_SOURCE_DIR "/assets/worlds"));
    };
    CHECK_FALSE(telling_of("next_word").empty());
    CHECK(telling_of("translation").empty());
    CHECK(telling_of("induction").empty());  // its samples ask for induction
    CHECK(telling_of("regression").empty());
}
