#include "core/tasks/tasks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/nn/transformer.h"
#include "core/text/word_tokenizer.h"
#include "core/worlds/world.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

std::string error_of(const std::string& world, const TaskOptions& options = {}) {
    return glassformer::error_of([&] { make_task(world, worlds, options); });
}

}  // namespace

TEST_CASE("every listed world can be made, under its name") {
    const std::vector<std::string> names = world_names(worlds);
    for (const std::string known : {"induction", "copying", "sorting", "regression", "sample", "next_word"})
        CHECK(std::ranges::count(names, known) == 1);
    for (const std::string& name : names) {
        const auto task = make_task(name, worlds);
        CHECK(task->name == name);
        CHECK_FALSE(task->title.empty());
        CHECK_FALSE(task->metric_name.empty());
        CHECK_NOTHROW(validate(task->config));
        CHECK((task->tokenizer == nullptr) == (task->config.input == InputKind::values));
        CHECK(task->batches->shape(4).positions <= task->config.n_ctx);
    }
}

namespace {

/// Returns the number of tokens of a sample; prompts of numbers all have the same length.
int length_of(const Task& task, const Sample& sample) {
    if (!task.tokenizer) return task.config.n_ctx;
    const Tokenizer& reads = task.source_tokenizer ? *task.source_tokenizer : *task.tokenizer;
    const std::vector<int> ids = reads.ids(sample.text);
    for (const int id : ids) CHECK((reads.kind() != "words" || id != WordTokenizer::unknown));
    return static_cast<int>(ids.size());
}

}  // namespace

TEST_CASE("every world has two samples of one length that its model can read, and points at tokens that exist") {
    for (const ListedWorld& world : worlds_in(worlds)) {
        CAPTURE(world.name);
        const auto task = make_task(world.name, worlds);
        CHECK_FALSE(task->token_noun.empty());
        CHECK(task->classes.size() ==
              (task->config.output == OutputKind::classes ? static_cast<std::size_t>(task->config.d_output) : 0));
        CHECK((task->senses != nullptr) == world.name.starts_with("homonyms"));
        REQUIRE(task->samples.size() >= 2);
        if (world.name != "homonyms")  // its samples are the sentences of the lecture notes
            CHECK(length_of(*task, task->samples[0]) == length_of(*task, task->samples[1]));
        for (const Sample& sample : task->samples) {
            CAPTURE(sample.text);
            const int length = length_of(*task, sample);
            CHECK(length >= 1);
            CHECK(sample.token < length);
            CHECK(sample.looks_at < length);
            CHECK((sample.looks_at < 0 || sample.token >= 0));
        }
    }
}

TEST_CASE("the metric of a diverged model has no value") {
    for (const ListedWorld& world : worlds_in(worlds)) {
        CAPTURE(world.name);
        const auto task = make_task(world.name, worlds);
        CpuBackend backend(1);
        const auto metric = task->metric(backend);
        const auto built =
            build_transformer(task->config, {1, 1, task->config.family == Family::encoder_decoder ? 1 : 0});
        const std::vector<float> fresh = initial_parameters(*built.graph, 1);
        CHECK(std::isfinite(metric->measure(fresh).value));
        const std::vector<float> broken(fresh.size(), NAN);
        const Measurement found = metric->measure(broken);
        CHECK_FALSE(std::isfinite(found.value));
    }
}

TEST_CASE("samples point at the word that decides: a pronoun's antecedent, a verb's noun") {
    const auto word = [](const Task& task, const Sample& sample, int place) {
        return task.tokenizer->token_text(task.tokenizer->ids(sample.text)[place]);
    };
    const auto coreference = make_task("coreference", worlds), order = make_task("order", worlds),
               next = make_task("next_word", worlds), sorting = make_task("sorting", worlds),
               induction = make_task("induction", worlds);
    const std::vector<Sample>& hidden = coreference->samples;
    CHECK(hidden[0].text == "the chicken did not cross the road because it was too tired. it means the ▢.");
    CHECK(word(*coreference, hidden[0], hidden[0].token) == "<mask>");
    CHECK(word(*coreference, hidden[0], hidden[0].looks_at) == "chicken");
    CHECK(word(*coreference, hidden[1], hidden[1].looks_at) == "road");
    CHECK(order->classes == std::vector<std::string>{"blame", "praise"});
    CHECK(word(*order, order->samples[0], order->samples[0].token) == "good");
    CHECK(word(*order, order->samples[0], order->samples[0].looks_at) == "not");
    CHECK(word(*next, next->samples[0], next->samples[0].token) == "door");
    CHECK(word(*next, next->samples[0], next->samples[0].looks_at) == "keys");
    for (const Sample& sample : sorting->samples) {
        CHECK(word(*sorting, sample, sample.token) == ":");
        CHECK(word(*sorting, sample, sample.looks_at) ==
              word(*sorting, sample, sample.token + 1));  // the answer's first
    }
    for (const Sample& sample : induction->samples) {
        CHECK(word(*induction, sample, sample.token) == word(*induction, sample, 0));
        CHECK(word(*induction, sample, sample.looks_at) == word(*induction, sample, sample.token + 1));
    }
}

