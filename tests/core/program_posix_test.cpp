// Running other programs: whatever they do must not end or block this one.
#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "core/platform/atomic_file.h"
#include "core/platform/program.h"
#include "core/text/shown_bytes.h"
#include "tests/contains.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using platform::run_program;

namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

}  // namespace

TEST_CASE("a program that stops reading does not end this one, even while others start and end") {
    const TemporaryFolder folder;
    const std::string begun = (folder / "begun").string(), over = (folder / "over").string();
    std::string said_first, said_second;
    // The first runs when the second starts, and is over when the second closes its input.
    std::thread first([&] {
        run_program(shell("while [ ! -e " + begun + " ]; do sleep 0.01; done"), {}, said_first);
        run_program(shell(": > " + over), {}, said_first);
    });
    const std::string much(1 << 22, 'x');
    CHECK(
        run_program(shell(": > " + begun + "; while [ ! -e " + over + " ]; do sleep 0.01; done; exec 0<&-; sleep 0.2"),
                    much, said_second));
    first.join();
    CHECK(said_second.empty());
}

TEST_CASE("a program that hangs or floods is killed when its time is up, and the reason is given") {
    std::string said;
    CHECK_FALSE(run_program(shell("exec sleep 1000"), {}, said, std::chrono::seconds(0)));
    CHECK(said == "it did not finish in time");
    CHECK_FALSE(run_program(shell("exec yes >&2"), {}, said, std::chrono::seconds(1)));
    CHECK(said.size() <= 4096);
    CHECK_FALSE(run_program(shell("kill -9 $$"), {}, said));
    // So are the processes it started: a sleeping one would hold the other end of the pipe.
    const TemporaryFolder folder;
    const std::string pid = (folder / "pid").string();
    // On a busy machine it may not get this far within a second.
    for (std::chrono::seconds most{1}; !std::filesystem::exists(pid) && most.count() < 100; most *= 2)
        CHECK_FALSE(run_program(shell("sleep 1000 & echo $! >" + pid + ".new; mv " + pid + ".new " + pid + "; wait"),
                                {}, said, most));
    const int child = std::stoi(read_file(pid, 100));
    const auto is_gone = [&] {  // or waits to be reaped
        const std::string stat = "/proc/" + std::to_string(child) + "/stat";
        std::string state;
        std::getline(std::ifstream(stat), state);
        return state.empty() || contains(state, ") Z ");
    };
    for (int tries = 0; !is_gone() && tries < 1000; ++tries) ::usleep(10'000);
    CHECK(is_gone());
    CHECK_FALSE(run_program({"/no/such/program"}, {}, said));
    CHECK_FALSE(said.empty());
    CHECK(run_program(shell("cat >/dev/null"), std::string(1 << 20, 'x'), said));
}

TEST_CASE("invisible characters and invalid UTF-8 are found") {
    for (const char* text : {"a bat", "\tTab", "café", "\u05d0\u200f", "👩\u200d🔬", ""}) CHECK(hidden_in(text).empty());
    CHECK(hidden_in("a \u202etab") == "the character U+202E is invisible; remove it");
    CHECK(hidden_in(std::string_view("a\0b", 3)) == "the character U+0000 is invisible; remove it");
    CHECK(contains(hidden_in("a\u200bb"), "U+200B"));
    CHECK(hidden_in("caf\xE9") == "the byte ⟨E9⟩ is not UTF-8; save the file as UTF-8");
}
