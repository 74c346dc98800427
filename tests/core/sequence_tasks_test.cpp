#include <doctest/doctest.h>

#include <set>

#include "core/base/error.h"
#include "core/tasks/sequence_task.h"
#include "core/tasks/tasks.h"
#include "tests/core/training_smoke.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

std::shared_ptr<const SequenceBatches> batches_of(const Task& task) {
    return std::dynamic_pointer_cast<const SequenceBatches>(task.batches);
}

/// Returns logits that predict, at every position, the target plus `off`.
std::vector<float> logits_for(const Batch& batch, int d_vocab, int off) {
    std::vector<float> logits(batch.targets.size() * static_cast<std::size_t>(d_vocab));
    for (std::size_t cell = 0; cell < batch.targets.size(); ++cell) {
        const int named = (static_cast<int>(batch.targets[cell]) + off) % d_vocab;
        logits[cell * static_cast<std::size_t>(d_vocab) + static_cast<std::size_t>(named)] = 1.0f;
    }
    return logits;
}

/// Two sentences, "5 6 7 5 6 7" and "8 9 8 9" with two cells of padding. The targets with weight are the repeated
/// tokens after the first of each sentence.
Batch two_repeats() {
    Batch batch;
    batch.tokens = {5, 6, 7, 5, 6, 7, 8, 9, 8, 9, 0, 0};
    batch.targets = {6, 7, 5, 6, 7, 0, 9, 8, 9, 0, 0, 0};
    batch.key_mask = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
    batch.loss_weights = {0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0};
    return batch;
}

/// Returns a one-head pattern in which each query attends to one key, key_of[query], in both sentences.
std::vector<float> pattern_of(const std::vector<std::size_t>& key_of) {
    const std::size_t length = key_of.size();
    std::vector<float> pattern(2 * length * length);
    for (std::size_t sentence = 0; sentence < 2; ++sentence)
        for (std::size_t query = 0; query < length; ++query)
            pattern[(sentence * length + query) * length + key_of[query]] = 1.0f;
    return pattern;
}

}  // namespace

TEST_CASE("batches of sequences depend only on seed and step, and their targets are the next tokens") {
    for (const std::string world : {"induction", "copying", "sorting"}) {
        const auto task = make_task(world, worlds);
        const auto batches = batches_of(*task);
        REQUIRE(batches);
        Batch a, b;
        batches->draw(1, 7, 16, a);
        batches->draw(1, 8, 16, b);
        CHECK(a.tokens != b.tokens);
        batches->draw(2, 7, 16, b);
        CHECK(a.tokens != b.tokens);
        batches->draw(1, 7, 16, b);
        CHECK(a.tokens == b.tokens);
        CHECK(a.loss_weights == b.loss_weights);
        const std::size_t length = batches->shape(16).positions;
        for (std::size_t cell = 0; cell < a.tokens.size(); ++cell) {
            if (a.loss_weights[cell] == 0.0f) continue;
            REQUIRE((cell + 1) % length != 0);
            CHECK(a.targets[cell] == a.tokens[cell + 1]);
            CHECK(a.key_mask[cell + 1] == 1.0f);
        }
    }
}

TEST_CASE("sorting trains only on the answer after the colon, induction on every token") {
    const auto sorting = make_task("sorting", worlds), induction = make_task("induction", worlds);
    const auto colon = static_cast<float>(sorting->tokenizer->ids(":").front());
    Batch batch;
    sorting->batches->draw(1, 1, 64, batch);
    bool answering = false;
    const std::size_t length = sorting->config.n_ctx;
    for (std::size_t cell = 0; cell < batch.tokens.size(); ++cell) {
        if (cell % length == 0) answering = false;
        answering = answering || batch.tokens[cell] == colon;
        const bool last = (cell + 1) % length == 0 || batch.key_mask[cell + 1] == 0.0f;
        CHECK((batch.loss_weights[cell] == 1.0f) == (answering && !last));
    }
    induction->batches->draw(1, 1, 64, batch);
    for (std::size_t cell = 0; cell + 1 < batch.tokens.size(); ++cell)
        if (batch.key_mask[cell] == 1.0f && batch.key_mask[cell + 1] == 1.0f && (cell + 1) % 32 != 0)
            CHECK(batch.loss_weights[cell] == 1.0f);
}

