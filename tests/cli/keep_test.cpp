// Saved runs: --run, --resume, export, metrics.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/io/run_folder.h"
#include "core/io/safetensors.h"
#include "tests/cli/kept_runs.h"
#include "tests/contains.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

void check_refused(const std::vector<std::string>& arguments, int code, const std::string& part) {
    const Ran ran = run(arguments);
    CAPTURE(ran.err);
    CHECK(ran.code == code);
    CHECK(ran.one_line());
    CHECK(ran.says(part));
}

std::string last_state(const fs::path& folder, int step) {
    return contents(folder / ("state-" + std::to_string(step) + ".safetensors"));
}

/// The log without the one number that depends on the clock.
std::vector<MetricPoint> untimed_log(const fs::path& folder) {
    std::vector<MetricPoint> points = read_run(folder).log.points;
    for (MetricPoint& p : points) p.tokens_per_second = 0.0f;
    return points;
}

}  // namespace

TEST_CASE("train --run keeps settings, log and the newest two states") {
    const TemporaryFolder folder;
    const Ran ran = run(keep(folder / "run", "copying", "20"));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const nlohmann::json figures = nlohmann::json::parse(ran.out);
    CHECK(figures["run"] == (folder / "run").string());
    CHECK(figures["events"].is_array());
    const SavedRun kept = read_run(folder / "run");
    CHECK(kept.settings.name == "run");
    CHECK(kept.settings.world == "copying");
    CHECK(kept.settings.options.batch == 8);
    CHECK(kept.settings.options.schedule.total == 20);
    CHECK(kept.state.step == 20);
    CHECK(kept.state.seed == 1);
    CHECK(kept.state.optimizer.kind == OptimizerKind::adamw);
    CHECK(kept.state.optimizer.updates == 20);
    CHECK(kept.state.exact());
    CHECK(fs::exists(folder / "run" / "state-14.safetensors"));
    CHECK_FALSE(fs::exists(folder / "run" / "state-7.safetensors"));
    REQUIRE(kept.log.points.size() == 20);
    for (const MetricPoint& p : kept.log.points) {
        CHECK(p.gradient_norm > 0.0f);
        CHECK(p.learning_rate > 0.0f);
        CHECK(p.tokens_per_second > 0.0f);
    }
    CHECK(kept.log.points.back().accuracy >= 0.0f);
    CHECK(kept.log.points.back().held_out_loss > 0.0f);
    REQUIRE(kept.log.heads.size() == 1);
    CHECK(kept.log.heads[0].scores.size() == 8);
}

