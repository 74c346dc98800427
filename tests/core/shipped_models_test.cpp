// The models in assets/models: each loads, can be traced, and does the task of its world as well as the task demands.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/tasks/tasks.h"
#include "core/trace/tracer.h"
#include "tests/contains.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

const fs::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds", models = GLASSFORMER_SOURCE_DIR "/assets/models";

/// Returns the names of the models trained on a world; the others are written by hand, for a lesson.
std::vector<std::string> shipped() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(models))
        if (entry.is_directory() && !entry.path().filename().string().starts_with("by_hand"))
            names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// Returns the ids before the padding.
std::vector<int> words(const std::vector<float>& tokens, const std::vector<float>& mask) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (mask.empty() || mask[i] > 0.0f) ids.push_back(static_cast<int>(tokens[i]));
    return ids;
}

/// Returns one example of the task, as in training.
TraceInput example(const Task& task) {
    Batch batch;
    task.batches->draw(1, 1, 1, batch);
    return {words(batch.tokens, batch.key_mask), words(batch.source_tokens, batch.source_key_mask), batch.values};
}

int size_of(const std::shared_ptr<const Tokenizer>& tokenizer) { return tokenizer ? tokenizer->size() : 0; }

}  // namespace

TEST_CASE("shipped models: one for each world") {
    std::vector<std::string> names = world_names(worlds);
    std::ranges::sort(names);
    CHECK(shipped() == names);
}

TEST_CASE("shipped models: the one made by hand has the attention weights that its lesson works out") {
    CpuBackend backend;
    const Checkpoint model = load_checkpoint(models / "by_hand");
    Tracer tracer(backend, model.config);
    const auto trace = tracer.trace(std::vector<int>{3, 4, 5, 6}, model.parameters);
    const std::span<const float> weights = trace->values("blocks.0.attn.hook_pattern");
    const double scores[] = {1, 2, 1.5, -1};
    double sum = 0;
    for (const double score : scores) sum += std::exp(score);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(static_cast<double>(weights[i]) == doctest::Approx(std::exp(scores[i]) / sum));
    const Checkpoint wide = load_checkpoint(models / "by_hand_wide");
    CHECK(wide.config.d_head() == 3);
    CHECK(wide.config.d_value() == 2);
}

TEST_CASE("shipped models: the search made by hand weights each video by how well it fits") {
    CpuBackend backend;
    const Checkpoint model = load_checkpoint(models / "by_hand_search");
    Tracer tracer(backend, model.config);
    const auto& words = *model.words();
    std::vector<int> ids;
    for (const char* word : {"sport", "football", "tennis", "dance", "pasta", "piano"})
        ids.push_back(words.find(word).value());
    const auto trace = tracer.trace(ids, model.parameters);
    const std::span<const float> weights = trace->values("blocks.0.attn.hook_pattern"),
                                 z = trace->values("blocks.0.attn.hook_z");
    const double scores[] = {0, 4, 3.2, 2, 0, 0};  // no scale
    double sum = 0;
    for (const double score : scores) sum += std::exp(score);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(static_cast<double>(weights[i]) == doctest::Approx(std::exp(scores[i]) / sum));
    for (std::size_t i = 0; i < 5; ++i) CHECK(z[i] == weights[i + 1]);
}

TEST_CASE("shipped models: each has the config, steps and vocabulary of training on its world") {
    for (const std::string& name : shipped()) {
        CAPTURE(name);
        const Checkpoint model = load_checkpoint(models / name);
        REQUIRE(model.world == name);
        const std::unique_ptr<Task> task = make_task(name, worlds);
        CHECK(model.config == task->config);
        CHECK(model.step == task->options.schedule.total);
        CHECK(model.planned_steps == model.step);
        CHECK(std::ssize(model.log) == model.step);
        CHECK(size_of(model.tokenizer) == size_of(task->tokenizer));
        CHECK(size_of(model.source_tokenizer) == size_of(task->source_tokenizer));
    }
}

TEST_CASE("shipped models: each can be traced, and its logits are finite") {
    CpuBackend backend;
    for (const std::string& name : shipped()) {
        CAPTURE(name);
        const Checkpoint model = load_checkpoint(models / name);
        Tracer tracer(backend, model.config);
        const auto trace = tracer.trace(example(*make_task(name, worlds)), model.parameters);
        CHECK(trace->positions() > 1);
        CHECK(trace->graph().find("blocks.0.attn.hook_pattern"));
        const std::span<const float> logits = trace->values("logits");
        CHECK(std::ranges::all_of(logits, [](float v) { return std::isfinite(v); }));
        CHECK(std::ranges::max(logits) > std::ranges::min(logits));
    }
}

TEST_CASE("shipped models: each reaches its task's level on held-out data") {
    CpuBackend backend;
    for (const std::string& name : shipped()) {
        CAPTURE(name);
        const Checkpoint model = load_checkpoint(models / name);
        const std::unique_ptr<Task> task = make_task(name, worlds);
        const double found = task->metric(backend)->measure(*model.parameters).value;
        if (task->metric_is_share)
            CHECK(found >= task->metric_level);
        else
            CHECK(found <= task->metric_level);
    }
}

TEST_CASE("README and lesson state the vocabulary size of the shipped model") {
    const auto text = [](const char* file) {
        std::ifstream in(std::filesystem::path(GLASSFORMER_SOURCE_DIR) / file);
        return (std::ostringstream() << in.rdbuf()).str();
    };
    const std::string size = std::to_string(load_checkpoint(models / "homonyms").config.d_vocab);
    CHECK(contains(text("README.md"), "a vocabulary of " + size));
    CHECK(contains(text("assets/lessons/10_learning.lesson"), "all " + size + " tokens of its vocabulary"));
}