TEST_CASE("the table of worlds in docs/program.md matches the worlds") {
    std::ifstream file(GLASSFORMER_SOURCE_DIR "/docs/program.md");
    std::stringstream page;
    page << file.rdbuf();
    for (const ListedWorld& world : worlds_in(worlds)) {
        const WorldKind& kind = *world.kind;
        const std::string source = world.kind == &text_world ? world.name + ".txt" : std::string(kind.file);
        const std::string row = "| " + world.name + " | " + std::string(kind.reads) + " | " + std::string(kind.learns) +
                                " | " + (source.empty() ? "built in" : "`" + source + "`");
        CAPTURE(row);
        CHECK_FALSE(kind.summary.empty());
        CHECK(contains(page.str(), row));
    }
}

TEST_CASE("the error for an unknown world lists all worlds, the nearest first") {
    const std::string message = error_of("inducton");
    CHECK(message.starts_with("there is no world \"inducton\"; there are induction, "));
    for (const std::string& name : world_names(worlds)) CHECK(contains(message, name));
    CHECK(contains(error_of("sortign"), "there are sorting, "));
    CHECK_FALSE(error_of("").empty());
    if (!on_windows) CHECK_FALSE(error_of("\xFF").empty());  // Windows has no such names
}

TEST_CASE("a text file is a world by its path, and can be made again from what the world carries") {
    const TemporaryFolder folder;
    const std::string path = (folder / "mine.txt").string();
    std::ofstream(path) << std::string(3000, 'a') + "b";
    for (const std::string& world : {path, "text:" + path}) {
        const auto task = make_task(world, worlds);
        CHECK(task->name == "mine");
        REQUIRE(task->source);
        CHECK(make_task(*task->source, nullptr)->config == task->config);
    }
    CHECK(world_names(folder.path()).back() == "mine");
    CHECK(make_task("mine", folder.path())->name == "mine");
    CHECK_FALSE(make_task("mine", folder.path())->source);  // found by its name
    CHECK(contains(error_of(path + ".gone"), "there is no such file"));
    CHECK(contains(error_of("text:nowhere"), "nowhere: there is no such file"));
    CHECK(error_of("text:").starts_with("there is no world \"text:\""));
}

TEST_CASE("a user's word lists decide what kind of world they are") {
    const TemporaryFolder folder;
    for (const ListedWorld& world : worlds_in(worlds)) {
        if (world.kind->own_list.empty()) continue;
        const std::string& kind = world.name;
        const std::filesystem::path mine = folder / (kind + "-of-mine.words");
        std::filesystem::copy_file(worlds / (kind + ".words"), mine);
        const auto task = make_task(mine.string(), worlds);
        CHECK(task->name == kind + "-of-mine");
        CHECK(task->metric_name == make_task(kind, worlds)->metric_name);
        CHECK(task->config == make_task(kind, worlds)->config);
    }
    const std::string path = (folder / "other.words").string();
    std::ofstream(path) << "colour = red | green\n";
    CHECK(contains(error_of(path), "order.words has a list 'positive'"));
    CHECK(contains(error_of((folder / "none.words").string()), "there is no such file"));
}

TEST_CASE("only a text can be split into units") {
    for (const std::string world : {"homonyms", "order", "sorting", "regression"})
        CHECK(contains(error_of(world, {"words"}), "\"" + world + "\" is not a text"));
    CHECK(contains(error_of("sample", {"syllables"}), "there is no unit \"syllables\""));
    CHECK(make_task("sample", worlds, {"words"})->tokenizer->kind() == "words");
    CHECK(make_task("sample", worlds)->tokenizer->kind() == "characters");
}
