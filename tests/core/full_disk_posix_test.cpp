// A run on a full disk, simulated by a limit on file sizes.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <system_error>

#include "core/text/character_tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/error_of.h"
#include "tests/core/run_to_keep.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("run folder: on a full disk the error names the file, and log and states stay as they were") {
    const TemporaryFolder folder;
    RunFolder run = twenty_steps(folder / "run");
    TrainingState large = state_at(30);
    large.parameters = std::make_shared<const ParameterValues>(1 << 17, 1.0f);
    large.optimizer = {};
    struct rlimit old {};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    const auto log_bytes = fs::file_size(folder / "run" / "log.jsonl");
    const struct rlimit full { log_bytes + 20, old.rlim_max };
    setrlimit(RLIMIT_FSIZE, &full);
    const std::string log_error = error_of([&] { run.append(metrics_at(21)); });
    const std::string state_error = error_of([&] { run.save_state(large); });
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, before);
    CHECK(contains(log_error, "log.jsonl"));
    CHECK(contains(state_error, "state-30.safetensors"));
    CHECK(fs::file_size(folder / "run" / "log.jsonl") == log_bytes);
    CHECK(same_state(read_run(folder / "run").state, state_at(20)));
    run.append(metrics_at(21));  // once there is space again, the run continues
    run.save_state(state_at(21));
    CHECK(same_state(read_run(folder / "run").state, state_at(21)));
}

TEST_CASE("a tokenizer that does not fit on the disk says so") {
    if (!fs::is_character_file("/dev/full")) return;
    const auto named = [](const std::string& error) {
        CAPTURE(error);
        CHECK(error.starts_with("cannot write \"/dev/full\": "));
        CHECK(contains(error, std::make_error_code(std::errc::no_space_on_device).message()));
    };
    named(error_of([] { WordTokenizer({"bat"}).save("/dev/full"); }));
    named(error_of([] { CharacterTokenizer::from_text("bat").save("/dev/full"); }));
}