TEST_CASE("the held-out batch of induction scores only tokens with an earlier copy") {
    const auto batches = batches_of(*make_task("induction", worlds));
    const Batch batch = batches->held_out(64);
    CHECK(batch.tokens == batches->held_out(64).tokens);
    for (std::size_t begin = 0; begin < batch.tokens.size(); begin += 32) {
        std::set<float> seen;
        for (std::size_t cell = begin; cell < begin + 32; ++cell) {
            const bool again = !seen.insert(batch.tokens[cell]).second;
            if (batch.loss_weights[cell] == 1.0f) CHECK(again);
        }
    }
}

TEST_CASE("the share of right tokens is 1 for a perfect model and 0 for a wrong one, and whole sentences count, too") {
    const Batch batch = two_repeats();
    CHECK(right_share(logits_for(batch, 10, 0), 10, 6, batch).tokens == 1.0);
    CHECK(right_share(logits_for(batch, 10, 0), 10, 6, batch).sentences == 1.0);
    CHECK(right_share(logits_for(batch, 10, 1), 10, 6, batch).tokens == 0.0);
    std::vector<float> logits = logits_for(batch, 10, 0);
    logits[3 * 10 + 2] = 2.0f;  // one of three predictions wrong
    CHECK(right_share(logits, 10, 6, batch).tokens == doctest::Approx(2.0 / 3.0));
    CHECK(right_share(logits, 10, 6, batch).sentences == 0.5);
    CHECK_THROWS_AS(right_share(logits, 9, 6, batch), Error);
    Batch nothing = batch;
    nothing.loss_weights.assign(12, 0.0f);
    CHECK_THROWS_AS(right_share(logits, 10, 6, nothing), Error);
}

TEST_CASE("previous-word scores find heads that look one back, induction scores those that look after the copy") {
    const Batch batch = two_repeats();
    const std::vector<float> one_back = pattern_of({0, 0, 1, 2, 3, 4});
    CHECK(previous_word_scores(one_back, 1, 6, batch).front() == 1.0);
    CHECK(previous_word_scores(pattern_of({0, 1, 2, 3, 4, 5}), 1, 6, batch).front() == 0.0);
    // Queries 3 and 4 of the first sentence find the tokens after their copies at 1 and 2, query 2 of the second at 1.
    CHECK(induction_scores(pattern_of({0, 0, 1, 1, 2, 0}), 1, 6, batch).front() == 1.0);
    CHECK(induction_scores(one_back, 1, 6, batch).front() == doctest::Approx(1.0 / 3.0));
    CHECK_THROWS_AS(induction_scores(one_back, 2, 6, batch), Error);
}

TEST_CASE("the sequence worlds have readable tokens") {
    const auto induction = make_task("induction", worlds), copying = make_task("copying", worlds);
    CHECK(induction->tokenizer->decode(induction->tokenizer->ids("ka mo fe ka mo")) == "ka mo fe ka mo");
    CHECK(copying->tokenizer->decode(copying->tokenizer->ids("b a b : b a b")) == "b a b: b a b");
    CHECK(copying->tokenizer->size() == copying->config.d_vocab);
}

TEST_CASE("a model that always predicts the same token is never right") {
    for (const std::string world : {"induction", "copying", "sorting"})
        CHECK(measure_zeros(*make_task(world, worlds)).value == 0.0);
}

TEST_CASE("200 steps of induction form the two heads and copy most of the second half") {
    const SmokeRun run = train_briefly(*make_task("induction", worlds), 200);
    CHECK(run.before.value < 0.1);
    CHECK(run.after.value > 0.6);
    CHECK(run.last_loss < 0.75f * run.first_loss);
    CHECK(detail(run.after, "induction-head score") > 2.0 * detail(run.before, "induction-head score"));
    CHECK(detail(run.after, "previous-word score") > 1.5 * detail(run.before, "previous-word score"));
}

TEST_CASE("150 steps of copying and of sorting lower the loss by at least a third") {
    for (const std::string world : {"copying", "sorting"}) {
        const SmokeRun run = train_briefly(*make_task(world, worlds), 150);
        CHECK(run.last_loss < 0.67f * run.first_loss);
        CHECK(run.after.value > run.before.value + 0.2);
    }
}