TEST_CASE("a run that is killed and resumed ends with the bytes of an uninterrupted one") {
    const TemporaryFolder folder;
    REQUIRE(run(keep(folder / "whole", "induction", "300")).code == 0);
    kill_at_state(keep(folder / "killed", "induction", "300"), folder / "killed", 14);
    const Ran ran = run({"train", "--resume", (folder / "killed").string(), "--save-every", "7", "--threads", "1"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(nlohmann::json::parse(ran.out)["steps"] == 300);
    CHECK((last_state(folder / "killed", 300) == last_state(folder / "whole", 300)));
    CHECK(last_state(folder / "whole", 300).size() > 100'000);
    CHECK((untimed_log(folder / "killed") == untimed_log(folder / "whole")));
    CHECK(read_run(folder / "killed").log.heads == read_run(folder / "whole").log.heads);
    // The run is complete: resuming it again changes nothing.
    REQUIRE(run({"train", "--resume", (folder / "killed").string()}).code == 0);
    CHECK((last_state(folder / "killed", 300) == last_state(folder / "whole", 300)));
}

TEST_CASE("export: a run's model equals the checkpoint of train --out, with the same logits") {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = keep(folder / "run", "copying", "20");
    arguments.insert(arguments.end(), {"--out", (folder / "out").string()});
    REQUIRE(run(arguments).code == 0);
    const Ran ran = run({"export", (folder / "run").string(), (folder / "exported").string()});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(contains(ran.out, "Hugging Face"));
    for (const char* file : {"config.json", "model.safetensors", "vocab.txt", "log.jsonl"}) {
        CAPTURE(file);
        CHECK(contents(folder / "out" / file).size() > 0);
        CHECK((contents(folder / "out" / file) == contents(folder / "exported" / file)));
    }
    CHECK(contains(contents(folder / "exported" / "config.json"), "\"model_type\": \"gpt2\""));
    // A round trip through files: the exported model computes the same as the run's parameters.
    const auto traced = [&](const char* model) {
        const fs::path file = folder / (std::string(model) + ".safetensors");
        REQUIRE(
            run({"trace", "--model", (folder / model).string(), "--tokens", "3,4,5,6", "--out", file.string()}).code ==
            0);
        return contents(file);
    };
    CHECK((traced("out") == traced("exported")));
    const SavedRun kept = read_run(folder / "run");
    CHECK((*load_checkpoint(folder / "exported").parameters == *kept.state.parameters));
    // A checkpoint can be exported too.
    REQUIRE(run({"export", (folder / "out").string(), (folder / "again").string()}).code == 0);
    CHECK((contents(folder / "again" / "model.safetensors") == contents(folder / "out" / "model.safetensors")));
}

TEST_CASE("export says when Hugging Face's GPT-2 cannot compute a model, and why") {
    const TemporaryFolder folder;
    REQUIRE(run(keep(folder / "run", "induction", "3")).code == 0);
    const Ran ran = run({"export", (folder / "run").string(), (folder / "out").string()});
    CHECK(ran.code == 0);
    CHECK(contains(ran.out, "positions is rotary"));
    CHECK(load_checkpoint(folder / "out").step == 3);
}

TEST_CASE("metrics writes the curves of a run and of a shipped model") {
    const TemporaryFolder folder;
    REQUIRE(run(keep(folder / "run", "copying", "10")).code == 0);
    REQUIRE(run({"metrics", (folder / "run").string(), "--csv", (folder / "curves.csv").string()}).code == 0);
    std::istringstream lines(contents(folder / "curves.csv"));
    std::string line;
    std::getline(lines, line);
    CHECK(line == "step,loss,held_out_loss,metric,gradient_norm,learning_rate,tokens_per_second,clip_factor");
    int count = 0;
    while (std::getline(lines, line)) CHECK(line.starts_with(std::to_string(++count) + ","));
    CHECK(count == 10);
    REQUIRE(run({"metrics", shipped_model.string(), "--csv", (folder / "shipped.csv").string()}).code == 0);
    CHECK(contains(contents(folder / "shipped.csv"), "\n50,3.20416689,3.1199553,0.61500001,2.27895045,0.00497968122,"));
}

TEST_CASE("a run of an earlier version, which does not carry its text, is not resumed if the text has changed") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 300; ++i) text += "the cat sees the dog. ";
    write(folder / "my.txt", text);
    REQUIRE(run(keep(folder / "run", (folder / "my.txt").string(), "10")).code == 0);
    CHECK(read_run(folder / "run").log.points.back().held_out_loss > 0.0f);
    nlohmann::json settings = nlohmann::json::parse(contents(folder / "run" / "run.json"));
    settings["world"] = (folder / "my.txt").string();
    write(folder / "run" / "run.json", settings.dump());
    fs::remove(folder / "run" / "world.json");
    REQUIRE(run({"train", "--resume", (folder / "run").string()}).code == 0);
    text.replace(0, 7, "the dog");
    write(folder / "my.txt", text + text);
    check_refused({"train", "--resume", (folder / "run").string()}, 1, "has changed since the run");
    fs::remove(folder / "my.txt");
    check_refused({"train", "--resume", (folder / "run").string()}, 1, "my.txt");
}

TEST_CASE("kept runs: invalid requests are refused, and nothing is lost") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "run").string(), none = (folder / "none").string();
    REQUIRE(run(keep(kept, "copying", "3")).code == 0);
    const std::string state = last_state(kept, 3);
    fs::create_directory(folder / "photos");
    write(folder / "photos" / "cat.png", "cat");
    write(folder / "file", "mine");
    check_refused(keep(kept, "copying", "3"), 1, "--resume");
    check_refused(keep(folder / "photos", "copying", "3"), 1, "the folder is not empty");
    check_refused(keep(folder / "file", "copying", "3"), 1, "file");
    check_refused(keep(folder / "missing" / "run", "copying", "3"), 1, "missing");
    check_refused({"train", "--resume", none}, 1, "not a run's folder");
    // The message suggests no name that is already taken.
    check_refused({"train", "--resume", (folder / "file").string()}, 1, "--run FOLDER makes");
    check_refused({"train", "--resume", (folder / "photos").string()}, 1, "--run FOLDER");
    check_refused({"train", "--resume", kept, "--steps", "9"}, 2, "excludes");
    check_refused({"train", "--resume", kept, "--world", "copying"}, 2, "excludes");
    check_refused({"train"}, 2, "--resume");
    check_refused({"train", "--world", "copying", "--run", none, "--save-every", "0"}, 2, "--save-every");
    check_refused({"train", "--world", "copying", "--run", none, "--save-seconds", "nan"}, 2, "--save-seconds");
    check_refused({"export", none, (folder / "out").string()}, 1, "is neither a run");
    check_refused({"export", kept, kept}, 1, "that folder contains a run");
    check_refused({"export", kept, (folder / "photos").string()}, 1, "it contains \"cat.png\"");
    check_refused({"export", kept}, 2, "out");
    check_refused({"metrics", none, "--csv", none}, 1, "is neither a run");
    check_refused({"metrics", kept, "--csv", (folder / "missing" / "x.csv").string()}, 1, "x.csv");
    check_refused({"metrics", kept}, 2, "--csv");
    CHECK((last_state(kept, 3) == state));
    CHECK(contents(folder / "photos" / "cat.png") == "cat");
    fs::resize_file(fs::path(kept) / "state-3.safetensors", 64);
    fs::remove(fs::path(kept) / "state-0.safetensors");
    check_refused({"train", "--resume", kept}, 1, "no complete state");
}

