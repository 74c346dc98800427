// A training as a sequence of pictures: glassformer film.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/io/run_folder.h"
#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// A short training of 40 steps, kept.
fs::path kept_run(const TemporaryFolder& folder) {
    const Ran ran = run({"train", "--world", "copying", "--steps", "40", "--batch", "8", "--run",
                         (folder / "run").string(), "--save-every", "10"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return folder / "run";
}

std::vector<std::string> film(const fs::path& from, const fs::path& out, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"film", from.string(), out.string(), "--size", "800x520"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

void check_refused(const std::vector<std::string>& arguments, int code, const std::string& part,
                   const std::string& before = {}) {
    const Ran ran = run(arguments, before);
    CAPTURE(ran.err);
    CHECK(ran.code == code);
    CHECK(ran.says(part));
}

}  // namespace

TEST_CASE("film: a picture of every kept step, the same bytes every time") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    std::vector<std::int64_t> steps;
    for (const TrainingState& keyframe : read_run(kept).keyframes) steps.push_back(keyframe.step);
    CHECK(steps == std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 32});
    const auto before = fs::last_write_time(kept / "log.jsonl");
    for (const char* out : {"first", "second"}) {
        const Ran ran = run(film(kept, folder / out), "unset DISPLAY; ");
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        CHECK(ran.out.find("8 pictures of steps 0 to 40") != std::string::npos);
        CHECK(ran.says("picture 8 of 8: step 40"));
    }
    CHECK(fs::last_write_time(kept / "log.jsonl") == before);
    const std::vector<std::string> names = names_in(folder / "first");
    REQUIRE(names.size() == 8);
    CHECK(names.front() == "frame-0001.png");
    CHECK(names.back() == "frame-0008.png");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string picture = contents(folder / "first" / names[i]);
        CHECK(picture.starts_with("\x89PNG"));
        CHECK(picture == contents(folder / "second" / names[i]));
        if (i > 0) CHECK(picture != contents(folder / "first" / names[i - 1]));
    }
}

TEST_CASE("film: fewer pictures with --every, of a checkpoint too, and what a script chose to look at") {
    const TemporaryFolder folder;
    write(folder / "dark.script", "key Ctrl+k\nframes 2\ntype \"dark theme\"\nframes 2\nkey Enter\nframes 2\n");
    const Ran plain = run(film(shipped_model, folder / "plain", {"--every", "500"}));
    const Ran dark =
        run(film(shipped_model, folder / "dark", {"--every", "500", "--script", (folder / "dark.script").string()}));
    CAPTURE(plain.err);
    CAPTURE(dark.err);
    REQUIRE(plain.code == 0);
    REQUIRE(dark.code == 0);
    const std::vector<std::string> names = names_in(folder / "plain");
    CHECK(names.size() >= 3);
    CHECK(names == names_in(folder / "dark"));
    CHECK(contents(folder / "plain" / names[1]) != contents(folder / "dark" / names[1]));
}

TEST_CASE("film: --forward tells the pass of a sentence, from its words to what the model says") {
    const TemporaryFolder folder;
    const fs::path model = GLASSFORMER_SOURCE_DIR "/assets/models/copying";
    const auto tell = [&](const char* out, const std::string& text) {
        const Ran ran = run(film(model, folder / out, {"--forward", "--text", text}));
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        const std::vector<std::string> names = names_in(folder / out);
        CHECK(ran.out.starts_with(std::to_string(names.size()) + " pictures of the forward pass, for 10 a second"));
        CHECK(ran.says("picture 1 of " + std::to_string(names.size())));
        return names;
    };
    const std::vector<std::string> names = tell("abc", "a b c :");
    REQUIRE(names.size() > 50);
    CHECK(names.front() == "frame-0001.png");
    CHECK(contents(folder / "abc" / names.front()) != contents(folder / "abc" / names[names.size() / 2]));
    CHECK(contents(folder / "abc" / names[names.size() / 2]) != contents(folder / "abc" / names.back()));
    // It is the pass of that sentence: with another the last picture differs, and it is as long.
    CHECK(tell("cab", "c a b :") == names);
    CHECK(contents(folder / "abc" / names.back()) != contents(folder / "cab" / names.back()));
    // It has no steps, and its pace is its own.
    check_refused(film(model, folder / "no", {"--forward", "--every", "5"}), 2, "--every");
    check_refused(film(model, folder / "no", {"--forward", "--rate", "5"}), 2, "--rate");
    CHECK_FALSE(fs::exists(folder / "no"));
}

