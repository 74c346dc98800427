// Homonyms, coreference, order and translation as tasks: their batches, their metrics, and that training moves them.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/tasks/sense_probe.h"
#include "core/tasks/tasks.h"
#include "core/tasks/translation_task.h"
#include "core/text/word_tokenizer.h"
#include "core/train/fixed_batch.h"
#include "core/train/trainer.h"
#include "core/worlds/order.h"
#include "tests/core/training_smoke.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

struct Trained {
    std::vector<float> parameters;
    Measurement before, after;
};

/// Trains some steps with the task's own options and a schedule as long as the run.
Trained train(const Task& task, Backend& metric_backend, CpuBackend& backend, int steps) {
    TrainOptions options = task.options;
    options.schedule.total = steps;
    Trainer trainer(backend, task.config, task.batches, options);
    const std::unique_ptr<Metric> metric = task.metric(metric_backend);
    Trained trained;
    trained.before = metric->measure(trainer.parameters());
    for (int i = 0; i < steps; ++i) trainer.step();
    trained.after = metric->measure(trainer.parameters());
    trained.parameters.assign(trainer.parameters().begin(), trainer.parameters().end());
    return trained;
}

bool same(const Batch& a, const Batch& b) {
    return a.tokens == b.tokens && a.values == b.values && a.targets == b.targets &&
           a.target_values == b.target_values && a.key_mask == b.key_mask && a.loss_weights == b.loss_weights &&
           a.source_tokens == b.source_tokens && a.source_key_mask == b.source_key_mask;
}

}  // namespace

TEST_CASE("a model that finds both answers equally likely is right half of the time") {
    CpuBackend backend(1);
    for (const std::string world : {"order", "next_word"}) {
        const std::unique_ptr<Task> task = make_task(world, worlds);
        const Trained untrained = train(*task, backend, backend, 0);
        const std::vector<float> zeros(untrained.parameters.size());
        const Measurement found = task->metric(backend)->measure(zeros);
        CHECK(found.value == doctest::Approx(0.5));
        CHECK(found.details[0].second == doctest::Approx(0.5));
        CHECK(found.details[1].second == doctest::Approx(0.5));
    }
}

TEST_CASE("batches of every world depend only on seed and step, and are drawn in place") {
    for (const std::string& world : world_names(worlds)) {
        const std::unique_ptr<Task> task = make_task(world, worlds);
        CAPTURE(task->name);
        const std::shared_ptr<const BatchSource> batches = task->batches;
        Batch a, b;
        batches->draw(1, 12, 32, a);
        batches->draw(1, 13, 32, b);
        CHECK_FALSE(same(a, b));
        const std::vector<float>& read = task->tokenizer ? b.tokens : b.values;
        const float* place = read.data();
        batches->draw(2, 12, 32, b);
        CHECK_FALSE(same(a, b));
        batches->draw(1, 12, 32, b);
        CHECK(same(a, b));
        CHECK(read.data() == place);
        CHECK(make_task(world, worlds)->config == task->config);
        if (task->tokenizer) CHECK(task->tokenizer->size() == task->config.d_vocab);
        CHECK(batches->shape(32).positions <= task->config.n_ctx);
    }
}

TEST_CASE("homonyms: the task trains like the world's own training, and measures with the sense probe") {
    CpuBackend backend;
    const std::unique_ptr<Task> task = make_task("homonyms", worlds);
    const WorldTraining training(World::load(worlds / "homonyms.grammar"));
    Trainer by_task(backend, task->config, task->batches, task->options);
    Trainer by_hand(backend, training.config, training.masked_words(), {});
    for (int i = 0; i < 4; ++i) {
        by_task.step();
        by_hand.step();
    }
    CHECK((std::ranges::equal(by_task.parameters(), by_hand.parameters())));
    const Measurement found = task->metric(backend)->measure(by_hand.parameters());
    const std::vector<float> probed = SenseProbe(backend, training).measure(by_hand.parameters()).accuracy;
    CHECK(found.value == static_cast<double>(probed.back()));
    CHECK(detail(found, "embedding") == static_cast<double>(probed[0]));
    CHECK(detail(found, "block 0") == static_cast<double>(probed[1]));
    CHECK(found.details.size() == probed.size());
    CHECK(task->name == "homonyms");
    CHECK(task->metric_level == 0.95);
    CHECK(task->source_tokenizer == nullptr);
}

