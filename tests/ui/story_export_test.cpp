#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/desktop/export_picture.h"
#include "app/export/export_dialog.h"
#include "app/export/picture_files.h"
#include "app/ui/draw.h"
#include "app/views/registry.h"
#include "core/base/background.h"
#include "core/text/utf8.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

ExportedPanel whole_window(Story& story) {
    const PixelSize size = story.surface->size();
    return export_panel(
        story.app, story.host, *story.surface,
        [&](const Items&) {
            return std::optional(Box{{0, 0}, {static_cast<float>(size.width), static_cast<float>(size.height)}});
        },
        {}, Controls::shown);
}

std::string words_of(const Drawing& drawing) {
    std::string words;
    for (const Drawing::Shape& shape : drawing.shapes)
        if (const auto* text = std::get_if<Drawing::Text>(&shape.what))
            words += glassformer::to_utf8(text->letters) + "\n";
    return words;
}

}  // namespace

TEST_CASE("story: a failed export says why, and without a spare thread it runs on the caller's") {
    const TemporaryFolder folder;
    Story story;
    const auto told_of = [&](const std::filesystem::path& file) {
        REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/format/SVG\nframes 2") ==
                "");
        story.state().own<ExportDialog>().file = file.string();
        REQUIRE(story.play("click export/save\nframes 1") == "");
        CHECK(story.until([&] {
            take_export(story.app, story.host, *story.surface);
            return story.state().own<ExportsOnTheWay>().all.empty();
        }));
        story.frames(2);
        CHECK(fail_at({}));
        const std::string told = story.text("notice");
        REQUIRE(story.play("click notice/dismiss\nframes 2") == "");
        return told;
    };
    fail_at("export");
    CHECK(contains(told_of(folder / "failed.svg"), "as a test has asked"));
    CHECK_FALSE(std::filesystem::exists(folder / "failed.svg"));
    fail_at("thread of export");
    CHECK(contains(told_of(folder / "here.svg"), "was saved as"));
    CHECK(contains(contents(folder / "here.svg"), ">foul</text>"));
}

TEST_CASE("story: Ctrl+E saves the panel under the pointer, and never overwrites a file") {
    const TemporaryFolder folder;
    Story story;
    const auto save = [&](const char* format, const char* ending) {
        const std::filesystem::path file = folder / (std::string("panel") + ending);
        CHECK(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/format/" +
                         std::string(format) + "\nframes 2") == "");
        ExportDialog& dialog = story.state().own<ExportDialog>();
        REQUIRE(dialog.open);
        CHECK(dialog.box.max.x - dialog.box.min.x < 800);  // the card, not the window
        dialog.file = file.string();
        CHECK(story.play("click export/save\nframes 1") == "");
        CHECK(story.until([&] {
            take_export(story.app, story.host, *story.surface);
            return story.state().own<ExportsOnTheWay>().all.empty();
        }));
        story.frames(2);
        return contents(file);
    };
    const std::string svg = save("SVG", ".svg");
    CHECK(contains(svg, ">foul</text>"));
    CHECK(contains(svg, "step 1200"));
    CHECK_FALSE(story.shows("export/card"));
    CHECK(save("PDF", ".pdf").starts_with("%PDF"));
    CHECK(save("PNG", ".png").starts_with("\x89PNG"));
    CHECK(save("NPZ", ".npz").starts_with("PK"));
    const std::string table = save("CSV", ".csv");
    CHECK(contains(table, "\nA/weight 7,"));
    CHECK(!contains(table, "\nB/weight 7,"));
    CHECK(save("CSV", ".csv") == table);
    CHECK(contains(story.text("export/problem"), "already exists"));
    CHECK(story.play("key Escape\nframes 2\nexpect_no_item export/card") == "");
}

TEST_CASE("story: an open export dialog drops the number of a model that was replaced") {
    Story story;
    REQUIRE(story.play("click \"A/weight 7\"\nframes 3\nhover A/headline\nframes 1\nkey Ctrl+E\nframes 3") == "");
    REQUIRE(story.shows("export/python"));
    // A model that lacks most of this one's nodes.
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/by_hand"});
    story.frames(3);
    CHECK(story.shows("export/card"));
    CHECK_FALSE(story.shows("export/python"));
}