TEST_CASE("film: --forward takes no item that its story does not change, and names those that it does") {
    const TemporaryFolder folder;
    const fs::path model = GLASSFORMER_SOURCE_DIR "/assets/models/copying", out = folder / "out";
    for (const char* item : {"A/pattern", "A/headline", "no such item"}) {
        CAPTURE(item);
        check_refused(film(model, out, {"--forward", "--text", "a b c :", "--panel", item}), 1,
                      std::string("the item \"") + item + "\" does not change during the forward pass");
        check_refused(film(model, out, {"--forward", "--text", "a b c :", "--panel", item}), 1, "whole/story/caption");
        CHECK_FALSE(fs::exists(out));
    }
    const Ran ran = run(film(model, out, {"--forward", "--text", "a b c :", "--panel", "whole/story/caption"}));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::vector<std::string> names = names_in(out);
    CHECK(contents(out / names.front()) != contents(out / names.back()));
}

TEST_CASE("film: --caption writes model, step and sentences below each picture of a panel") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    const auto size_of = [](const std::string& png) { return png.substr(16, 8); };  // width and height of its header
    for (const char* out : {"plain", "told"}) {
        std::vector<std::string> more = {"--panel", "A/headline"};
        if (out == std::string("told")) more.emplace_back("--caption");
        const Ran ran = run(film(kept, folder / out, more));
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
    }
    const std::vector<std::string> names = names_in(folder / "told");
    REQUIRE(names.size() == 8);
    const std::string first = contents(folder / "told" / names.front()), plain = contents(folder / "plain" / names[0]);
    CHECK(size_of(first).substr(0, 4) == size_of(plain).substr(0, 4));
    CHECK(size_of(first).substr(4) > size_of(plain).substr(4));  // the largest byte comes first
    for (std::size_t i = 1; i < names.size(); ++i) {
        const std::string picture = contents(folder / "told" / names[i]);
        CHECK(size_of(picture) == size_of(first));
        CHECK(picture != first);  // another step
    }
    check_refused(film(kept, folder / "no", {"--caption"}), 2, "--panel");
}

TEST_CASE("film: what cannot be read or written is told in one line") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder), out = folder / "out";
    check_refused({"film", kept.string()}, 2, "out");
    check_refused(film(folder / "none", out), 1, (folder / "none").string());
    check_refused(film(GLASSFORMER_SOURCE_DIR "/assets/models/gpt2-tiny-none", out), 1, "gpt2-tiny-none");
    write(folder / "file", "x");
    check_refused(film(kept, folder / "file"), 1, "it is a file, not a folder");
    fs::create_directory(folder / "used");
    write(folder / "used" / "frame-0001.png", "x");
    check_refused(film(kept, folder / "used"), 1, "the folder holds other files");
    CHECK(contents(folder / "used" / "frame-0001.png") == "x");
    check_refused(film(kept, "/proc/film"), 1, "/proc/film");
    // A disk that is full after the first picture or so: the shell's limit on a file's size, in blocks of 512 bytes.
    check_refused(film(kept, folder / "full"), 1, "0 pictures were written; free some space", "ulimit -f 4; ");
    CHECK(names_in(folder / "full").empty());
}

TEST_CASE("film: one file where ffmpeg is, cropped to a panel; else a message, and nothing is made") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    fs::create_directory(folder / "bin");
    // A machine without ffmpeg.
    check_refused(film(kept, folder / "x.mp4"), 1, "ffmpeg, which is not installed",
                  "PATH=" + in_quotes((folder / "bin").string()) + " ");
    CHECK_FALSE(fs::exists(folder / "x.mp4"));
    // One that fails says so; one that works is given all pictures, of the panel's size.
    const auto ffmpeg = [&](const std::string& script) {
        write(folder / "bin" / "ffmpeg", "#!/bin/sh\n" + script + "\n");
        fs::permissions(folder / "bin" / "ffmpeg", fs::perms::owner_all);
    };
    const std::string first = "PATH=" + in_quotes((folder / "bin").string()) + ":$PATH ";
    ffmpeg("echo 'no such codec' >&2; exit 3");
    check_refused(film(kept, folder / "x.gif"), 1, "no such codec", first);
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
    check_refused(film(kept, folder / "x.mp4"), 1, "already exists", first);
    check_refused(film(kept, folder / "y.mp4", {"--panel", "no such item"}), 1, "no such item", first);
    // The real one, and what its sister reads in the file.
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
        CHECK(std::abs(wide - (width[2] * 256 + width[3])) <= 1);  // a film's sizes are even
        CHECK(std::abs(high - (height[2] * 256 + height[3])) <= 1);
    }
}
