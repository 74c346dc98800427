#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/tasks/tasks.h"
#include "core/train/batch_source.h"
#include "core/train/trainer.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

std::unique_ptr<Task> task_of(const std::string& world) {
    return make_task(world, GLASSFORMER_SOURCE_DIR "/assets/worlds");
}

/// Returns the number of tokens in each sentence of a batch.
std::vector<int> lengths(const Batch& batch, int rows) {
    std::vector<int> found;
    const std::size_t each = batch.key_mask.size() / static_cast<std::size_t>(rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        found.push_back(static_cast<int>(
            std::accumulate(batch.key_mask.begin() + static_cast<std::ptrdiff_t>(row * each),
                            batch.key_mask.begin() + static_cast<std::ptrdiff_t>((row + 1) * each), 0.0f)));
    return found;
}

/// Returns the first `positions` values of a row, in a batch whose rows have `each`.
std::vector<float> row_of(const std::vector<float>& values, std::size_t row, std::size_t each, std::size_t positions) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * each);
    return {begin, begin + static_cast<std::ptrdiff_t>(positions)};
}

}  // namespace

TEST_CASE("short sentences are those of the world, up to the given length") {
    const auto task = task_of("induction");
    const std::shared_ptr<const BatchSource> all = task->batches, few = short_sentences(all, 17);
    const int rows = 64, wide = all->shape(rows).positions;
    REQUIRE(wide > 17);
    CHECK(few->shape(rows) == BatchShape{rows, 17, 0});
    Batch whole, part;
    all->draw(3, 5, rows, whole);
    few->draw(3, 5, rows, part);
    const std::vector<int> before = lengths(whole, rows), now = lengths(part, rows);
    CHECK(std::ranges::max(before) > 17);
    CHECK(std::ranges::max(now) <= 17);
    CHECK(std::ranges::min(now) > 0);
    // The short sentences of the world's own draw come first, in the same order, with everything that belongs to them.
    std::size_t at = 0;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        if (before[row] > 17) continue;
        const std::size_t each = wide;
        for (const auto field : {&Batch::tokens, &Batch::key_mask, &Batch::targets, &Batch::loss_weights})
            CHECK(row_of(part.*field, at, 17, 17) == row_of(whole.*field, row, each, 17));
        ++at;
    }
    CHECK(at > 0);
    // A draw depends on its arguments alone.
    Batch again;
    few->draw(3, 5, rows, again);
    CHECK(again.tokens == part.tokens);
    few->draw(4, 5, rows, again);
    CHECK(again.tokens != part.tokens);
}

TEST_CASE("short sentences fit the inputs of models with classes, a source, masks or next words") {
    for (const auto& [world, longest] :
         {std::pair{"order", 10}, {"translation", 8}, {"homonyms", 9}, {"next_word", 6}}) {
        CAPTURE(world);
        const auto task = task_of(world);
        const std::shared_ptr<const BatchSource> few = short_sentences(task->batches, longest);
        const BatchShape shape = few->shape(8);
        CHECK(shape.positions <= longest);
        Batch batch;
        few->draw(1, 2, 8, batch);
        const TransformerGraph model = build_transformer(task->config, shape);
        CpuBackend backend{1};
        const auto run = backend.prepare(model.graph, {{}, model.loss, false});
        set_inputs(*run, model, batch);  // throws where a size is wrong
        CHECK(std::ranges::max(lengths(batch, 8)) <= longest);
        CHECK(std::ranges::any_of(batch.loss_weights, [](float w) { return w > 0; }));
    }
}

TEST_CASE("a length that no sentence exceeds changes nothing, and one that all exceed is refused") {
    const auto task = task_of("order");
    const std::shared_ptr<const BatchSource>& all = task->batches;
    CHECK(short_sentences(all, all->shape(1).positions) == all);
    CHECK(contains(error_of([&] { short_sentences(all, 2); }), "of length 2 or less"));
    TrainOptions options = task->options;
    options.longest = 2;
    CpuBackend backend{1};
    CHECK(contains(error_of([&] { Trainer(backend, task->config, all, options); }), "length 2"));
    options.longest = -1;
    CHECK(contains(error_of([&] { validate(options); }), "longest"));
}

TEST_CASE("training on short sentences learns, and leaves the positions beyond them unchanged") {
    const auto task = task_of("order");
    TrainOptions options = task->options;
    options.longest = 10;
    options.batch = 32;
    options.optimizer.weight_decay = 0.0f;  // decay moves every matrix a little
    CpuBackend backend{2};
    Trainer trainer(backend, task->config, task->batches, options);
    CHECK(trainer.batches().shape(1).positions == 10);
    REQUIRE(task->config.n_ctx > 10);
    const Graph& graph = trainer.graph();
    const NodeInfo& places = graph[graph.at("pos_embed.W_pos")];
    const std::vector<float> before(trainer.parameters().begin(), trainer.parameters().end());
    for (int step = 0; step < 5; ++step) trainer.step();
    const std::span<const float> after = trainer.parameters();
    const auto moved = [&](std::int64_t row) {
        const std::int64_t width = places.shape.back(), first = places.offset + row * width;
        for (std::int64_t i = first; i < first + width; ++i)
            if (after[i] != before[i]) return true;
        return false;
    };
    CHECK(moved(0));
    CHECK(moved(8));
    CHECK_FALSE(moved(task->config.n_ctx - 1));
}
