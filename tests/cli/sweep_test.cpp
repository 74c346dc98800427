#include <doctest/doctest.h>

#include "core/io/checkpoint.h"
#include "core/io/run_folder.h"
#include "tests/cli/program.h"

using namespace glassformer;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<float> floats(const Parameters& parameters) {
    const std::span<const float> all = parameters->all();
    return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a sweep's runs equal those of train, byte for byte, and can be resumed") {
    const TemporaryFolder folder;
    const std::string out = (folder / "runs").string();
    const Ran ran =
        run({"sweep", "--world", "homonyms", "--seeds", "1..2", "--vary", "heads=2,4", "--steps", "60", "--out", out,
             "--csv", "-", "--claim", "{A: top \"bat\"} = foul", "--text", "he swung the bat and hit a foul ."});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    const std::vector<std::string> lines = lines_of(ran.out);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] ==
          "run,seed,n_heads,state,step,loss,held_out_loss,metric,metric_step,seconds,block,head,distance,said,holds");
    CHECK(lines[1].starts_with("seed 1 · heads 2,1,2,done,60,"));
    CHECK(lines[4].starts_with("seed 2 · heads 4,2,4,done,60,"));
    for (std::size_t i = 1; i < lines.size(); ++i)
        CHECK((lines[i].ends_with(",foul,yes") || lines[i].ends_with(",no")));
    REQUIRE(run({"train", "--world", "homonyms", "--seed", "2", "--heads", "2", "--steps", "60", "--out",
                 (folder / "alone").string()})
                .code == 0);
    const SavedRun kept = read_run(folder / "runs/seed-2_heads-2");
    CHECK(floats(kept.state.parameters) == floats(load_checkpoint(folder / "alone").parameters));
    CHECK(kept.log.points.size() == 60);
    CHECK(kept.state.exact());
    CHECK(kept.settings.name == "seed 2 · heads 2");
    // The run can be resumed.
    CHECK(run({"train", "--resume", (folder / "runs/seed-2_heads-2").string()}).code == 0);
}

TEST_CASE("a sweep over shares of the data equals train with that share, and gives the step of each figure") {
    const TemporaryFolder folder;
    const std::string out = (folder / "runs").string();
    const Ran ran = run({"sweep", "--world", "order", "--vary", "data-share=0.1,1", "--steps", "20", "--out", out});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::vector<std::string> lines = lines_of(ran.out);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("data share 0.1: held-out sentiment accuracy "));
    CHECK(contains(lines[0], " %, at step 20"));
    REQUIRE(
        run({"train", "--world", "order", "--data-share", "0.1", "--steps", "20", "--out", (folder / "alone").string()})
            .code == 0);
    const SavedRun kept = read_run(folder / "runs/data-share-0.1"), all = read_run(folder / "runs/data-share-1");
    CHECK(kept.settings.options.data_share == 0.1f);
    CHECK(floats(kept.state.parameters) == floats(load_checkpoint(folder / "alone").parameters));
    CHECK(floats(kept.state.parameters) != floats(all.state.parameters));
    const Ran anew = run({"sweep", "--world", "copying", "--vary", "data_share=0.1,1", "--steps", "1"});
    CHECK(anew.code == 1);
    CHECK(anew.one_line());
    CHECK(anew.says("makes every sentence anew"));
}

TEST_CASE("a sweep reports what is wrong with it in one line") {
    const TemporaryFolder folder;
    const auto refused = [](std::vector<std::string> more, int code, const std::string& part) {
        std::vector<std::string> all{"sweep", "--world", "homonyms", "--steps", "1"};
        all.insert(all.end(), more.begin(), more.end());
        const Ran ran = run(all);
        CAPTURE(ran.err);
        CHECK(ran.code == code);
        CHECK(ran.one_line());
        CHECK(ran.says(part));
    };
    refused({}, 2, "say what the runs differ in");
    refused({"--seeds", "1..40"}, 1, "at most 12 runs; 1..40 are more");
    refused({"--seeds", "3..1"}, 1, "\"3..1\" is not a range");
    refused({"--seeds", "1,1"}, 1, "seed has the value 1 twice");
    refused({"--vary", "heads"}, 2, "\"heads\" is not a setting with its value");
    refused({"--seeds", "1", "--set", "heads=1,2"}, 2, "\"heads=1,2\" is not one value");
    refused({"--seeds", "1,2", "--set", "seed=9"}, 2, "seed is given twice");
    refused({"--vary", "learning-rate=0.01,1e-2"}, 1, "learning rate has the value 1e-2 twice");
    refused({"--vary", "heads=3"}, 1, "heads 3: ");
    refused({"--vary", "wheels=3"}, 1, "there is no setting \"wheels\"; choose one of seed, steps, ");
    refused({"--seeds", "1", "--set", "attention=1"}, 1, "there is no setting \"attention\"");
    refused({"--seeds", "1", "--text", ""}, 1, "the text has no word");
    refused({"--seeds", "1", "--vary", "heads=1,2", "--vary", "layers=1,2"}, 1, "in one thing or in two, not in 3");
    refused({"--seeds", "1", "--claim", "{A: nothing \"bat\"} = foul"}, 2, "--claim: ");
    write(folder / "here", "something");
    refused({"--seeds", "1", "--out", (folder / "here").string()}, 1, "a folder that is not empty");
}

TEST_CASE("a sweep reports unknown words of its sentences") {
    const Ran ran = run({"sweep", "--world", "homonyms", "--seeds", "1", "--steps", "1", "--text", "the flumph"});
    CHECK(ran.code == 0);
    CHECK(ran.says("\"flumph\" is not in the vocabulary"));
}

TEST_CASE("a sweep looks at the sentence that it was given, or says why a run cannot read it") {
    const auto sweep = [](std::vector<std::string> more) {
        std::vector<std::string> all{"sweep", "--steps", "1"};
        all.insert(all.end(), more.begin(), more.end());
        return run(all);
    };
    const Ran words = sweep({"--world", "regression", "--seeds", "1", "--text", "the bat"});
    CHECK(words.code == 1);
    CHECK(words.one_line());
    CHECK(words.says("--text: \"the\" is not a number"));
    CHECK(sweep({"--world", "regression", "--seeds", "1", "--text", "sample 3", "--compare", "sample 4"}).code == 0);
    // The second of the two models reads fewer tokens.
    std::string many = "he";
    for (int i = 0; i < 40; ++i) many += " swung";
    const Ran too_long = sweep({"--world", "homonyms", "--vary", "n_ctx=64,32", "--compare", many});
    CHECK(too_long.code == 1);
    CHECK(too_long.one_line());
    CHECK(too_long.says("--compare: the sentence has 41 tokens; this model reads at most 32"));
}