TEST_CASE("coreference: the meaning of a pronoun is asked at the pronoun, and where the sentence states it") {
    const std::unique_ptr<Task> task = make_task("coreference", worlds);
    const std::size_t positions = task->config.n_ctx;
    const auto& words_of = dynamic_cast<const WordTokenizer&>(*task->tokenizer);
    std::set<float> pronouns;
    for (const char* word : {"it", "he", "she", "i", "me", "my"})
        pronouns.insert(static_cast<float>(words_of.find(word).value()));
    const auto means = static_cast<float>(words_of.find("means").value());
    double answers = 0, hidden = 0, words = 0, predicted = 0, seen_pronouns = 0, asked_pronouns = 0;
    Batch batch;
    for (int step = 1; step <= 40; ++step) {
        task->batches->draw(1, step, 64, batch);
        for (std::size_t row = 0; row < 64; ++row) {
            const std::size_t begin = row * positions;
            std::size_t length = 0;
            while (length < positions && batch.key_mask[begin + length] == 1.0f) ++length;
            for (std::size_t p = 0; p < positions; ++p) {
                const std::size_t cell = begin + p;
                const bool masked = batch.tokens[cell] == WordTokenizer::mask,
                           weighs = batch.loss_weights[cell] == 1.0f;
                if (p >= length) {
                    CHECK((batch.tokens[cell] == WordTokenizer::pad && !weighs));
                } else if (p == length - 2 && batch.targets[begin + length - 4] == means) {
                    CHECK(masked == weighs);
                    answers += 1;
                    hidden += masked;
                } else if (pronouns.contains(batch.tokens[cell]) && batch.tokens[cell] != batch.targets[cell]) {
                    seen_pronouns += 1;
                    asked_pronouns += weighs;
                } else {
                    CHECK((masked ? weighs : batch.tokens[cell] == batch.targets[cell]));
                    words += 1;
                    predicted += weighs;
                }
            }
        }
    }
    CHECK(hidden / answers == doctest::Approx(0.75).epsilon(0.05));
    // Among pronouns that are not masked themselves: (1 − ¼) · ¾ of 1 − ¼ · ¾.
    CHECK(asked_pronouns / seen_pronouns == doctest::Approx(0.692).epsilon(0.05));
    CHECK(predicted / words == doctest::Approx(0.2).epsilon(0.12));  // with the pronouns that are masked
}

TEST_CASE("coreference: a short training finds many antecedents") {
    CpuBackend backend;
    const Trained trained = train(*make_task("coreference", worlds), backend, backend, 300);
    CHECK(trained.before.value < 0.1);
    CHECK(trained.after.value > 0.75);
    CHECK(detail(trained.after, "asked at the pronoun itself") > 0.75);
    CHECK(detail(trained.after, "among people") > 0.75);
    const double animals = detail(trained.after, "where the animal is meant"),
                 places = detail(trained.after, "where the place is meant");
    CHECK(detail(trained.after, "the other noun said") <= 1.0 - std::min(animals, places));
}

TEST_CASE("order: a short training beats every bag of words") {
    CpuBackend backend;
    const Trained trained = train(*make_task("order", worlds), backend, backend, 150);
    CHECK(detail(trained.after, "best without order") == 0.5);
    CHECK(trained.before.value < 0.7);
    CHECK(trained.after.value > 0.8);
    CHECK((detail(trained.after, "praise") + detail(trained.after, "blame")) / 2.0 ==
          doctest::Approx(trained.after.value));
}

TEST_CASE("order: without positions a sentence and its contrary give the same output") {
    CpuBackend backend;
    const std::unique_ptr<Task> task = make_task("order", worlds);
    TransformerConfig config = task->config;
    config.positions = Positions::none;
    Trainer trainer(backend, config, task->batches, task->options);
    for (int i = 0; i < 20; ++i) trainer.step();
    const OrderWorld world = OrderWorld::load(worlds / "order.words");
    const auto words = std::dynamic_pointer_cast<const WordTokenizer>(task->tokenizer);
    Batch pair;
    for (const OpinionSentence& sample : world.samples())
        for (const std::string& word : sample.words) pair.tokens.push_back(static_cast<float>(*words->find(word)));
    pair.key_mask.assign(pair.tokens.size(), 1.0f);
    pair.targets = {0.0f, 1.0f};
    pair.loss_weights = {1.0f, 1.0f};
    FixedBatch both(backend, config, {2, static_cast<int>(pair.tokens.size() / 2)}, pair);
    both.run(trainer.parameters());
    const std::span<const float> logits = both.values("logits");
    CHECK(logits[0] == doctest::Approx(logits[2]).epsilon(1e-4));
    CHECK(logits[1] == doctest::Approx(logits[3]).epsilon(1e-4));
}

