// Films with ffmpeg, which is just another program on the PATH, and in places that cannot be written to.
#include <cstdlib>

#include "tests/cli/films.h"
#include "tests/cli/shell.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("film: an unwritable folder or a full disk is reported") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    film_refused(film(kept, "/proc/film"), 1, "/proc/film");
    // A file-size limit of 2 KB simulates a full disk: no picture fits. The shell counts in blocks of 512 bytes.
    const Ran ran = run_after("ulimit -f 4; ", film(kept, folder / "full"));
    CHECK(ran.code == 1);
    CHECK(ran.says("0 pictures were written; free some space"));
    CHECK(names_in(folder / "full").empty());
}

TEST_CASE("film: writes one file with ffmpeg, cropped to a panel; without ffmpeg, an error and no file") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    fs::create_directory(folder / "bin");
    // On a machine without ffmpeg.
    film_refused(film(kept, folder / "x.mp4"), 1, "ffmpeg, which is not installed",
                 {.variables = {{"PATH", (folder / "bin").string()}}});
    CHECK_FALSE(fs::exists(folder / "x.mp4"));
    // If ffmpeg fails, that is reported; if it works, it receives all pictures in the panel's size.
    const auto ffmpeg = [&](const std::string& script) {
        write(folder / "bin" / "ffmpeg", "#!/bin/sh\n" + script + "\n");
        fs::permissions(folder / "bin" / "ffmpeg", fs::perms::owner_all);
    };
    const Start first{.variables = {{"PATH", (folder / "bin").string() + ":" + std::getenv("PATH")}}};
    ffmpeg("echo 'no such codec' >&2; exit 3");
    film_refused(film(kept, folder / "x.gif"), 1, "no such codec", first);
    CHECK_FALSE(fs::exists(folder / "x.gif"));
    ffmpeg(
        "for last; do :; done\n"
        "while [ \"$1\" != -i ]; do shift; done\n"
        "ls \"$(dirname \"$2\")\" | wc -l >\"$last\"\n"
        "head -c 24 \"$(dirname \"$2\")/frame-0001.png\" | tail -c 8 | od -An -tu1 >>\"$last\"");
    const Ran ran = run(film(kept, folder / "x.mp4", {"--panel", "A/headline", "--rate", "5"}), first);
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    std::istringstream told(contents(folder / "x.mp4"));
    int pictures = 0, width[4] = {}, height[4] = {};
    told >> pictures;
    for (int& byte : width) told >> byte;
    for (int& byte : height) told >> byte;
    CHECK(pictures == 8);
    CHECK(width[2] * 256 + width[3] < 800);
    CHECK(height[2] * 256 + height[3] < 100);
    film_refused(film(kept, folder / "x.mp4"), 1, "already exists", first);
    film_refused(film(kept, folder / "y.mp4", {"--panel", "no such item"}), 1, "no such item", first);
    const Ran nowhere = run(film(kept, folder / "missing" / "z.mp4"), first);
    CHECK(nowhere.code == 1);
    CHECK(nowhere.one_line());  // no picture was drawn for it
    CHECK(nowhere.says((folder / "missing" / "z.mp4").string()));
    // The real ffmpeg; ffprobe reads what it wrote.
    if (std::system("(ffmpeg -version && ffprobe -version) >/dev/null 2>&1") != 0) return;
    for (const char* name : {"real.mp4", "real.gif"}) {
        CAPTURE(name);
        const Ran made = run(film(kept, folder / name, {"--panel", "A/headline", "--rate", "5"}));
        CAPTURE(made.err);
        REQUIRE(made.code == 0);
        const std::string said = (folder / "said").string();
        REQUIRE(std::system(("ffprobe -v error -count_frames -select_streams v -show_entries "
                             "stream=width,height,nb_read_frames -of csv=p=0 " +
                             in_quotes((folder / name).string()) + " >" + in_quotes(said))
                                .c_str()) == 0);
        int wide = 0, high = 0, frames = 0;
        REQUIRE(std::sscanf(contents(said).c_str(), "%d,%d,%d", &wide, &high, &frames) == 3);
        CHECK(frames == 8);
        CHECK(std::abs(wide - (width[2] * 256 + width[3])) <= 1);  // a film's width and height are even
        CHECK(std::abs(high - (height[2] * 256 + height[3])) <= 1);
    }
}