TEST_CASE("train: overfitting is reported in the figures, and while it trains") {
    const TemporaryFolder folder;
    std::string text;
    std::uint64_t random = 7;
    for (int i = 0; i < 700; ++i) {  // random words: there is nothing to learn but the text itself
        random = random * 6364136223846793005u + 1442695040888963407u;
        text += "w" + std::to_string((random >> 33) % 25) + (i % 10 == 9 ? ".\n" : " ");
    }
    write(folder / "noise.txt", text);
    const Ran ran = run({"train", "--world", (folder / "noise.txt").string(), "--steps", "600", "--batch", "16",
                         "--run", (folder / "run").string()});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(ran.says("the model is starting to overfit"));
    const nlohmann::json figures = nlohmann::json::parse(ran.out);
    bool found = false;
    for (const nlohmann::json& event : figures["events"]) found |= event["kind"] == "overfitting";
    CHECK(found);
    const std::vector<MetricPoint> log = read_run(folder / "run").log.points;
    float best = 1e9f;
    for (const MetricPoint& p : log)
        if (p.held_out_loss >= 0.0f) best = std::min(best, p.held_out_loss);
    CHECK(log.back().held_out_loss > 1.03f * best);
    CHECK(log.back().loss < best);
}

TEST_CASE("kept runs: --resume reports the state that it set aside, and the log lines that it dropped") {
    const TemporaryFolder folder;
    const fs::path kept = folder / "run";
    REQUIRE(run(keep(kept, "copying", "20")).code == 0);
    fs::resize_file(kept / "state-20.safetensors", 100);
    const Ran ran = run({"train", "--resume", kept.string()});
    CHECK(ran.code == 0);
    CHECK(ran.says("state-20.safetensors.damaged, and the run continues from step 14"));
    CHECK(ran.says("its lines after step 14 are dropped"));
    CHECK(fs::exists(kept / "state-20.safetensors.damaged"));
    CHECK(read_run(kept).log.points.size() == 20);
}

TEST_CASE("kept runs: generate reads a run's newest state like its export, and metrics prints the table") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "run").string(), out = (folder / "out").string();
    REQUIRE(run(keep(kept, "copying", "7")).code == 0);
    REQUIRE(run({"export", kept, out}).code == 0);
    const auto generated = [](const std::string& model) {
        return run({"generate", "--model", model, "--tokens", "3,4,5", "--count", "4", "--threads", "1"});
    };
    const Ran of_run = generated(kept);
    CHECK_MESSAGE(of_run.code == 0, of_run.err);
    CHECK(of_run.out == generated(out).out);
    CHECK(of_run.out.size() > 4);
    REQUIRE(run({"metrics", kept, "--csv", (folder / "table.csv").string()}).code == 0);
    const Ran printed = run({"metrics", kept, "--csv", "-"});
    CHECK(printed.code == 0);
    CHECK(printed.out == contents(folder / "table.csv"));
    CHECK(printed.out.starts_with("step,loss"));
}

TEST_CASE("kept runs: --resume keeps as many steps as the run was started with") {
    const TemporaryFolder folder;
    const fs::path kept = folder / "run";
    REQUIRE(run({"train", "--world", "order", "--layers", "1", "--heads", "1", "--d-model", "4", "--steps", "3200",
                 "--batch", "4", "--threads", "1", "--keyframes", "200", "--run", kept.string()})
                .code == 0);
    const std::vector<TrainingState> before = read_run(kept).keyframes;
    CHECK(before.size() > 100);
    RunSettings settings = read_run(kept).settings;
    settings.options.schedule.total += 64;
    write_run_settings(kept / "run.json", settings);
    REQUIRE(run({"train", "--resume", kept.string(), "--threads", "1"}).code == 0);
    CHECK(read_run(kept).keyframes.size() >= before.size() + 2);
}

TEST_CASE("an error while training still saves the model of the last step") {
    if (!fs::is_character_file("/dev/full")) return;
    const TemporaryFolder folder;
    const std::string model = (folder / "model").string();
    const Ran ran = run({"train", "--world", "homonyms", "--steps", "50", "--log", "/dev/full", "--out", model});
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.says("cannot write the log /dev/full"));
    CHECK(ran.says("is saved in " + model));
    CHECK(load_checkpoint(model).step >= 1);
    const std::string before = contents(folder / "model" / "model.safetensors");
    const Ran again =
        run({"train", "--world", "homonyms", "--seed", "2", "--steps", "9", "--log", "/dev/full", "--out", model});
    CHECK(again.code == 1);
    CHECK((contents(folder / "model" / "model.safetensors") == before));  // an older model stays
}
