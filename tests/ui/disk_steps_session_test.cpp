#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "app/session/opened_model.h"
#include "app/session/run_list.h"
#include "app/session/session.h"
#include "tests/contains.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/plain_session.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("steps on disk: off by default; the files are deleted when it is switched off and at exit") {
    const TemporaryFolder folder;
    const SetVariable cache("XDG_CACHE_HOME", folder.path().string());
    const std::filesystem::path steps = disk_steps_folder();
    CHECK(steps == folder / "glassformer" / "steps");
    std::filesystem::create_directories(steps / "timeline-999999999-0");  // left by a program that was killed
    {
        Session session(options(false));
        CHECK_FALSE(settled(session)->disk_steps.on);
        session.send(command::KeepOnDisk{{true, 2}});
        CHECK(settled(session)->disk_steps == DiskSteps{true, 2});
        CHECK_FALSE(std::filesystem::exists(steps / "timeline-999999999-0"));
        CHECK_FALSE(std::filesystem::is_empty(steps));
        session.send(command::MakeSteps{3});
        paused_at(session, 3);
        session.send(command::KeepOnDisk{{false, 2}});
        CHECK_FALSE(settled(session)->disk_steps.on);
        CHECK(std::filesystem::is_empty(steps));
        session.send(command::KeepOnDisk{{true, 1}});
        CHECK(settled(session)->disk_steps.on);
    }
    CHECK(std::filesystem::is_empty(steps));
    std::filesystem::remove_all(folder / "glassformer");
    std::ofstream(folder / "glassformer") << "a file where the folder is to be";
    Session session(options(false));
    session.send(command::KeepOnDisk{{true, 1}});
    const auto s = settled(session);
    CHECK_FALSE(s->disk_steps.on);
    CHECK(contains(s->error, "glassformer"));
}

namespace {

/// A model so large that memory holds only a few of its steps: 45 MB each. Most of it is rows for positions that no
/// training text reaches: they take memory, but hardly any time.
TrainingSetup large_setup(Session& session) {
    session.send(command::Propose{"copying", std::nullopt});
    TrainingSetup setup = settled(session)->preview->setup;
    setup.config.d_model = 128;
    setup.config.n_ctx = 30'000;
    setup.options.batch = 1;
    return setup;
}

}  // namespace

// Links to /dev/full simulate a full disk.
TEST_CASE("steps on disk: a full disk is reported once, training continues, and the kept steps remain" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    const SetVariable cache("XDG_CACHE_HOME", folder.path().string());
    Session session(options(false));
    const TrainingSetup setup = large_setup(session);
    session.send(command::KeepOnDisk{{true, 64}});
    CHECK(settled(session)->disk_steps == DiskSteps{true, 64});
    session.send(command::NewRun{setup, "large"});
    REQUIRE(settled(session)->error == "");
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(disk_steps_folder())) {
        ++folders;
        for (int step = 0; step <= 128; ++step)
            std::filesystem::create_symlink("/dev/full", entry.path() / ("step-" + std::to_string(step) + ".state"));
    }
    REQUIRE(folders == 2);  // one per run
    session.send(command::MakeSteps{66});
    const auto s = paused_at(session, 66);
    CHECK(s->error_number == 1);
    CHECK(contains(s->error, "No space left on device"));
    CHECK(contains(s->error, "training continues, and some steps are dropped when memory is full"));
    CHECK(s->history->size() == 66);
    REQUIRE(s->kept_steps.size() >= 3);
    CHECK(s->kept_steps.back() == 66);  // of the pause; in memory
    for (const std::int64_t step : s->kept_steps) {
        session.send(command::LookAt{step});
        CHECK(settled(session)->step == step);
    }
    CHECK(session.snapshot()->error_number == 1);
}

TEST_CASE("steps on disk: if their folder cannot be created, a new run keeps its steps in memory") {
    const TemporaryFolder folder;
    const SetVariable cache("XDG_CACHE_HOME", folder.path().string());
    Session session(options(false));
    session.send(command::KeepOnDisk{{true, 1}});
    REQUIRE(settled(session)->disk_steps.on);
    std::filesystem::remove_all(folder / "glassformer");
    std::ofstream(folder / "glassformer") << "a file where the folder is to be";
    session.send(command::Propose{"copying", std::nullopt});
    session.send(command::NewRun{settled(session)->preview->setup, "in memory"});
    session.send(command::MakeSteps{3});
    const auto s = wait_for(session, [](const Snapshot& n) { return n.live_step == 3 && n.error_number > 0; });
    CHECK(s->current_run()->name == "in memory");
    CHECK(contains(s->error, "glassformer"));
    CHECK(contains(s->error, "training continues"));
    CHECK(settled(session)->kept_steps.size() >= 3);
}

TEST_CASE("steps on disk: every budget in gigabytes is that many bytes") {
    for (const int gigabytes : DiskSteps::budgets)
        CHECK(static_cast<double>(DiskSteps{true, gigabytes}.bytes()) == gigabytes * 1073741824.0);
    static_assert(sizeof(std::size_t) >= 8);
}

TEST_CASE("the steps of all runs share the budgets of memory and disk") {
    const TemporaryFolder folder;
    const SetVariable cache("XDG_CACHE_HOME", folder.path().string());
    CpuBackend backend(1);
    RunList runs(backend);
    const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";
    const OpenedModel opened = open_world("copying", worlds);
    const auto model = std::make_shared<ActiveModel>(backend, opened);
    const TrainingSetup setup{"copying", {}, opened.start.config, opened.task->options};
    const auto add = [&] { runs.add(std::make_unique<TrainingRun>(runs.next_id(), "run", model, setup)); };
    const auto limits = [&] { return runs.current()->timeline().limits(); };
    add();
    runs.keep_on_disk({true, 4});
    CHECK(limits().memory_bytes == most_timeline_bytes);
    CHECK(limits().spill_bytes == std::uint64_t{4} << 30);
    for (int i = 0; i < 7; ++i) add();
    CHECK(limits().memory_bytes == most_timelines_bytes / 8);
    CHECK(limits().spill_bytes == (std::uint64_t{4} << 30) / 8);
    CHECK(runs.at(0).timeline().limits().memory_bytes == most_timelines_bytes / 8);
    for (int id = 7; id > 1; --id) runs.remove(id);
    CHECK(limits().memory_bytes == most_timeline_bytes);
    CHECK(limits().spill_bytes == std::uint64_t{2} << 30);
}
