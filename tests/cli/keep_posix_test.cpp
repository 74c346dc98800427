// Saved runs when a disk is full, a file cannot be read, or a signal asks the program to stop.
#include <csignal>

#include "core/io/checkpoint.h"
#include "core/io/run_folder.h"
#include "tests/cli/kept_runs.h"
#include "tests/cli/shell.h"
#include "tests/core/same_state.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("a disk that is full while a run is kept: training stops with an error, and the last state opens") {
    const TemporaryFolder folder;
    // A file-size limit of 10 KB simulates the full disk. No state fits, so the folder is not created.
    const Ran unmade = run_after("ulimit -f 20; ", keep(folder / "none", "copying", "60"));
    CHECK(unmade.code == 1);
    CHECK(unmade.says("cannot write"));
    CHECK_FALSE(fs::exists(folder / "none"));
    kill_at_state(keep(folder / "run", "induction", "400"), folder / "run", 14);
    const TrainingState before = read_run(folder / "run").state;
    const Ran ran = run_after("ulimit -f 20; ", {"train", "--resume", (folder / "run").string(), "--save-every", "7"});
    CHECK(ran.code == 1);
    CHECK(ran.says("cannot write"));
    CHECK(ran.says((folder / "run").string()));
    CHECK(same_state(read_run(folder / "run").state, before));
    CHECK(run({"train", "--resume", (folder / "run").string()}).code == 0);
    CHECK(read_run(folder / "run").state.step == 400);
}

TEST_CASE("kept runs: if the state cannot be read, --resume fails and leaves the run as it was") {
    const TemporaryFolder folder;
    const fs::path kept = folder / "run";
    REQUIRE(run(keep(kept, "copying", "20")).code == 0);
    const std::string log = contents(kept / "log.jsonl");
    fs::rename(kept / "state-20.safetensors", folder / "kept");
    fs::create_symlink("state-20.safetensors", kept / "state-20.safetensors");  // simulates an unreadable file
    const Ran refused = run({"train", "--resume", kept.string()});
    CHECK(refused.code == 1);
    CHECK(refused.one_line());
    CHECK(refused.says("state-20.safetensors"));
    CHECK((contents(kept / "log.jsonl") == log));
    fs::remove(kept / "state-20.safetensors");
    fs::rename(folder / "kept", kept / "state-20.safetensors");
    CHECK(run({"train", "--resume", kept.string()}).code == 0);
    CHECK((contents(kept / "log.jsonl") == log));
}

TEST_CASE("kept runs: SIGINT, SIGTERM and SIGHUP save the run and the model before the program ends") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        const TemporaryFolder folder;
        std::vector<std::string> arguments = {"train",
                                              "--world",
                                              "copying",
                                              "--steps",
                                              "100000",
                                              "--batch",
                                              "8",
                                              "--run",
                                              (folder / "run").string(),
                                              "--save-every",
                                              "1000000",
                                              "--out",
                                              (folder / "model").string()};
        const auto reached = [&] { return contents(folder / "run" / "log.jsonl").size() > 2000; };
        CHECK(run_until(arguments, reached, signal) == 128 + signal);
        const SavedRun saved = read_run(folder / "run");
        CHECK(saved.state.step > 5);
        CHECK(saved.log.points.back().step == saved.state.step);
        CHECK(load_checkpoint(folder / "model").step == saved.state.step);
    }
}
