#include <chrono>
#include <filesystem>
#include <string>

#include "app/desktop/export_picture.h"
#include "app/export/picture_files.h"
#include "app/lessons/lesson_file.h"
#include "app/ui/png_picture.h"
#include "core/platform/atomic_file.h"
#include "tests/core/error_of.h"
#include "tests/core/png_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t red = 0xC02040, blue = 0x2040C0;
const std::string head = "lesson: Mine\nmodel: homonyms\n\n== One\nA: a bat flew .\n\nBefore it.\n\n",
                  shown = "![a bat in a cave](figures/bat.png)\n\nBehind it.\n";

/// A lesson with a picture next to its file.
struct Written {
    TemporaryFolder folder;
    explicit Written(const std::string& text, const std::string& png = png_of(64, 40, red)) {
        fs::create_directory(folder / "figures");
        write_file_atomically(folder / "mine.lesson", text);
        write_file_atomically(folder / "figures/bat.png", png);
    }
};

Box box_of(const Story& story, const std::string& label) {
    const Item* item = story.find(label);
    REQUIRE(item);
    return {item->min, item->max};
}
std::uint32_t middle(Story& story, const std::string& label) {
    const Box box = box_of(story, label);
    return pixel(story.picture(), (box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2);
}

const std::string item = "lesson/picture figures/bat.png";

/// The problem with the only picture of a lesson, or "".
std::string problem(const std::string& file, const PictureSource& source) {
    const Lesson lesson = parse_lesson(head + "![it](" + file + ")\n", "mine", source);
    REQUIRE(lesson.pictures.size() == 1);
    CHECK(lesson.pictures[0]->png.empty() != lesson.pictures[0]->problem.empty());
    return lesson.pictures[0]->problem;
}

}  // namespace

TEST_CASE("lesson picture: it is a paragraph of its own, with a file in the lesson's folder") {
    const auto why = [](const std::string& text) {
        return error_of([&] { parse_lesson(head + text + "\n", "mine"); });
    };
    const auto says = [&](const std::string& text, const std::string& what) {
        const std::string message = why(text);
        CAPTURE(message);
        return message.starts_with("mine:9: text: ") && contains(message, what);
    };
    const Lesson lesson = parse_lesson(head + shown + "\nwhen {length} > 3: ![a bat in a cave](figures/bat.png)\n",
                                       "mine", [](const std::string&) { return png_of(3, 2, red); });
    REQUIRE(lesson.steps[0].text.size() == 4);
    const LiveText::Piece& piece = lesson.steps[0].text[1].text.pieces.at(0);
    CHECK(piece.text == "a bat in a cave");
    REQUIRE(piece.picture);
    CHECK(piece.picture->file == "figures/bat.png");
    CHECK(piece.picture->line == 9);
    CHECK(piece.picture->width == 3);
    CHECK(piece.picture->height == 2);
    CHECK(lesson.steps[0].text[3].when);
    CHECK(lesson.steps[0].text[3].text.pieces.at(0).picture == piece.picture);  // read once
    CHECK(says("See ![it](bat.png)", "a paragraph of its own"));
    CHECK(says("![it](bat.png) and more", "a paragraph of its own"));
    CHECK(says("![](bat.png)", "describe the picture"));
    for (const char* file : {"/etc/bat.png", "../bat.png", "figures/../../bat.png", "./bat.png", "a//bat.png",
                             "bat.jpg", ".png", "a\\bat.png", "C:bat.png", "http://x.org/bat.png", ""}) {
        CAPTURE(file);
        CHECK(says(std::string("![it](") + file + ")", "is not a picture beside the lesson"));
    }
    CHECK(why("Wow![1]") == "");
    std::string many;
    for (int i = 0; i < 17; ++i) many += "![it](" + std::to_string(i) + ".png)\n\n";
    CHECK(contains(why(many), "at most 16 pictures"));
}

