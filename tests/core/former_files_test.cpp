// Files written by earlier versions (tests/core/former_files) open, and are written again byte for byte.
#include <doctest/doctest.h>

#include "core/io/checkpoint.h"
#include "core/io/run_folder.h"
#include "core/platform/atomic_file.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const fs::path former = GLASSFORMER_SOURCE_DIR "/tests/core/former_files";

void require_same_bytes(const fs::path& written, const fs::path& before) {
    INFO(written.filename());
    CHECK(read_file(written, 1 << 20) == read_file(before, 1 << 20));
}

}  // namespace

TEST_CASE("former files: a run opens with its settings, log, state and kept steps") {
    const SavedRun run = read_run(former / "run");
    CHECK(run.settings.config.positions == Positions::rotary);
    CHECK(run.settings.config.attention.window == 3);
    CHECK(run.settings.options.schedule.total == 4);
    CHECK(run.state.step == 4);
    CHECK(run.state.exact());
    CHECK(run.state.optimizer.updates == 4);
    CHECK(run.keyframes.size() == 4);
    REQUIRE(run.log.points.size() == 4);
    CHECK(run.log.points[3].held_out_loss == doctest::Approx(3.39784145));
    CHECK(run.log.heads.size() == 1);

    const TemporaryFolder folder;
    write_run_settings(folder / "run.json", run.settings);
    require_same_bytes(folder / "run.json", former / "run" / "run.json");
}

TEST_CASE("former files: a checkpoint opens, matches the run's model, and is saved byte for byte") {
    const Checkpoint c = load_checkpoint(former / "checkpoint");
    CHECK(c.step == 4);
    CHECK(c.keyframes.size() == 2);
    CHECK(*c.parameters == *read_run(former / "run").state.parameters);

    const TemporaryFolder folder;
    save_checkpoint(folder / "again", c);
    for (const char* file : {"config.json", "model.safetensors", "timeline.safetensors", "log.jsonl", "vocab.txt"})
        require_same_bytes(folder / "again" / file, former / "checkpoint" / file);
}
