#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/io/checkpoint.h"
#include "tests/cli/program.h"

using namespace glassformer;

namespace {

std::vector<std::string> train(const std::string& out, const std::string& steps = "5", const std::string& seed = "1") {
    return {"train", "--world", "homonyms", "--steps", steps, "--seed", seed, "--out", out};
}

void check_failed(const Ran& ran, const std::string& part) {
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says(part));
}

}  // namespace

TEST_CASE("train prints one line of figures, and writes its log") {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = train((folder / "model").string());
    arguments.insert(arguments.end(), {"--log", (folder / "log.jsonl").string()});
    const Ran ran = run(arguments);
    CHECK(ran.code == 0);
    const nlohmann::json figures = nlohmann::json::parse(ran.out);
    CHECK(figures["steps"] == 5);
    CHECK(figures["world"] == "homonyms");
    CHECK(figures["metric"] == "held-out sense accuracy");
    CHECK(figures["details"].size() == 3);
    CHECK(figures["details"]["block 1"] == figures["value"]);
    CHECK(figures["steps_to_level"].is_null());
    CHECK(ran.says("step 5 of 5"));
    CHECK(ran.says("held-out sense accuracy"));
    std::istringstream log(contents(folder / "log.jsonl"));
    int lines = 0;
    for (std::string line; std::getline(log, line); ++lines) CHECK(nlohmann::json::parse(line)["step"] == lines + 1);
    CHECK(lines == 5);
    const Checkpoint model = load_checkpoint(folder / "model");
    CHECK(model.step == 5);
    CHECK(model.log.size() == 5);
}

TEST_CASE("train keeps no more steps than asked for, from the first to one before the last") {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = train((folder / "model").string(), "40");
    arguments.insert(arguments.end(), {"--keyframes", "3"});
    REQUIRE(run(arguments).code == 0);
    const Checkpoint model = load_checkpoint(folder / "model");
    REQUIRE(model.keyframes.size() == 3);
    CHECK(model.keyframes[0].step == 0);
    CHECK(model.keyframes[1].step > 0);
    CHECK(model.keyframes[2].step > model.keyframes[1].step);
    CHECK(model.keyframes[2].step < 40);
}

TEST_CASE("names without a folder are relative to the working folder") {
    const TemporaryFolder folder;
    const Start here{.folder = folder.path()};
    for (const char* kind : {"--out", "--run"}) {
        const Ran ran =
            run({"train", "--world", "copying", "--steps", "1", kind, std::string("my_model") + kind}, here);
        CHECK_MESSAGE(ran.code == 0, ran.err);
    }
    for (const std::vector<std::string>& then :
         {std::vector<std::string>{"export", "my_model--run", "exported"},
          {"trace", "--model", "my_model--out", "--text", "a b", "--out", "t.safetensors"},
          {"pack", "my_model--out", "lecture.glass"}}) {
        const Ran ran = run(then, here);
        CHECK_MESSAGE(ran.code == 0, ran.err);
    }
    CHECK(load_checkpoint(folder / "my_model--out").step == 1);
    CHECK(load_checkpoint(folder / "exported").step == 1);
}

TEST_CASE("worlds train by their name, and options override their defaults") {
    for (const std::string world : {"homonyms", "coreference", "order", "translation"}) {
        const Ran ran = run({"train", "--world", world, "--steps", "2", "--batch", "8", "--learning-rate", "1e-3"});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        const nlohmann::json figures = nlohmann::json::parse(ran.out);
        CHECK(figures["world"] == world);
        CHECK(figures["steps"] == 2);
        CHECK(figures["value"] < figures["level"]);
        CHECK_FALSE(figures["details"].empty());
    }
}

TEST_CASE("the same seed gives the same bytes on one thread and on two, another seed different ones") {
    const TemporaryFolder folder;
    const auto trained = [&](const std::string& name, const std::string& threads, const std::string& seed) {
        std::vector<std::string> arguments = train((folder / name).string(), "5", seed);
        arguments.insert(arguments.end(), {"--threads", threads});
        REQUIRE(run(arguments).code == 0);
        return contents(folder / name / "model.safetensors");
    };
    const std::string first = trained("a", "1", "7");
    CHECK(first.size() > 100'000);
    CHECK((first == trained("b", "1", "7")));
    CHECK((first == trained("c", "2", "7")));
    CHECK_FALSE((first == trained("d", "2", "8")));
}

TEST_CASE("an output that cannot be written is reported before training, and nothing is left behind") {
    const TemporaryFolder folder;
    write(folder / "file", "mine");
    std::filesystem::create_directory(folder / "photos");
    write(folder / "photos" / "cat.png", "cat");
    check_failed(run(train((folder / "file" / "model").string())), (folder / "file").string());
    check_failed(run(train((folder / "missing" / "model").string())), (folder / "missing").string());
    check_failed(run(train((folder / "file").string())), "it is a file");
    check_failed(run(train((folder / "photos").string())), "it contains \"cat.png\"");
    check_failed(run({"train", "--world", "homonyms", "--steps", "5", "--log", (folder / "missing" / "log").string()}),
                 (folder / "missing" / "log").string());
    check_failed(run({"train", "--world", (folder / "none.grammar").string(), "--steps", "5"}), "none.grammar");
    CHECK(contents(folder / "file") == "mine");
    CHECK(contents(folder / "photos" / "cat.png") == "cat");
}