TEST_CASE("story: a right click saves a panel, except on a head, where it is a switch") {
    Story story;
    CHECK(story.play("right_click A/headline\nframes 2\nexpect_item export/card\nclick export/cancel\nframes "
                     "2\nexpect_no_item export/card") == "");
    CHECK(story.play("click \"view/All heads\"\nframes 3\nright_click \"heads/A 0 1\"\nframes 2\nexpect_no_item "
                     "export/card") == "");
}

TEST_CASE("story: an exported panel has its words and numbers, and no buttons") {
    Story story({.size = {1280, 720}});
    story.state().compare = false;
    const auto panel = [&](const char* view) {
        story.state().view = view_index(view);
        story.frames(6);
        const Item* headline = story.find("A/headline");
        REQUIRE(headline);
        Box card{};
        for (const Box& one : draw::cards_of_frame())
            if (one.min.x <= headline->min.x && one.max.x >= headline->max.x && one.min.y <= headline->min.y &&
                one.max.y >= headline->max.y)
                card = one;
        REQUIRE(card.width() > 0);
        const auto where = [&](const Items&) { return std::optional(card); };
        const std::string with =
            words_of(export_panel(story.app, story.host, *story.surface, where, {}, Controls::shown).drawing);
        CHECK(contains(with, "Samples"));
        return words_of(export_panel(story.app, story.host, *story.surface, where).drawing);
    };
    const std::string attention = panel("Attention");
    for (const char* text : {"swung", "foul", "q·k/√d", "0.61"}) CHECK(contains(attention, text));
    for (const char* text : {"Samples", "Type…"}) CHECK(!contains(attention, text));
    const std::string qkv = panel("Q K V");  // of all pages, the one on screen
    CHECK(contains(qkv, "q, k, v\n"));
    CHECK(!contains(qkv, "distance"));
    const std::string norm = panel("LayerNorm");
    for (const char* text : {"200", "x − μ"}) CHECK(contains(norm, text));
    CHECK(!contains(norm, "batch norm"));
    CHECK(!contains(panel("Logit lens"), "Copy"));
    const std::string model = panel("Whole model");
    CHECK(contains("\n" + model, "\nWhole model\n"));
    CHECK(!contains("\n" + model, "\nmodel\n"));  // a chosen word alone is not enough
    // The window itself still has its buttons.
    CHECK(story.play("frames 2\nexpect_item A/samples") == "");
    CHECK(contains(words_of(whole_window(story).drawing), "Samples"));
}

TEST_CASE("story: hover highlights are left out of an export") {
    Story story({.size = {1280, 720}});
    story.state().compare = false;
    story.state().view = view_index("Q K V");
    story.frames(6);
    const auto drawn = [&] {
        return to_svg(export_panel(story.app, story.host, *story.surface,
                                   [](const Items& items) {
                                       const Item* at = items.find("A/q matrix");
                                       return std::optional(Box{at->min, at->max});
                                   })
                          .drawing,
                      "");
    };
    const std::string before = drawn();
    REQUIRE(story.play("hover \"A/q matrix\"\nframes 1") == "");
    CHECK(story.state().hovering.cell.node >= 0);
    CHECK(drawn() == before);
}

TEST_CASE("an export has the screen's words as text, its numbers, and looks the same in both themes") {
    Story story;
    const ExportedPanel light = whole_window(story);
    const std::string words = words_of(light.drawing);
    for (const char* text : {"A · baseball", "B · animal", "swung", "q·k/√d", "0.61"}) {
        CAPTURE(text);
        CHECK(contains(words, text));
    }
    for (const PanelNumber& number : light.numbers) {
        const Item* item = story.find(number.label);
        REQUIRE(item);
        CHECK(item->value == number.value);
    }
    CHECK(story.play("click theme\nframes 2") == "");
    const std::string dark = to_svg(whole_window(story).drawing, "");
    CHECK(contains(dark, "fill=\"#ffffff\""));
    CHECK(story.play("frames 2\nexpect theme == 1") == "");  // the window stays dark
    CHECK(pixel(story.picture(), 3, 3) != 0xffffff);
}

TEST_CASE("a table has every digit of a count, and no more digits of a weight than tell it apart") {
    const std::vector<PanelNumber> numbers{{"pairs", 5001.0 * 5001.0}, {"weight", static_cast<double>(0.1f)}};
    const std::vector<NamedDoubles> arrays = to_arrays({{"pairs", 5001.0 * 5001.0}, {"sum 1", 0.1}});
    REQUIRE(arrays.size() == 2);
    CHECK(arrays[0].shape == Shape{});
    CHECK(arrays[0].values == std::vector<double>{25010001});
    CHECK(arrays[1].shape == Shape{2});
    CHECK(arrays[1].values.back() == 0.1);  // a double that no float equals
    CHECK(to_csv(numbers, "GPT-2") == "name,value,of\npairs,25010001,GPT-2\nweight,0.1,GPT-2\n");
}

