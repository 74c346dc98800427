#include <doctest/doctest.h>

#include "tests/cli/program.h"

using namespace glassformer;

namespace {

constexpr int gap = 12;

struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
};

/// Reads width and height from a PNG's header: big-endian, at bytes 16 and 20.
Size size_of(const std::filesystem::path& png) {
    const std::string bytes = contents(png);
    REQUIRE(bytes.size() > 24);
    const auto number = [&](std::size_t at) {
        int value = 0;
        for (std::size_t i = at; i < at + 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes[i]);
        return value;
    };
    return {number(16), number(20)};
}

}  // namespace

TEST_CASE("gallery: a place that cannot be written to is reported before anything is drawn") {
    const TemporaryFolder folder;
    write(folder / "a.script", "frames 1\n");
    const std::string missing = (folder / "missing" / "sheet.png").string();
    for (const std::string& out : {missing, folder.path().string()}) {
        const Ran ran = run({"gallery", out, "--scenes", folder.path().string(), "--size", "640x400"});
        CHECK(ran.code == 1);
        CHECK(ran.one_line());
        CHECK(ran.says(out));
        CHECK(ran.out.empty());  // it names each scene that it has drawn
    }
}

TEST_CASE("gallery: every scene of a folder is on the sheet, and in a file of its own") {
    const TemporaryFolder folder;
    const std::filesystem::path scenes = folder / "scenes", each = folder / "each", sheet = folder / "sheet.png";
    std::filesystem::create_directories(scenes);
    for (const char* name : {"a", "b", "c", "d"}) write(scenes / (std::string(name) + ".script"), "frames 1\n");
    write(scenes / "e.script", "# A translating model.\r\n# model: translation\r\nexpect_item \"A/source 0\"\r\n");
    const Ran ran = run({"gallery", sheet.string(), "--scenes", scenes.string(), "--each", each.string(), "--size",
                         "640x400", "--thumbnail", "64", "--theme", "dark"});
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.out == "a\nb\nc\nd\ne\n5 pictures on " + sheet.string() + "\n");
    CHECK(size_of(sheet) == Size{gap + 3 * (64 + gap), gap + 2 * (40 + gap)});
    for (const char* name : {"a", "b", "c", "d", "e"})
        CHECK(size_of(each / (std::string(name) + ".png")) == Size{640, 400});
}

TEST_CASE("gallery: a folder without scenes, or a broken scene, is reported") {
    const TemporaryFolder folder;
    const std::string sheet = (folder / "sheet.png").string();
    const auto fails = [&](const std::string& scenes, const std::string& why) {
        const Ran ran = run({"gallery", sheet, "--scenes", scenes, "--size", "64x64"});
        CHECK(ran.code == 1);
        CHECK_MESSAGE(ran.says(why), ran.err);
        CHECK(!std::filesystem::exists(sheet));
    };
    fails((folder / "none").string(), (folder / "none").string());
    fails(folder.path().string(), "there are no scenes");
    write(folder / "wrong.script", "click \"no such item\"\n");
    fails(folder.path().string(), (folder / "wrong.script").string() + ":1: ");
}

TEST_CASE("gallery: an error in one scene does not stop the others from being drawn") {
    const TemporaryFolder folder;
    const std::filesystem::path scenes = folder / "scenes", sheet = folder / "sheet.png";
    std::filesystem::create_directories(scenes);
    write(scenes / "a.script", "frames 1\n");
    write(scenes / "b.script", "click \"no such item\"\n");
    write(scenes / "c.script", "frames 1\n");
    const Ran ran =
        run({"gallery", sheet.string(), "--scenes", scenes.string(), "--size", "64x64", "--thumbnail", "32"});
    CHECK(ran.code == 1);
    CHECK_MESSAGE(ran.says((scenes / "b.script").string() + ":1: "), ran.err);
    CHECK(ran.out == "a\nc\n2 pictures on " + sheet.string() + "\n");
    CHECK(std::filesystem::exists(sheet));
}
