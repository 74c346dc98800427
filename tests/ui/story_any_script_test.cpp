// Models of texts in other scripts, from the typed sentence to the exported page.
#include <filesystem>
#include <fstream>

#include "app/desktop/export_picture.h"
#include "app/export/picture_files.h"
#include "app/views/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Writes a text that repeats these sentences.
std::string world_of(const TemporaryFolder& folder, const std::string& name, const std::string& sentences) {
    const std::filesystem::path file = folder / name;
    std::ofstream out(file);
    for (int i = 0; i < 300; ++i) out << sentences << '\n';
    return file.string();
}

std::string watch(const std::string& sentence) {
    return "click A/type\nkey Ctrl+a\ntype \"" + sentence + "\"\nkey Enter\nframes 3";
}

float middle(const Story& story, const std::string& label) {
    const Item* item = story.find(label);
    REQUIRE_MESSAGE(item, label);
    return item->centre().x;
}

Drawing drawn(Story& story) {
    const PixelSize size = story.surface->size();
    return export_panel(
               story.app, story.host, *story.surface,
               [&](const Items&) {
                   return std::optional(Box{{0, 0}, {static_cast<float>(size.width), static_cast<float>(size.height)}});
               },
               [] { return "העטלף, of the sentence"; }, Controls::shown)
        .drawing;
}

}  // namespace

TEST_CASE("story: a Hebrew sentence starts at the right, in its chips and in the whole model") {
    const TemporaryFolder folder;
    Story story({.world = world_of(folder, "עטלף.txt", "העטלף עף מן המערה. הכלב רץ אל הבית!")});
    REQUIRE(story.play(watch("הכלב עף.")) == "");
    story.settle();
    REQUIRE(story.text("A/token 0") == "ה");
    CHECK(middle(story, "A/token 0") > middle(story, "A/token 1"));
    CHECK(middle(story, "A/token 1") > middle(story, "A/token 7"));
    story.state().view = view_index("Whole model");
    story.state().compare = false;  // the full width, so that there is room for its words
    story.state().slot = 0;
    story.state().window.panels = {false, false, false};
    story.frames(3);
    CHECK(middle(story, "whole/A/word 0") > middle(story, "whole/A/word 7"));
    const float second = middle(story, "whole/A/word 1");
    REQUIRE(story.play("click \"whole/A/word 1\"\nframes 2") == "");
    CHECK(story.state().token[0] == 1);
    CHECK(middle(story, "whole/A/word 1") == second);
}

TEST_CASE("story: an English sentence starts at the left") {
    Story english;
    CHECK(middle(english, "A/token 0") < middle(english, "A/token 1"));
}

TEST_CASE("story: a Chinese sentence is typed without spaces, and exports keep its words") {
    const TemporaryFolder folder;
    Story story({.world = world_of(folder, "蝙蝠.txt", "蝙蝠在黄昏时飞出山洞。小狗走进房间，很高兴！")});
    REQUIRE(story.play(watch("小狗飞出房间。")) == "");
    story.settle();
    REQUIRE(story.snapshot().sentences[0].error == "");
    CHECK(story.snapshot().sentences[0].tokens.size() == 7);
    CHECK(story.text("A/token 2") == "飞");
    const Drawing page = drawn(story);
    std::string words;
    for (const Drawing::Shape& shape : page.shapes)
        if (const auto* run = std::get_if<Drawing::Run>(&shape.what)) {
            words += run->piece.text + "\n";
            CHECK(run->em > 8);
            CHECK(run->at.x >= -1);
            CHECK(run->at.x + run->piece.width <= page.size.x + 1);
            CHECK(std::filesystem::exists(run->face.file));
        }
    CAPTURE(words);
    CHECK(contains(words, "飞\n"));
    CHECK(contains(words, "העטלף\n"));  // in the caption
    const std::string svg = to_svg(page, "page");
    CHECK(contains(svg, ">飞</text>"));
    CHECK(!contains(svg, "�"));
    CHECK(to_image(page, 2).width == 2 * static_cast<int>(page.size.x));
    if (on_windows) return;  // no program that extracts the page's text
    const std::filesystem::path pdf = folder / "page.pdf", text = folder / "page.txt";
    std::ofstream(pdf, std::ios::binary) << to_pdf(page, "page");
    REQUIRE(std::system(("pdftotext " + pdf.string() + " " + text.string()).c_str()) == 0);
    std::ifstream in(text);
    const std::string read{std::istreambuf_iterator<char>(in), {}};
    CHECK(contains(read, "飞"));
    CHECK(contains(read, "העטלף"));
}