TEST_CASE("an SVG of a sentence with control characters is well-formed") {
    const std::string svg = to_svg(Drawing{{10, 10}, {}}, "a\x01 <bat>\t\x1f");
    CHECK(contains(svg, "<title>a\xEF\xBF\xBD &lt;bat&gt;\t\xEF\xBF\xBD</title>"));
}

TEST_CASE("story: an export's caption names the model, the step and the changes") {
    Story story;
    const auto caption = [&] { return story.app.export_caption(story.host); };
    const std::string before = caption();
    CHECK(contains(before, "step 1200"));
    CHECK(!contains(before, "altered"));
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 0}, what_if::ResidualOff{}}});
    story.frames(2);
    CHECK(contains(caption(), "\naltered: " + describe(what_if::HeadOff{1, 0}) + ", " +
                                  describe(what_if::ResidualOff{}) + "\nA · block "));
    story.session.send(command::SetWhatIf{{}});
    story.send(command::CompareWith{{Comparing::What::steps, {}, 0}});
    story.frames(2);
    CHECK(contains(caption(), "\nA · step 1200 · block "));
    CHECK(contains(caption(), "\nB · step 0 · block "));
    story.send(command::CompareWith{});
    story.frames(2);
    CHECK(caption() == before);
}

TEST_CASE("story: an export's caption names a model that has no world") {
    const TemporaryFolder folder;
    Story story;
    const auto caption = [&] { return story.app.export_caption(story.host); };
    const std::filesystem::path bert = bert_folder(folder);
    story.send(command::OpenModel{bert.string()});
    story.frames(2);
    CHECK(caption().starts_with("bert\nA"));
    // In the cache of Hugging Face's programs the folder is called like a commit.
    const std::filesystem::path cached = folder / "models--google--bert" / "snapshots" / "86b5e0934494";
    std::filesystem::create_directories(cached.parent_path());
    std::filesystem::copy(bert, cached);
    story.send(command::OpenModel{cached.string()});
    story.frames(2);
    CHECK(caption().starts_with("google/bert\nA"));
}

TEST_CASE("story: copied text names its sentence, step and changes") {
    Story story;
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 0}}});
    const std::string of =
        "sentence A: He swung the bat and hit a foul., step 1200\naltered: " + describe(what_if::HeadOff{1, 0}) + "\n";
    const auto copied = [&](const char* view, const char* button) {
        story.state().view = view_index(view);
        story.frames(6);
        ImGui::SetClipboardText("nothing");
        REQUIRE(story.play(std::string("click \"") + button + "\"\nframes 2") == "");
        return std::string(ImGui::GetClipboardText());
    };
    CHECK(contains(copied("Attention", "explain/copy"), of));
    CHECK(copied("Logit lens", "A/lens copy").starts_with(of));
    CHECK(contains(copied("Logit attribution", "A/argued copy"), of));
    story.send(command::SetWhatIf{{}});
    CHECK(!contains(copied("Attention", "explain/copy"), "altered"));
}

TEST_CASE("an export at 2× has twice the size, and at 1× matches the screen") {
    Story story;
    const ExportedPanel panel = whole_window(story);
    const Image once = to_image(panel.drawing, 1), twice = to_image(panel.drawing, 2);
    CHECK(twice.width == 2 * once.width);
    CHECK(twice.height == 2 * once.height);
    const Image screen = story.picture();
    int differ = 0;
    for (int y = 5; y < screen.height; y += 10)
        for (int x = 5; x < screen.width; x += 10) {
            const auto at = 4 * static_cast<std::size_t>(y * screen.width + x);
            for (std::size_t c = 0; c < 3; ++c)
                if (std::abs(screen.rgba[at + c] - once.rgba[at + c]) > 64) {
                    ++differ;
                    break;
                }
        }
    CHECK(differ < screen.width * screen.height / 100 / 20);  // except antialiased edges: at most 5 %
    CHECK_THROWS_WITH(to_image(panel.drawing, 100), doctest::Contains("cannot draw a picture"));
}

