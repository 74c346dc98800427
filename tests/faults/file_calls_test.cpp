// Saved data is written and read while one system call fails: each call in turn. Nothing that was complete is lost, and
// what is opened again is either the old or the new version.
#include <doctest/doctest.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/io/model_files.h"
#include "core/io/run_folder.h"
#include "core/nn/transformer.h"
#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/train/timeline.h"
#include "tests/core/run_to_keep.h"
#include "tests/core/temporary_folder.h"
#include "tests/faults/failing_calls.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

constexpr int most_calls = 2000;

/// Runs `work` with call 1, 2, 3 … failing, until it makes no more calls. `begin` restores the initial state before
/// each run; `check` examines the result and receives true if `work` succeeded.
template <class Begin, class Do, class Check>
void with_each_call_failing(int error, const Begin& begin, const Do& work, const Check& check) {
    for (int which = 1;; ++which) {
        CAPTURE(which);
        CAPTURE(error);
        REQUIRE(which < most_calls);
        begin();
        const int open = open_files();
        bool done = true, happened = true;
        {
            const FailingCall failing(which, error);
            try {
                work();
            } catch (const Error&) {
                done = false;
            } catch (const fs::filesystem_error&) {
                done = false;
            }
            happened = failing.happened();
        }
        CHECK(open_files() == open);
        check(done);
        if (!happened) {
            CHECK(done);
            CHECK(which > 3);
            return;
        }
    }
}

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

/// The bytes of every file under `folder` by relative path, except the lock.
std::map<std::string, std::string> tree(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().filename() != "run.lock")
            files[entry.path().lexically_relative(folder).string()] = contents(entry.path());
    return files;
}

Checkpoint checkpoint_at(std::int64_t step) {
    Checkpoint c;
    c.config = settings_to_keep().config;
    c.world = "mine";
    c.source = std::make_shared<const WorldSource>(WorldSource{"order", "mine.words", "a = b"});
    c.step = step;
    const auto graph = build_transformer(c.config, {1, 1, 0}).graph;
    c.parameters =
        std::make_shared<ParameterValues>(static_cast<std::size_t>(graph->parameter_count()), static_cast<float>(step));
    c.log = {{1, 2.0f}, {step, 1.0f}};
    return c;
}

/// Checks that all files of a checkpoint are of the same step, and returns that step.
std::int64_t whole_checkpoint(const fs::path& folder) {
    const Checkpoint c = load_checkpoint(folder);
    CHECK(c.parameters->front() == static_cast<float>(c.step));
    REQUIRE(!c.log.empty());
    CHECK(c.log.back().step == c.step);
    CHECK(c.source);
    return c.step;
}

MetricPoint point(std::int64_t step) { return {step, 1.0f / static_cast<float>(step)}; }

/// Writes ten steps, with a state after every fifth.
void write_run(const fs::path& folder) {
    RunFolder run = create_run(folder);
    for (std::int64_t step = 1; step <= 10; ++step) {
        run.append(point(step));
        if (step % 5 == 0) run.save_state(state_at(step));
    }
    Timeline timeline;
    for (const std::int64_t step : {0, 5, 10}) timeline.keep(state_at(step));
    run.save_keyframes(timeline);
}

}  // namespace

TEST_CASE("if a call fails while a checkpoint is replaced, the old one or the new one is left") {
    for (const int error : {EIO, ENOSPC}) {
        const TemporaryFolder folder;
        const fs::path model = folder / "model";
        with_each_call_failing(
            error, [&] { save_checkpoint(model, checkpoint_at(3)); }, [&] { save_checkpoint(model, checkpoint_at(7)); },
            [&](bool done) {
                const std::int64_t step = whole_checkpoint(model);
                CHECK((step == 3 || step == 7));
                if (done) CHECK(step == 7);
                for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove_all(entry.path());
            });
    }
}

TEST_CASE("if a call fails while a checkpoint or run is read, the error says so and nothing changes") {
    const TemporaryFolder folder;
    save_checkpoint(folder / "model", checkpoint_at(3));
    write_run(folder / "run");
    const auto before = tree(folder.path());
    const auto unchanged = [&](bool) { CHECK((tree(folder.path()) == before)); };
    // Reads outside doctest's checks, which would report the Error as a failure of the test.
    const auto reading = [&](const auto& work) {
        with_each_call_failing(
            EIO, [] {}, work, unchanged);
    };
    reading([&] {
        const Checkpoint c = load_checkpoint(folder / "model");
        CHECK(c.step == 3);
    });
    reading([&] {
        const SavedRun run = read_run(folder / "run");
        CHECK(run.state.step == 10);
        CHECK(run.keyframes.size() == 3);
    });
    reading([&] {
        const RunFolder run = RunFolder::open(folder / "run");
        CHECK(run.saved_step() == 10);
        CHECK(run.log().points.size() == 10);
    });
}

