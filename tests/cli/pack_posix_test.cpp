#include <unistd.h>

#include <cstdlib>

#include "tests/cli/shell.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("a .glass file opens for another user, who cannot read the first user's files") {
    const TemporaryFolder mine, theirs;
    const std::string file = (theirs / "lecture.glass").string(), home = theirs.path().string();
    const std::string nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ",
                      as_nobody = nobody + "env -i PATH=\"$PATH\" HOME=" + in_quotes(home) + " ";
    if (::geteuid() != 0 ||
        std::system((nobody + "test -x " + in_quotes(GLASSFORMER_PROGRAM) + " 2>/dev/null").c_str()) != 0) {
        MESSAGE("Skipped: only root can become somebody else, with setpriv, and run the program as them");
        return;
    }
    const std::string own = (mine / "run").string();
    REQUIRE(run({"train", "--world", "homonyms", "--steps", "5", "--threads", "1", "--run", own}).code == 0);
    fs::permissions(mine.path(), fs::perms::owner_all);
    REQUIRE(std::system((nobody + "ls " + in_quotes(own) + " >/dev/null 2>&1").c_str()) != 0);
    Ran ran = run({"pack", own, file, "--text", "the bat flew out ."});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    fs::permissions(theirs.path(), fs::perms::all);
    fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    const std::string here = (theirs / "here.npz").string(), there = (theirs / "there.npz").string();
    ran = run_after(as_nobody, {"trace", "--model", file, "--text", "a bat", "--out", there});
    CHECK(ran.err == "");
    CHECK(run({"trace", "--model", own, "--text", "a bat", "--out", here}).code == 0);
    CHECK(contents(there) == contents(here));
    ran = run_after(as_nobody, {"shot", (theirs / "x.png").string(), "--size", "640x400", "--model", file});
    CHECK(ran.err == "");
    CHECK(contents(theirs / "x.png").starts_with("\x89PNG"));
    // The file contains the curves of its training too.
    ran = run_after(as_nobody, {"metrics", file, "--csv", "-"});
    CHECK(ran.code == 0);
}