// Windows has its own clipboard.
TEST_CASE("story: a picture is copied to the clipboard if the desktop has a tool for it" * doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    const std::filesystem::path bin = folder / "bin", program = bin / "xclip";
    std::filesystem::create_directory(bin);
    const char* path = std::getenv("PATH");
    const SetVariable programs("PATH", bin.string() + ":" + (path ? path : "")), display("DISPLAY", ":77"),
        wayland("WAYLAND_DISPLAY", std::nullopt);
    Story story;
    const auto copy = [&](const std::string& script) {
        std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/copy\nframes 1") == "");
        CHECK(story.until([&] {
            take_export(story.app, story.host, *story.surface);
            return story.shows("notice");
        }));
        const std::string told = story.text("notice");
        CHECK(story.play("click notice/dismiss\nframes 2\nexpect_no_item export/card") == "");
        return told;
    };
    const std::string to = (folder / "copied").string();
    CHECK(copy("cat >" + to + "; echo \"$*\" >" + to + ".how; sleep 30 &") ==
          "The picture was copied to the clipboard.");
    CHECK(contents(to).starts_with("\x89PNG"));
    CHECK(contains(contents(to + ".how"), "image/png"));
    CHECK(contains(copy("echo 'no display' >&2; exit 1"), "no display"));
}

TEST_CASE("story: rendering the same export again gives the same pixels") {
    Story story;
    story.state().view = view_index("Attention");  // with slanted names along the columns
    story.frames(6);
    const ExportedPanel panel = whole_window(story);
    const Image first = to_image(panel.drawing, 1);
    for (int i = 0; i < 8; ++i) {
        const Image larger = to_image(panel.drawing, 1.5f);
        CHECK(larger.width > first.width);
        const Image again = to_image(panel.drawing, 1);
        REQUIRE(again.rgba == first.rgba);
    }
}

TEST_CASE("story: the Training view's caption names the update that its numbers are from") {
    Story story({.trained = false});
    story.state().view = view_index("Training");
    story.frames(3);
    story.settle();
    story.make_steps(3);
    const auto caption = [&] { return story.app.export_caption(story.host); };
    CHECK(contains(caption(), "step 3"));
    CHECK(!contains(caption(), "update"));
    story.send(command::LookAt{0});
    story.frames(2);
    REQUIRE(contains(story.text("training/step"), "step 0"));
    CHECK(contains(caption(), "step 0 · Training: update 3"));
}

TEST_CASE("story: a large export is written in the background, and its outcome is reported") {
    const TemporaryFolder folder;
    const auto ask = [&](Story& story, const std::filesystem::path& file) {
        ExportDialog& dialog = story.state().own<ExportDialog>();
        dialog = {};
        dialog.open = true, dialog.box = {{0, 0}, {1600, 1000}}, dialog.times = 4;
        story.frames(2);
        dialog.file = file.string();
        REQUIRE(story.play("click export/save\nframes 1") == "");
        take_export(story.app, story.host, *story.surface);
    };
    const auto all_told = [](Story& story) {
        return story.until([&] {
            take_export(story.app, story.host, *story.surface);
            return story.state().own<ExportsOnTheWay>().all.empty();
        });
    };
    const std::filesystem::path first = folder / "first.png", second = folder / "second.png";
    Story story;
    ask(story, first);
    CHECK_FALSE(story.state().own<ExportDialog>().open);
    ask(story, second);  // before the first one is finished
    CHECK(story.state().own<ExportsOnTheWay>().all.size() >= 1);
    CHECK(all_told(story));
    story.frames(2);
    CHECK(contains(story.text("notice"), "was saved as"));
    for (const std::filesystem::path& file : {first, second}) CHECK(contents(file).starts_with("\x89PNG"));
    ask(story, folder / "no folder" / "third.png");  // only writing to disk can find out
    CHECK(all_told(story));
    story.frames(2);
    CHECK(contains(story.text("notice"), "third.png"));
    CHECK_FALSE(std::filesystem::exists(folder / "no folder"));
}

TEST_CASE("story: the caption of an export during training is about the step that is drawn") {
    Story story({.trained = false});
    story.session.send(command::Train{});
    REQUIRE(story.until([&] { return story.snapshot().live_step > 2; }));
    for (int i = 0; i < 20; ++i) {
        std::string caption;
        const Box whole{{0, 0}, {100, 100}};
        export_panel(
            story.app, story.host, *story.surface, [&](const Items&) { return std::optional(whole); },
            [&] { return caption = story.app.export_caption(story.host); });
        CHECK(contains(caption, "step " + std::to_string(story.app.shown().step)));
    }
    story.send(command::Pause{});
}
