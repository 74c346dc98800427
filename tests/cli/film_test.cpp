// A training as a sequence of pictures: glassformer film.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/io/run_folder.h"
#include "tests/cli/films.h"
#include "tests/contains.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("film: a picture of every kept step, with the same bytes every time") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    std::vector<std::int64_t> steps;
    for (const TrainingState& keyframe : read_run(kept).keyframes) steps.push_back(keyframe.step);
    CHECK(steps == std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 32});
    const auto before = fs::last_write_time(kept / "log.jsonl");
    for (const char* out : {"first", "second"}) {
        const Ran ran = run(film(kept, folder / out), no_screen);
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        CHECK(contains(ran.out, "8 pictures of steps 0 to 40"));
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

TEST_CASE("film: --every makes fewer pictures, also of a checkpoint, and a script decides what is shown") {
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

TEST_CASE("film: --forward shows the forward pass of a sentence, from its words to the model's output") {
    const TemporaryFolder folder;
    const fs::path model = own_sources / "assets/models/copying";
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
    // The film shows the pass of that sentence: with another one, the last picture differs and the length is the same.
    CHECK(tell("cab", "c a b :") == names);
    CHECK(contents(folder / "abc" / names.back()) != contents(folder / "cab" / names.back()));
    // The forward pass has no training steps, and its pace is fixed.
    film_refused(film(model, folder / "no", {"--forward", "--every", "5"}), 2, "--every");
    film_refused(film(model, folder / "no", {"--forward", "--rate", "5"}), 2, "--rate");
    CHECK_FALSE(fs::exists(folder / "no"));
}

TEST_CASE("film: --forward refuses items that do not change during the pass, and names those that do") {
    const TemporaryFolder folder;
    const fs::path model = own_sources / "assets/models/copying", out = folder / "out";
    for (const char* item : {"A/pattern", "A/headline", "no such item"}) {
        CAPTURE(item);
        film_refused(film(model, out, {"--forward", "--text", "a b c :", "--panel", item}), 1,
                     std::string("the item \"") + item + "\" does not change during the forward pass");
        film_refused(film(model, out, {"--forward", "--text", "a b c :", "--panel", item}), 1, "whole/story/caption");
        CHECK_FALSE(fs::exists(out));
    }
    const Ran ran = run(film(model, out, {"--forward", "--text", "a b c :", "--panel", "whole/story/caption"}));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::vector<std::string> names = names_in(out);
    CHECK(contents(out / names.front()) != contents(out / names.back()));
}

TEST_CASE("film: --caption adds space for a caption below each picture of a panel") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder);
    const auto size_of = [](const std::string& png) { return png.substr(16, 8); };  // width and height in the header
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
    CHECK(size_of(first).substr(4) > size_of(plain).substr(4));  // big-endian
    for (std::size_t i = 1; i < names.size(); ++i) {
        const std::string picture = contents(folder / "told" / names[i]);
        CHECK(size_of(picture) == size_of(first));
        CHECK(picture != first);  // another step
    }
    film_refused(film(kept, folder / "no", {"--caption"}), 2, "--panel");
}

TEST_CASE("film: what cannot be read or written is reported in one line") {
    const TemporaryFolder folder;
    const fs::path kept = kept_run(folder), out = folder / "out";
    film_refused({"film", kept.string()}, 2, "out");
    film_refused(film(folder / "none", out), 1, (folder / "none").string());
    film_refused(film(own_sources / "assets/models/gpt2-tiny-none", out), 1, "gpt2-tiny-none");
    write(folder / "file", "x");
    film_refused(film(kept, folder / "file"), 1, "it is a file, not a folder");
    fs::create_directory(folder / "used");
    write(folder / "used" / "frame-0001.png", "x");
    film_refused(film(kept, folder / "used"), 1, "the folder holds other files");
    CHECK(contents(folder / "used" / "frame-0001.png") == "x");
    // The place is checked before the model is opened.
    film_refused(film(folder / "none", folder / "file"), 1, "it is a file, not a folder");
    film_refused(film(folder / "none", folder / "used"), 1, "the folder holds other files");
    film_refused(film(folder / "none", folder / "file" / "in" / "a" / "file"), 1, "cannot create the folder");
    CHECK_FALSE(fs::exists(out));
}
