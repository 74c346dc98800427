#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/tasks/tasks.h"
#include "core/text/word_tokenizer.h"
#include "core/train/fixed_batch.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";
const std::filesystem::path models = GLASSFORMER_SOURCE_DIR "/assets/models";

/// Returns the sentences of some batches as rows of token ids: the true words instead of masks, and not a word's sense
/// (which is a target too, where the world asks for it).
std::set<std::vector<float>> rows_of(const BatchSource& source, int batches) {
    std::set<std::vector<float>> rows;
    const int positions = source.shape(64).positions;
    Batch batch;
    for (int step = 1; step <= batches; ++step) {
        source.draw(7, step, 64, batch);
        for (int row = 0; row < 64; ++row) {
            std::vector<float> words(batch.tokens.begin() + row * positions,
                                     batch.tokens.begin() + (row + 1) * positions);
            for (int p = 0; p < positions; ++p)
                if (words[p] == static_cast<float>(WordTokenizer::mask)) words[p] = batch.targets[row * positions + p];
            rows.insert(std::move(words));
        }
    }
    return rows;
}

/// Returns a text of this many short sentences.
std::string story_of(int sentences) {
    constexpr const char* who[] = {"the cat", "a dog", "my aunt", "the old king"};
    constexpr const char* does[] = {"sees", "follows", "remembers"};
    std::string text;
    for (int i = 0; i < sentences; ++i)
        text += std::string(who[i * i % 4]) + " " + does[i % 3] + " " + who[(i * 7 + i / 5) % 4] + ".\n";
    return text;
}

}  // namespace

TEST_CASE("held-out loss: a trained model's loss is far below a fresh one's, and repeatable") {
    CpuBackend backend(2);
    for (const std::string name : {"homonyms", "coreference", "translation", "induction", "order", "regression"}) {
        CAPTURE(name);
        const std::unique_ptr<Task> task = make_task(name, worlds);
        const Checkpoint trained = load_checkpoint(models / name);
        HeldOutLoss loss(backend, *task, task->config);
        const TransformerGraph model = build_transformer(task->config, {1, 1, name == "translation" ? 1 : 0});
        const float before = loss.measure(initial_parameters(*model.graph, 5));
        const float after = loss.measure(*trained.parameters);
        CHECK(std::isfinite(before));
        CHECK(after < 0.6f * before);
        CHECK(loss.measure(*trained.parameters) == after);
    }
}

TEST_CASE("held-out loss: held-out sentences of a world with a corpus are never training sentences") {
    for (const std::string name : {"homonyms", "coreference"}) {
        CAPTURE(name);
        const std::unique_ptr<Task> task = make_task(name, worlds);
        const std::set<std::vector<float>> seen = rows_of(*task->batches, 40), held = rows_of(*task->held_out(), 4);
        REQUIRE(held.size() > 50);
        for (const std::vector<float>& row : held) CHECK_FALSE(seen.contains(row));
    }
}

TEST_CASE("held-out loss: for a text it equals the metric") {
    CpuBackend backend(2);
    const TemporaryFolder folder;
    std::ofstream(folder / "story.txt") << story_of(400);
    const std::unique_ptr<Task> task = make_task((folder / "story.txt").string(), worlds);
    const TransformerGraph model = build_transformer(task->config, {1, 1});
    for (const std::uint64_t seed : {1, 2}) {
        const std::vector<float> parameters = initial_parameters(*model.graph, seed);
        const double metric = task->metric(backend, task->config)->measure(parameters).value;
        CHECK(metric == static_cast<double>(HeldOutLoss(backend, *task, task->config).measure(parameters)));
    }
}

TEST_CASE("metric: the model cannot read the answer that it is asked for") {
    // A model that repeats what it reads: its blocks write nothing, and its words come out as they went in.
    CpuBackend backend(2);
    const std::unique_ptr<Task> task = make_task("coreference", worlds);
    const TransformerGraph model = build_transformer(task->config, {1, 1});
    std::vector<float> parameters = initial_parameters(*model.graph, 1);
    REQUIRE(task->config.tied);
    for (const int id : model.graph->parameters()) {
        const NodeInfo& info = (*model.graph)[id];
        if (info.name == "embed.W_E" || info.name.starts_with("ln_final.")) continue;
        std::fill_n(parameters.begin() + info.offset, info.shape.elements(), 0.0f);
    }
    const Measurement found = task->metric(backend, task->config)->measure(parameters);
    CHECK(found.value == 0.0);
    for (const auto& [name, share] : found.details) {
        CAPTURE(name);
        CHECK(share == 0.0);
    }
}

TEST_CASE("metric: works for models of another size than the world's own") {
    CpuBackend backend(2);
    for (const std::string name : {"homonyms", "coreference", "translation", "induction", "order", "copying"}) {
        CAPTURE(name);
        const std::unique_ptr<Task> task = make_task(name, worlds);
        TransformerConfig config = task->config;
        config.n_layers = 3;
        config.d_model = 32;
        const TransformerGraph model = build_transformer(config, {1, 1, name == "translation" ? 1 : 0});
        const Measurement found = task->metric(backend, config)->measure(initial_parameters(*model.graph, 5));
        CHECK(found.value >= 0.0);
        CHECK(found.value < 0.8);
    }
}
