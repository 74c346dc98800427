// A user's own world, carried by a checkpoint or a run (core/io/model_files.h).
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/model_files.h"
#include "core/io/run_settings.h"
#include "core/tasks/tasks.h"
#include "core/train/task.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const fs::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

std::string some_text() {
    std::string text;
    for (int i = 0; i < 400; ++i) text += i % 7 ? "the cat sees the dog.\n" : "a bird sings übermütig.\n";
    return text;
}

/// Returns the same source, saved and read back.
WorldSource kept(const WorldSource& source) {
    const TemporaryFolder folder;
    write_world(folder.path(), source);
    return *read_world(folder.path());
}

double metric_of_zeros(const Task& task) {
    CpuBackend backend{1};
    const auto graph = build_transformer(task.config, {1, 1, 0}).graph;
    const std::vector<float> zeros(static_cast<std::size_t>(graph->parameter_count()));
    return task.metric(backend)->measure(zeros).value;
}

}  // namespace

TEST_CASE("a user's world can be made again from what it carries, without its file") {
    for (const std::string file :
         {"homonyms.grammar", "coreference.words", "order.words", "translation.words", "next_word.words"}) {
        CAPTURE(file);
        const TemporaryFolder folder;
        const fs::path own = folder / ("colours" + fs::path(file).extension().string());
        fs::copy_file(worlds / file, own);
        const auto task = make_task(own.string(), worlds);
        REQUIRE(task->source);
        CHECK(task->source->kind == fs::path(file).stem().string());
        CHECK(task->source->file == own.filename().string());
        const WorldSource carried = kept(for_checkpoint(*task->source));
        CHECK(carried == *task->source);
        fs::remove(own);
        const auto again = make_task(carried, task->tokenizer);
        CHECK(again->name == "colours");
        CHECK(again->title == task->title);
        CHECK(again->config == task->config);
        CHECK(data_mark_of(*again->batches, again->options) == data_mark_of(*task->batches, task->options));
        CHECK(again->why_not_trained.empty());
        CHECK(make_task(fs::path(file).stem().string(), worlds)->source == nullptr);
    }
}

TEST_CASE("a run carries a whole text, and a checkpoint only what it needs to measure the model") {
    const TemporaryFolder folder;
    const fs::path own = folder / "story.txt";
    std::ofstream(own) << some_text();
    for (const std::string unit : {"characters", "words", "byte_pairs"}) {
        CAPTURE(unit);
        const auto task = make_task(own.string(), worlds, {unit});
        const WorldSource whole = kept(*task->source), part = kept(for_checkpoint(*task->source));
        CHECK(whole.content == some_text());
        CHECK(whole.mark == WorldSource::hash_of(some_text()));
        CHECK(part.content.empty());
        CHECK(part.bytes == some_text().size());
        CHECK(some_text().ends_with(part.held_out));
        CHECK(part.held_out.size() < some_text().size() / 5);

        const auto again = make_task(whole, nullptr);
        CHECK(data_mark_of(*again->batches, again->options) == data_mark_of(*task->batches, task->options));
        const auto measured = make_task(part, task->tokenizer);
        CHECK(measured->config == task->config);
        CHECK(measured->metric_level == task->metric_level);
        CHECK(metric_of_zeros(*measured) == metric_of_zeros(*task));
        REQUIRE(measured->samples.size() == task->samples.size());
        CHECK(measured->samples[3].text == task->samples[3].text);
        CHECK(contains(measured->why_not_trained, "story.txt"));
        Batch batch;
        CHECK_THROWS_AS(measured->batches->draw(1, 1, 2, batch), Error);
        CHECK(kept(*measured->source) == part);
    }
    const auto task = make_task(own.string(), worlds);
    CHECK(make_task(*task->source, nullptr, {"words"})->tokenizer->kind() == "words");
    const WorldSource part = for_checkpoint(*task->source);
    CHECK(contains(error_of([&] { make_task(part, task->tokenizer, {"words"}); }), "whole text"));
    CHECK(contains(error_of([&] { make_task(part, nullptr); }), "story.txt"));
}

TEST_CASE("at most a megabyte of a held-out text is carried, in whole characters") {
    const TemporaryFolder folder;
    const fs::path own = folder / "long.txt";
    std::string text;
    while (text.size() < 11u << 20) text += "aü ";
    std::ofstream(own) << text;
    const auto task = make_task(own.string(), worlds);
    const std::string& held_out = task->source->held_out;
    CHECK(held_out.size() <= WorldSource::most_held_out);
    CHECK(held_out.size() > WorldSource::most_held_out - 4);
    CHECK(make_task(kept(for_checkpoint(*task->source)), task->tokenizer)->config == task->config);
}

TEST_CASE("a malformed world.json is refused, and the error says what is wrong") {
    const TemporaryFolder folder;
    CHECK(read_world(folder.path()) == nullptr);
    const nlohmann::json good{{"format", 1}, {"kind", "order"}, {"file", "a.words"}, {"content", "x"}};
    const auto error_with = [&](const char* name, const nlohmann::json& value) {
        nlohmann::json object = good;
        object[name] = value;
        std::ofstream(folder / "world.json") << object.dump();
        return error_of([&] { read_world(folder.path()); });
    };
    CHECK(contains(error_with("format", 2), "this program reads 1"));
    CHECK(contains(error_with("content", 7), "must be a string"));
    CHECK(contains(error_with("kind", "text"), "\"unit\" is missing"));
    for (const char* name : {"../secret.words", "/etc/passwd", "..", "", "a/b.words"})
        CHECK(contains(error_with("file", name), "without folders"));
    CHECK(error_with("file", "fine.words").empty());
    CHECK(contains(error_of([] { make_task(WorldSource{"chess", "a.words", "x"}, nullptr); }), "chess"));
    CHECK(contains(error_of([] { make_task(WorldSource{"order", "a.words", "x"}, nullptr); }), "a.words"));
    std::ofstream(folder / "world.json") << "{";
    CHECK(contains(error_of([&] { read_world(folder.path()); }), "world.json"));
}
