// The account's limits are too low: a full disk, little memory, few threads, a small stack.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/cli/shell.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("hostile: writing to standard output on a full disk is an error") {
    if (!fs::is_character_file("/dev/full")) return;
    const TemporaryFolder folder;
    for (const char* arguments : {" --version", " --help", " generate --model induction --tokens 3 --count 2"}) {
        CAPTURE(arguments);
        const std::string command = in_quotes(GLASSFORMER_PROGRAM) + arguments + " >/dev/full 2>" +
                                    in_quotes((folder / "err").string()) + " </dev/null";
        CHECK(WEXITSTATUS(std::system(command.c_str())) == 1);
        CHECK(contents(folder / "err").starts_with("glassformer: cannot write to standard output: "));
    }
}

TEST_CASE("hostile: a sweep keeps its runs although its table cannot be written") {
    if (!fs::is_character_file("/dev/full")) return;
    const TemporaryFolder folder;
    const Ran ran = run({"sweep", "--world", "copying", "--steps", "2", "--seeds", "1..2", "--csv", "/dev/full",
                         "--out", (folder / "runs").string()});
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.says("/dev/full"));
    for (const char* name : {"seed-1", "seed-2"}) CHECK(fs::exists(folder / "runs" / name / "run.json"));
}

TEST_CASE("hostile: a model that does not fit in memory is reported as such, with advice") {
    const Ran ran = run_after("ulimit -v 1500000; ",
                              {"train", "--world", "homonyms", "--steps", "1", "--d-model", "4096", "--layers", "12"});
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("not enough memory"));
    CHECK(ran.says("smaller model"));
}

namespace {

/// Commands that people run, from light to heavy; their output goes into `folder`.
std::vector<std::vector<std::string>> commands_in(const TemporaryFolder& folder, const std::string& name) {
    const std::string to = (folder / name).string();
    return {{"generate", "--model", "induction", "--tokens", "3", "--count", "2"},
            {"train", "--world", "homonyms", "--steps", "3", "--threads", "3", "--out", to + ".model"},
            {"trace", "--model", "homonyms", "--text", "a bat flew .", "--out", to + ".npz"},
            {"metrics", shipped_model.string(), "--csv", to + ".csv"},
            {"check", "--model", "homonyms"},
            {"shot", "--size", "1280x720", to + ".png"},
            {"film", "--every", "400", "--size", "800x600", shipped_model.string(), to + ".film"}};
}

/// Runs all commands under each limit; each succeeds or fails with a message. Returns how many succeeded.
int played_under(const std::vector<std::string>& limits) {
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms::all);
    int done = 0;
    for (std::size_t i = 0; i < limits.size(); ++i)
        for (const std::vector<std::string>& command : commands_in(folder, std::to_string(i))) {
            const Ran ran = run_after(limits[i], command);
            CAPTURE(limits[i]);
            CAPTURE(command.front());
            CAPTURE(ran.err);
            CHECK((ran.code == 0 || (ran.code == 1 && ran.says("glassformer: "))));  // film first reports its pictures
            done += ran.code == 0 ? 1 : 0;
        }
    return done;
}

}  // namespace

TEST_CASE("hostile: with little memory every command works or fails with a message") {
    std::vector<std::string> limits;
    for (const int megabytes : {300, 400, 500, 600, 700, 800, 1000, 1500, 2000})
        limits.push_back("ulimit -v " + std::to_string(megabytes * 1024) + "; ");
    CHECK(played_under(limits) > 45);
}

TEST_CASE("hostile: with few threads or none to be had, every command works or fails with a message") {
    // The limit counts all threads of a user and does not apply to root.
    if (geteuid() != 0 || std::system("setpriv --version >/dev/null 2>&1") != 0) return;
    std::vector<std::string> limits;
    for (const int threads : {1, 2, 3, 4, 6})
        limits.push_back(
            "exec setpriv --reuid=61235 --regid=61235 --clear-groups --inh-caps=-all --bounding-set=-all "
            "prlimit --nproc=" +
            std::to_string(threads) + " ");
    CHECK(played_under(limits) > 20);
}

TEST_CASE("hostile: the program works with any stack size") {
    const TemporaryFolder folder;
    for (const char* stack : {"256", "1024", "2048", "unlimited"}) {
        CAPTURE(stack);
        const std::string limit = std::string("ulimit -s ") + stack + "; ";
        const Ran generated = run_after(limit, {"generate", "--model", "induction", "--tokens", "3", "--count", "2"});
        CHECK_MESSAGE(generated.code == 0, generated.err);
        const Ran trained = run_after(limit, {"train", "--world", "homonyms", "--steps", "3", "--threads", "3", "--out",
                                              (folder / stack).string()});
        CHECK_MESSAGE(trained.code == 0, trained.err);
    }
}