TEST_CASE("lesson picture: malicious PNGs are rejected with a message, before memory is allocated") {
    const auto why = [](const std::string& bytes) { return error_of([&] { read_png(bytes); }); };
    const std::string good = png_of(64, 40, red);
    const PngPicture picture = read_png(good);
    CHECK(picture.width == 64);
    CHECK(picture.height == 40);
    CHECK(picture.rgba.size() == 64 * 40 * 4);
    CHECK(picture.rgba[1] == 0x20);
    CHECK(picture.rgba[3] == 0xFF);
    CHECK(why("") != "");
    CHECK(contains(why("GIF89a and so on"), "save the picture as PNG"));
    for (std::size_t cut = 0; cut < good.size() - 13; cut += 97) CHECK(why(good.substr(0, cut)) != "");
    for (std::size_t i = 0; i < good.size(); i += 61) {  // any message will do
        std::string spoiled = good;
        spoiled[i] = static_cast<char>(spoiled[i] ^ 0x40);
        why(spoiled);
    }
    const std::string end =
        png_chunk("IDAT", std::string("\x78\x01\x03\x00\x00\x00\x00\x01", 8)) + png_chunk("IEND", "");
    for (const auto& [width, height] : {std::pair{900'000u, 900'000u}, {100'000u, 1u}, {4000u, 4000u}}) {
        CAPTURE(width);
        CHECK(contains(why(png_header(width, height) + end), "make it smaller"));
    }
    CHECK(why(png_header(0x7fffffff, 0x7fffffff) + end) != "");
    CHECK(why(png_header(0, 5) + end) != "");
    CHECK(why(png_header(50, 5) + end) != "");  // no rows
}

TEST_CASE("lesson picture: an unreadable file, or one outside the folder, is reported") {
    const Written lesson(head + shown);
    const TemporaryFolder elsewhere;
    write_file_atomically(elsewhere / "secret.png", png_of(2, 2, blue));
    const PictureSource source = pictures_in(lesson.folder.path());
    CHECK(problem("figures/bat.png", source) == "");
    CHECK(contains(problem("none.png", source), "put it there"));
    if (!on_windows) {  // creating links needs privileges there
        fs::create_symlink(elsewhere / "secret.png", lesson.folder / "link.png");
        CHECK(contains(problem("link.png", source), "outside the lesson's folder"));
        fs::create_directory_symlink(elsewhere.path(), lesson.folder / "away");
        CHECK(contains(problem("away/secret.png", source), "outside the lesson's folder"));
        fs::create_symlink("figures/bat.png", lesson.folder / "inside.png");
        CHECK(problem("inside.png", source) == "");
        fs::create_symlink("/dev/zero", lesson.folder / "zero.png");
        CHECK(problem("zero.png", source) != "");
    }
    fs::create_directory(lesson.folder / "folder.png");
    CHECK(problem("folder.png", source) != "");
    write_file_atomically(lesson.folder / "large.png", std::string(5'000'000, 'x'));
    CHECK(problem("large.png", source) != "");
    CHECK(problem("bat.png", {}) == "it is not included with the lesson");
    // Three pictures, each allowed by itself, but too large together.
    const std::string three = head + "![it](1.png)\n\n![it](2.png)\n\n![it](3.png)\n";
    const std::string good = png_of(2, 2, red);
    const std::string fat =
        good.substr(0, good.size() - 12) + png_chunk("teXt", std::string(3'000'000, 'x')) + png_chunk("IEND", "");
    const Lesson heavy = parse_lesson(three, "mine", [&](const std::string&) { return fat; });
    CHECK(heavy.pictures.at(1)->problem == "");
    CHECK(contains(heavy.pictures.at(2)->problem, "exceed 8 MB"));
}

TEST_CASE("story: a lesson's picture is shown in its text, enlarged by a click, and reloaded with its file") {
    const Written lesson(head + shown);
    Story story({.lessons = lesson.folder.path()});
    REQUIRE(story.play("lesson mine\nframes 6\nexpect_no_item \"lesson error\"") == "");
    CHECK(story.text(item) == "a bat in a cave");
    CHECK(middle(story, item) == red);
    const Box small = box_of(story, item), panel = box_of(story, "lesson");
    CHECK(small.width() == 64);
    CHECK(small.height() == 40);
    CHECK(small.min.y > panel.min.y);
    CHECK(small.max.y < panel.max.y);
    REQUIRE(story.play("click \"" + item + "\"\nframes 3") == "");
    CHECK(middle(story, "lesson/large picture") == red);
    CHECK(box_of(story, "lesson/large picture").width() > 3 * 64);
    REQUIRE(story.play("key Escape\nframes 3\nexpect_no_item \"lesson/large picture\"\nexpect lesson == 1") == "");
    // On the stage, the picture grows with the text.
    REQUIRE(story.play("key F5\nframes 6") == "");
    CHECK(middle(story, item) == red);
    CHECK(box_of(story, item).width() > 64);
    REQUIRE(story.play("key F5\nframes 6") == "");
    write_file_atomically(lesson.folder / "figures/bat.png", png_of(64, 44, blue));
    fs::last_write_time(lesson.folder / "figures/bat.png", fs::file_time_type::clock::now() + std::chrono::hours(1));
    REQUIRE(story.until([&] { return box_of(story, item).height() == 44; }));
    story.frames(2);
    CHECK(middle(story, item) == blue);
}

TEST_CASE("story: a picture that cannot be shown is replaced by the reason, until its file is valid") {
    const Written lesson(head + shown, "no picture");
    Story story({.lessons = lesson.folder.path()});
    REQUIRE(story.play("lesson mine\nframes 6\nexpect \"lesson error\" ~ \"mine:9: picture: figures/bat.png: it is not "
                       "a readable PNG\"\nexpect lesson == 1") == "");
    CHECK(story.value(item) == 0);
    CHECK(story.text(item).find("figures/bat.png: it is not a readable PNG") == 0);
    const Box wrong = box_of(story, item), panel = box_of(story, "lesson");
    CHECK(wrong.max.y < panel.max.y);
    write_file_atomically(lesson.folder / "figures/bat.png", png_of(64, 40, red));
    CHECK(story.play("wait \"" + item + "\" == 1\nframes 4\nexpect_no_item \"lesson error\"") == "");
    CHECK(middle(story, item) == red);
    fs::remove(lesson.folder / "figures/bat.png");
    CHECK(story.play("wait \"lesson error\" ~ \"there is no such file beside the lesson\"") == "");
}

TEST_CASE("story: a large picture fits its panel and leaves the text in view") {
    for (const auto& [width, height] : {std::pair{2100, 10}, {10, 2000}}) {
        CAPTURE(width);
        const Written lesson(head + shown, png_of(width, height, red));
        for (const float scale : {1.0f, 2.0f}) {
            CAPTURE(scale);
            Story story({.size = {1280, 720}, .scale = scale, .lessons = lesson.folder.path()});
            REQUIRE(story.play("lesson mine\nframes 6") == "");
            const Box box = box_of(story, item), panel = box_of(story, "lesson");
            CHECK(box.min.x >= panel.min.x);
            CHECK(box.max.x <= panel.max.x);
            CHECK(box.height() <= 0.2f * 720);
            CHECK(box.width() >= 1);
            if (scale == 1) CHECK_FALSE(story.shows("lesson/scrolls"));
            REQUIRE(story.play("click \"" + item + "\"\nframes 3") == "");
            const Box large = box_of(story, "lesson/large picture");
            CHECK(large.min.x >= 0);
            CHECK(large.min.y >= 0);
            CHECK(large.max.x <= 1280);
            CHECK(large.max.y <= 720);
        }
    }
}

TEST_CASE("story: an exported panel includes the lesson's pictures") {
    const Written lesson(head + shown);
    Story story({.lessons = lesson.folder.path()});
    REQUIRE(story.play("lesson mine\nframes 6") == "");
    Box picture;
    const ExportedPanel panel = export_panel(story.app, story.host, *story.surface, [&](const Items& items) {
        picture = {items.find(item)->min, items.find(item)->max};
        return std::optional(Box{items.find("lesson")->min, items.find("lesson")->max});
    });
    const Box crop = box_of(story, "lesson");
    const float x = (picture.min.x + picture.max.x) / 2 - crop.min.x,
                y = (picture.min.y + picture.max.y) / 2 - crop.min.y;
    CHECK(pixel(to_image(panel.drawing, 1), x, y) == red);
    CHECK(pixel(to_image(panel.drawing, 2), 2 * x, 2 * y) == red);
    std::vector<Drawing::Picture> pictures;
    for (const Drawing::Shape& shape : panel.drawing.shapes)
        if (const auto* found = std::get_if<Drawing::Picture>(&shape.what)) pictures.push_back(*found);
    REQUIRE(pictures.size() == 1);
    CHECK(pictures[0].columns == 64);
    CHECK(pictures[0].rows == 40);
    CHECK(pictures[0].box.width() == picture.width());
    CHECK(contains(to_svg(panel.drawing, ""), "href=\"data:image/png;base64,"));
    CHECK(contains(to_pdf(panel.drawing, ""), "/Subtype /Image"));
}

TEST_CASE("story: a .glass file includes the lesson's pictures") {
    const TemporaryFolder folder;
    const fs::path file = folder / "lesson.glass";
    {
        const Written lesson(head + shown);
        Story story({.lessons = lesson.folder.path()});
        REQUIRE(story.play("lesson mine\nframes 6\nkey Ctrl+S\nframes 2\ntype \"" + file.string() +
                           "\"\nframes 2\nkey Enter\nframes 2") == "");
        story.settle();
        REQUIRE(fs::exists(file));
    }
    Story story({.model = file.string()});
    story.settle(10);
    story.settle(4);
    CHECK(story.text("lesson") == "One");
    CHECK(middle(story, item) == red);
}
