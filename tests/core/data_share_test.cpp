#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/io/run_settings.h"
#include "core/tasks/tasks.h"
#include "core/tasks/text_task.h"
#include "core/train/batch_source.h"
#include "core/train/fixed_batch.h"
#include "core/train/trainer.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

std::unique_ptr<Task> task_of(const std::string& world) {
    return make_task(world, GLASSFORMER_SOURCE_DIR "/assets/worlds");
}

using SharedBatches = std::shared_ptr<const BatchSource>;

/// Returns the sentences drawn in many batches, as targets, which no mask hides, or as words if the targets are
/// classes.
std::set<std::vector<float>> sentences_of(const BatchSource& batches) {
    constexpr int rows = 64, draws = 300;
    std::set<std::vector<float>> seen;
    Batch batch;
    for (int step = 1; step <= draws; ++step) {
        batches.draw(7, step, rows, batch);
        const std::vector<float>*said = batch.targets.size() > rows ? &batch.targets : &batch.tokens,
              *source = &batch.source_tokens;
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<float> sentence;
            for (const std::vector<float>* values : {said, source}) {
                const std::size_t each = values->size() / rows;
                const auto begin = values->begin() + static_cast<std::ptrdiff_t>(row * each);
                sentence.insert(sentence.end(), begin, begin + static_cast<std::ptrdiff_t>(each));
            }
            seen.insert(std::move(sentence));
        }
    }
    return seen;
}

std::vector<float> trained(const Task& task, const TrainOptions& options, int steps = 3) {
    CpuBackend backend{1};
    Trainer trainer(backend, task.config, task.batches, options);
    for (int i = 0; i < steps; ++i) trainer.step();
    return {trainer.parameters().begin(), trainer.parameters().end()};
}

}  // namespace

TEST_CASE("only a share of a world's sentences is drawn, and a larger share contains a smaller one") {
    for (const char* world :
         {"homonyms", "homonyms_zh", "coreference", "order", "translation", "translation_zh", "next_word"}) {
        CAPTURE(world);
        const auto task = task_of(world);
        const SharedBatches tenth = task->batches->part(0.1), quarter = task->batches->part(0.25);
        REQUIRE(task->batches->size() > 100);
        CHECK(tenth->size() == std::llround(0.1 * static_cast<double>(task->batches->size())));
        CHECK(tenth->shape(3) == task->batches->shape(3));
        const std::set<std::vector<float>> few = sentences_of(*tenth), more = sentences_of(*quarter),
                                           all = sentences_of(*task->batches);
        CHECK(std::ssize(few) <= tenth->size());
        CHECK(few.size() > 10);
        CHECK(more.size() > few.size());
        CHECK(all.size() > more.size());
        CHECK(std::ranges::includes(more, few));
        CHECK(task->batches->part(1e-9)->size() == 1);
    }
}

TEST_CASE("a share of a text is its beginning") {
    std::vector<int> tokens(1000);
    std::iota(tokens.begin(), tokens.end(), 0);
    const TextBatches text(tokens, 16);
    const SharedBatches quarter = text.part(0.25);
    CHECK(quarter->size() == 250);
    Batch batch;
    float last = 0.0f;
    for (int step = 1; step < 200; ++step) {
        quarter->draw(1, step, 8, batch);
        last = std::max(last, std::ranges::max(batch.targets));
    }
    CHECK(last == 249.0f);
    CHECK(text.part(1e-6)->size() == 32);
}

TEST_CASE("a world that generates every sentence anew has no shares, and the error says so") {
    for (const char* world : {"induction", "copying", "sorting", "regression"}) {
        CAPTURE(world);
        const auto task = task_of(world);
        CHECK(task->batches->size() == 0);
        TrainOptions options = task->options;
        options.data_share = 0.5f;
        CpuBackend backend{1};
        CHECK(contains(error_of([&] { Trainer(backend, task->config, task->batches, options); }), "anew"));
    }
}

TEST_CASE("the same seed and share train the same, another share differs, and none learns a held-out sentence") {
    const auto task = task_of("order");
    TrainOptions options = task->options;
    options.batch = 16;
    const std::vector<float> whole = trained(*task, options);
    options.data_share = 0.1f;
    const std::vector<float> tenth = trained(*task, options);
    CHECK(tenth == trained(*task, options));
    CHECK(tenth != whole);
    options.data_share = 0.25f;
    CHECK(trained(*task, options) != tenth);
    // Combined with short sentences: only the short ones of the share are drawn.
    options.longest = 10;
    CpuBackend backend{1};
    const Trainer both(backend, task->config, task->batches, options);
    const std::set<std::vector<float>> few = sentences_of(both.batches());
    CHECK(std::ssize(few) < task->batches->part(0.25)->size());
    CHECK(few.begin()->size() == 10);
    options.longest = task->options.longest;
    const Trainer quarter(backend, task->config, task->batches, options);
    const std::set<std::vector<float>> learned = sentences_of(quarter.batches());
    for (const std::vector<float>& held : sentences_of(*task->held_out())) CHECK_FALSE(learned.contains(held));
}

TEST_CASE("a share below 1 is saved with a run and read back; an invalid share is refused") {
    TrainOptions options;
    CHECK_FALSE(train_options_to_json(options).contains("data_share"));
    options.data_share = 0.25f;
    CHECK(train_options_from_json(train_options_to_json(options), "run.json") == options);
    for (const float wrong : {0.0f, -0.5f, 1.5f, std::numeric_limits<float>::quiet_NaN()}) {
        options.data_share = wrong;
        CHECK(contains(error_of([&] { validate(options); }), "share of the training sentences"));
    }
}
