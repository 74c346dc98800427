#include "core/tasks/tasks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "core/base/error.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

std::string error_of(const std::string& world, const TaskOptions& options = {}) {
    try {
        make_task(world, worlds, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("every world that is named can be made, under its name") {
    const std::vector<std::string> names = world_names(worlds);
    for (const std::string known : {"induction", "copying", "sorting", "regression", "sample"})
        CHECK(std::ranges::count(names, known) == 1);
    for (const std::string& name : names) {
        const auto task = make_task(name, worlds);
        CHECK(task->name() == name);
        CHECK_FALSE(task->title().empty());
        CHECK_FALSE(task->metric_name().empty());
        CHECK_NOTHROW(validate(task->config()));
        CHECK((task->tokenizer() == nullptr) == (task->config().input == InputKind::values));
        CHECK(task->batches()->shape(4).positions <= task->config().n_ctx);
    }
}

TEST_CASE("a world that is not there is answered with what there is, the nearest first") {
    const std::string message = error_of("inducton");
    CHECK(message.starts_with("there is no world \"inducton\"; there are induction, "));
    for (const std::string& name : world_names(worlds)) CHECK(message.find(name) != std::string::npos);
    CHECK(error_of("sortign").find("there are sorting, ") != std::string::npos);
    CHECK_FALSE(error_of("").empty());
    CHECK_FALSE(error_of("\xFF").empty());
}

TEST_CASE("a text file is a world by its path, and its name makes it again") {
    const TemporaryFolder folder;
    const std::string path = (folder / "mine.txt").string();
    std::ofstream(path) << std::string(3000, 'a') + "b";
    for (const std::string& world : {path, "text:" + path}) {
        const auto task = make_task(world, worlds);
        CHECK(task->name() == "text:" + path);
        CHECK(make_task(std::string(task->name()), worlds)->config() == task->config());
    }
    CHECK(world_names(folder.path()).back() == "mine");
    CHECK(make_task("mine", folder.path())->name() == "mine");
    CHECK(error_of(path + ".gone").find("there is no such file") != std::string::npos);
    CHECK(error_of("text:nowhere").find("nowhere: there is no such file") != std::string::npos);
    CHECK(error_of("text:").starts_with("there is no world \"text:\""));
}

TEST_CASE("word lists of one's own are of the kind that their lists say") {
    const TemporaryFolder folder;
    for (const std::string kind : {"coreference", "order", "translation"}) {
        const std::filesystem::path mine = folder / (kind + "-of-mine.words");
        std::filesystem::copy_file(worlds / (kind + ".words"), mine);
        const auto task = make_task(mine.string(), worlds);
        CHECK(task->name() == kind + "-of-mine");
        CHECK(task->metric_name() == make_task(kind, worlds)->metric_name());
        CHECK(task->config() == make_task(kind, worlds)->config());
    }
    const std::string path = (folder / "other.words").string();
    std::ofstream(path) << "colour = red | green\n";
    CHECK(error_of(path).find("order.words has a list 'positive'") != std::string::npos);
    CHECK(error_of((folder / "none.words").string()).find("there is no such file") != std::string::npos);
}

TEST_CASE("only a text is cut into units") {
    for (const std::string world : {"homonyms", "order", "sorting", "regression"})
        CHECK(error_of(world, {"words"}).find("\"" + world + "\" is no text") != std::string::npos);
    CHECK(error_of("sample", {"syllables"}).find("there is no unit \"syllables\"") != std::string::npos);
    CHECK(make_task("sample", worlds, {"words"})->tokenizer()->kind() == "words");
    CHECK(make_task("sample", worlds)->tokenizer()->kind() == "characters");
}