TEST_CASE("translation: inputs are the targets one word later, starting with <bos> and ending with <eos>") {
    const std::unique_ptr<Task> task = make_task("translation", worlds);
    const auto words = std::dynamic_pointer_cast<const WordTokenizer>(task->tokenizer);
    REQUIRE(words);
    REQUIRE(task->source_tokenizer);
    CHECK(task->source_tokenizer->size() == task->config.d_source_vocab);
    const BatchShape shape = task->batches->shape(16);
    Batch batch;
    task->batches->draw(1, 1, 16, batch);
    for (int row = 0; row < 16; ++row) {
        const std::size_t begin = row * shape.positions;
        CHECK(batch.tokens[begin] == static_cast<float>(*words->find(bos_word)));
        std::size_t at = begin;
        for (; batch.targets[at] != static_cast<float>(*words->find(eos_word)); ++at) {
            CHECK(batch.tokens[at + 1] == batch.targets[at]);
            CHECK(batch.loss_weights[at] == 1.0f);
        }
        const auto length =
            std::accumulate(batch.loss_weights.begin() + static_cast<std::ptrdiff_t>(begin),
                            batch.loss_weights.begin() + static_cast<std::ptrdiff_t>(begin) + shape.positions, 0.0f);
        CHECK(length == static_cast<float>(at - begin + 1));
    }
}

namespace {

/// Appends each sentence's most likely next word to its words so far until all positions are filled.
std::vector<float> decode_greedily(CpuBackend& backend, const TransformerConfig& config, const BatchShape& shape,
                                   Batch batch, std::span<const float> parameters) {
    const auto positions = static_cast<std::size_t>(shape.positions), words = static_cast<std::size_t>(config.d_vocab);
    for (std::size_t row = 0; row < static_cast<std::size_t>(shape.batch); ++row)
        std::fill_n(batch.tokens.begin() + static_cast<std::ptrdiff_t>(row * positions + 1), positions - 1, 0.0f);
    std::ranges::fill(batch.key_mask, 1.0f);
    std::vector<float> said(batch.tokens.size());
    for (std::size_t p = 0; p < positions; ++p) {
        FixedBatch so_far(backend, config, shape, batch);
        so_far.run(parameters);
        const std::span<const float> logits = so_far.values("logits");
        for (std::size_t row = 0; row < static_cast<std::size_t>(shape.batch); ++row) {
            const std::size_t cell = row * positions + p;
            said[cell] = static_cast<float>(argmax(logits.subspan(cell * words, words)));
            if (p + 1 < positions) batch.tokens[cell + 1] = said[cell];
        }
    }
    return said;
}

}  // namespace

TEST_CASE("translation: a short training learns, and the metric is what greedy decoding gets right") {
    CpuBackend backend;
    const std::unique_ptr<Task> task = make_task("translation", worlds);
    const Trained trained = train(*task, backend, backend, 180);
    CHECK(trained.before.value == 0.0);
    CHECK(detail(trained.after, "next words right") > 0.8);
    CHECK(trained.after.value > 0.2);

    const TranslationWorld world = TranslationWorld::load(worlds / "translation.words");
    const std::vector<TranslationPair> pairs = translation_pairs(world, Split::held_out, 120, 9);
    const BatchShape shape = task->batches->shape(120);
    const std::size_t positions = shape.positions;
    const std::vector<float> said =
        decode_greedily(backend, task->config, shape, batch_of<TranslationRows>(pairs, shape), trained.parameters);
    double right = 0;
    for (std::size_t row = 0; row < pairs.size(); ++row)
        right +=
            std::ranges::equal(pairs[row].target, std::span(said).subspan(row * positions, pairs[row].target.size()));
    const Measurement found = TranslationMetric(backend, task->config, shape, pairs).measure(trained.parameters);
    CHECK(right > 0);
    CHECK(right < 120);
    CHECK(found.value == right / 120);
}