TEST_CASE("checkpoints and runs are complete even if the system reads and writes a few bytes at a time") {
    const TemporaryFolder folder;
    save_checkpoint(folder / "model", checkpoint_at(3));
    write_run(folder / "run");
    const Checkpoint whole = load_checkpoint(folder / "model");
    const SavedRun run = read_run(folder / "run");
    const ShortCalls few(7);
    save_checkpoint(folder / "again", checkpoint_at(3));
    for (const char* name : {"model", "again"}) CHECK(*load_checkpoint(folder / name).parameters == *whole.parameters);
    const SavedRun same = read_run(folder / "run");
    CHECK(*same.state.parameters == *run.state.parameters);
    CHECK(same.keyframes.size() == run.keyframes.size());
    write_file_atomically(folder / "text", "a few bytes more than seven");
    CHECK(contents(folder / "text") == "a few bytes more than seven");
}

TEST_CASE("if a call fails while a run is created, the run is complete or absent") {
    const TemporaryFolder folder;
    const fs::path kept = folder / "run";
    with_each_call_failing(
        ENOSPC, [&] { fs::remove_all(kept); }, [&] { create_run(kept); },
        [&](bool done) {
            if (is_run_folder(kept)) CHECK(read_run(kept).state.step == 0);
            if (done) CHECK(RunFolder::open(kept).saved_step() == 0);
        });
}

TEST_CASE("if a call fails while a run is written, it opens again at a step that it had, and continues") {
    for (const int error : {EIO, ENOSPC}) {
        const TemporaryFolder folder;
        const fs::path kept = folder / "run";
        with_each_call_failing(
            error,
            [&] {
                fs::remove_all(kept);
                write_run(kept);
            },
            [&] {
                RunFolder run = RunFolder::open(kept);
                for (std::int64_t step = 11; step <= 14; ++step) run.append(point(step));
                run.save_state(state_at(14));
                Timeline timeline;
                for (const std::int64_t step : {0, 5, 14}) timeline.keep(state_at(step));
                run.save_keyframes(timeline);
                RunSettings settings = run.settings();
                settings.name = "renamed";
                run.set_settings(settings);
            },
            [&](bool done) {
                RunFolder run = RunFolder::open(kept);
                const std::int64_t step = run.saved_step();
                CHECK((step == 10 || step == 14));
                if (done) CHECK(step == 14);
                CHECK(run.take_state().parameters->front() == static_cast<float>(step));
                const std::vector<MetricPoint>& points = run.log().points;
                REQUIRE(static_cast<std::int64_t>(points.size()) == step);
                for (std::size_t i = 0; i < points.size(); ++i) CHECK(points[i] == point(static_cast<int>(i) + 1));
                for (const TrainingState& moment : run.keyframes())
                    CHECK(moment.parameters->front() == static_cast<float>(moment.step));
                run.append(point(step + 1));
                run.save_state(state_at(step + 1));
            });
    }
}

TEST_CASE("if a call fails while a file is replaced, it has the old or the new content") {
    const TemporaryFolder folder;
    const fs::path file = folder / "file";
    with_each_call_failing(
        ENOSPC, [&] { write_file_atomically(file, "old"); }, [&] { write_file_atomically(file, "the new one"); },
        [&](bool done) {
            const std::string now = contents(file);
            CHECK((now == "the new one" || (!done && now == "old")));
        });
}

TEST_CASE("if a call fails while a timeline spills steps to disk, it keeps the newest and returns those that it has") {
    const TemporaryFolder folder;
    constexpr std::size_t bytes = 3 * 3 * 2000 * sizeof(float);  // memory holds three states
    with_each_call_failing(
        ENOSPC, [] {},
        [&] {
            Timeline timeline({.memory_bytes = bytes, .spill = folder / "steps"});
            std::string trouble;
            for (std::int64_t step = 0; step < 12; ++step) {
                try {
                    timeline.keep(state_at(step));
                } catch (const Error& e) {
                    trouble = e.what();
                }
                CHECK(timeline.steps().back() == step);
            }
            for (const std::int64_t step : timeline.steps()) {
                const TrainingState state = timeline.nearest(step);
                CHECK(state.parameters->front() == static_cast<float>(state.step));
            }
            if (!trouble.empty()) throw Error(trouble);
        },
        [&](bool) { fs::remove_all(folder / "steps"); });  // in case the call that failed was to remove it
}

TEST_CASE("a read that comes in pieces fills exactly the bytes that were asked for") {
    const TemporaryFolder folder;
    const std::string text = "a text of more than one piece, and then some";
    write_file_atomically(folder / "text", text);
    const platform::File file(folder / "text", platform::OpenFor::reading, "read", folder / "text");
    for (const std::size_t piece : {1u, 7u, 20u, 21u, 100u}) {
        CAPTURE(piece);
        const ShortCalls few(piece);
        std::string bytes(24, '#');
        std::size_t count = 0;
        CHECK(file.read(3, std::span(bytes).first(20), count) == 0);
        CHECK(count == 20);
        CHECK(bytes == text.substr(3, 20) + "####");
        CHECK(file.read(text.size() - 5, std::span(bytes).first(20), count) == 0);
        CHECK(count == 5);
    }
}
