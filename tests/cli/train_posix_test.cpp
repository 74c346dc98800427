#include <unistd.h>

#include <algorithm>

#include "core/io/checkpoint.h"
#include "tests/cli/shell.h"
#include "tests/contains.h"

using namespace glassformer;

namespace {

std::vector<std::string> train(const std::string& out, const std::string& steps) {
    return {"train", "--world", "homonyms", "--steps", steps, "--seed", "1", "--out", out};
}

}  // namespace

TEST_CASE("an unwritable folder is reported before training") {
    if (geteuid() == 0) return;  // root can write everywhere
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "photos");
    std::filesystem::permissions(folder / "photos",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    const Ran ran = run(train((folder / "photos" / "model").string(), "5"));
    std::filesystem::permissions(folder / "photos", std::filesystem::perms::owner_all);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("cannot be written"));
}

TEST_CASE("a full disk while saving: the old checkpoint survives") {
    const TemporaryFolder folder;
    const std::string model = (folder / "model").string();
    REQUIRE(run(train(model, "3")).code == 0);
    const std::string before = contents(folder / "model" / "model.safetensors");
    // A file-size limit of 200 KB simulates the full disk; the shell counts in blocks of 512 bytes. SIGXFSZ, which ends
    // a program that exceeds the limit, keeps its default action: the program itself must cope.
    const Ran ran = run_after("ulimit -f 400; ", train(model, "5"));
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.says("cannot write"));
    CHECK(ran.says("model"));
    CHECK(ran.out == "");
    CHECK((contents(folder / "model" / "model.safetensors") == before));
    CHECK(load_checkpoint(folder / "model").step == 3);
    int entries = 0;  // no half-written folder next to it
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++entries;
    CHECK(entries == 1);
    // The same for the log.
    std::vector<std::string> arguments = {
        "train", "--world", "homonyms", "--steps", "60", "--log", (folder / "log").string()};
    const Ran logged = run_after("ulimit -f 2; ", arguments);
    CHECK(logged.code == 1);
    CHECK(logged.says((folder / "log").string()));
}

TEST_CASE("a full disk while a sweep's runs are kept: the results of all trainings are printed and written") {
    const TemporaryFolder folder;
    const std::string table = (folder / "table.csv").string();
    const Ran ran = run_after("ulimit -f 8; ", {"sweep", "--world", "copying", "--steps", "3", "--seeds", "1..2",
                                                "--at-once", "1", "--out", (folder / "runs").string(), "--csv", table});
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(contains(ran.out, "seed 1: "));
    CHECK(ran.says("seed 1: cannot write"));
    CHECK(ran.says("seed 2: cannot write"));
    CHECK(std::ranges::count(contents(table), '\n') == 3);
}

TEST_CASE("names that are not UTF-8: the model is saved, and the figures are printed") {
    const TemporaryFolder folder;
    const std::string world = (folder / "caf\xe9.txt").string(), model = (folder / "mod\xe9l").string();
    std::string text;
    for (int i = 0; i < 300; ++i) text += "the cat sees the dog. ";
    write(world, text);
    const Ran ran = run({"train", "--world", world, "--layers", "1", "--steps", "3", "--out", model});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    CHECK(contains(ran.out, "\"steps\":3"));
    CHECK(load_checkpoint(model).step == 3);
}
