// A program that keeps a run is killed at random moments; its folder must open every time, with the last complete
// state. GLASSFORMER_KILLS sets the number of kills (tests/bench/kill_run_folders.sh).
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "core/base/rng.h"
#include "tests/core/run_to_keep.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

constexpr int kills_in_a_test = 40, same_folder = 10;
constexpr std::size_t parameters = 20'000;

int kills() {
    const char* asked = std::getenv("GLASSFORMER_KILLS");
    return asked ? std::atoi(asked) : kills_in_a_test;
}

/// Creates the run or continues it, saving every third step, until it is killed.
[[noreturn]] void keep_a_run(const fs::path& folder) {
    try {
        RunFolder run = is_run_folder(folder)
                            ? RunFolder::open(folder)
                            : RunFolder::create(folder, settings_to_keep(), nullptr, nullptr, state_at(0, parameters));
        for (std::int64_t step = run.saved_step() + 1;; ++step) {
            run.append({step, static_cast<float>(step)});
            if (step % 3 == 0) run.save_state(state_at(step, parameters));
            if (step % 50 == 0) {
                RunSettings look = run.settings();
                look.name = "try at step " + std::to_string(step);
                run.set_settings(look);
            }
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    _exit(1);
}

/// Returns whether the process was still at work when it was killed.
bool killed_after(useconds_t microseconds, const fs::path& folder) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) keep_a_run(folder);
    usleep(microseconds);
    ::kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
}

/// Opens the folder, checks every number and returns the step of its state.
std::int64_t check_whole(const fs::path& folder) {
    RunFolder run = RunFolder::open(folder);
    const TrainingState state = run.take_state();
    CHECK(same_state(state, state_at(state.step, parameters)));
    CHECK(std::ssize(run.log().points) == state.step);
    std::int64_t step = 0;
    bool in_order = true;
    for (const MetricPoint& p : run.log().points) in_order &= p.step == ++step && p.loss == static_cast<float>(step);
    CHECK(in_order);
    return state.step;
}

}  // namespace

TEST_CASE("kills: a run's folder opens whenever its program was killed, and never at an earlier step than before") {
    const TemporaryFolder base;
    Rng rng(static_cast<std::uint64_t>(getpid()));
    std::int64_t last = 0, saved = 0;
    std::uint64_t microseconds = 40'000;
    int before_it_was_made = 0;
    for (int kill = 0; kill < kills(); ++kill) {
        CAPTURE(kill);
        const fs::path folder = base / ("run-" + std::to_string(kill / same_folder));
        if (kill % same_folder == 0) last = 0;
        // The first kill of each folder aims at its creation, the others at its updates.
        const std::uint64_t longest = kill % same_folder == 0 ? microseconds / 10 : microseconds;
        CHECK(killed_after(static_cast<useconds_t>(rng.below(longest)), folder));
        // If nothing was saved in time (a busy machine, a sanitizer), the next process gets longer.
        if (saved == 0) microseconds = std::min<std::uint64_t>(2 * microseconds, 2'000'000);
        if (!fs::exists(folder)) {  // it exists whole or not at all
            CHECK(last == 0);
            ++before_it_was_made;
            continue;
        }
        const std::int64_t step = check_whole(folder);
        CHECK(step >= last);
        saved += step - last;
        last = step;
    }
    CHECK(saved > 0);
    MESSAGE(kills() << " kills, " << before_it_was_made << " before the folder was there; steps kept: " << saved);
}
