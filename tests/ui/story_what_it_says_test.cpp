// A key or a click does what it says, and nothing else.
#include <filesystem>

#include "app/desktop/export_picture.h"
#include "app/export/export_dialog.h"
#include "app/ui/input.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: a double click on Start does not also click the lesson's button that appears there") {
    bool close_came_under = false;
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1366, 768}, PixelSize{1600, 1000}}) {
        CAPTURE(size.width);
        Story story({.size = size});
        story.app.lessons().memory().offer = true;
        story.frames(2);
        const Item* start = story.find("lesson/start");
        REQUIRE(start);
        const ImVec2 at = start->centre();
        CHECK(story.play("double_click lesson/start\nwait lesson/scene == 1\nframes 4") == "");
        CHECK(story.app.lessons().open());
        const Item* close = story.find("lesson/leave");
        REQUIRE(close);
        const bool under = at.x >= close->min.x && at.x < close->max.x && at.y >= close->min.y && at.y < close->max.y;
        close_came_under |= under;
        // The item under a resting pointer gets no tooltip, neither after the click nor when a clicker turns pages.
        const auto rest = [&](int frames) { story.frames_at(at, frames); };
        rest(60);
        CHECK_FALSE(story.shows("tooltip"));
        story.frames_at({at.x + 1, at.y}, 1);
        rest(60);
        if (under) CHECK(story.text("tooltip").starts_with("Leave the lesson"));
        story.frame([&] { script_mouse(at, false, false), script_key(Key::page_down, true); });
        story.frame([&] { script_mouse(at, false, false), script_key(Key::page_down, false); });
        rest(60);
        CHECK_FALSE(story.shows("tooltip"));
        CHECK(story.app.lessons().open());
    }
    CHECK(close_came_under);
}

TEST_CASE("story: the second click of a double click does not close the card that the first one opened") {
    Story story;
    CHECK(story.play("double_click help\nframes 3\nexpect_item help/card") == "");
    CHECK(story.play("key Escape\nframes 2\nexpect_no_item help/card\nclick help\nframes 3\nexpect_item "
                     "help/card") == "");
}

TEST_CASE("story: Tab and Enter stay in the fields of the LayerNorm example during a lesson") {
    Story story;
    REQUIRE(story.play("lesson 7_layer_norm 2\nclick \"lesson/choice 2\"\nframes 4\nexpect lesson == 2") == "");
    const int token = story.state().token[0];
    const auto caret = [&](int field) { return story.shows("A/norm example " + std::to_string(field) + "/caret"); };
    // Tab moves to the next field and selects its text: four numbers can be typed as in a table.
    REQUIRE(story.play("click \"A/norm example 0\"\nkey Ctrl+a\ntype 1\nkey Tab\ntype 2\nkey Tab\ntype 3\nkey "
                       "Tab\ntype 6\nframes 2\nexpect \"A/norm example mean\" == 3") == "");
    CHECK(caret(3));
    CHECK(story.play("key Shift+Tab\nframes 2") == "");
    CHECK(caret(2));
    CHECK(story.play("key Enter\nkey Enter\nframes 2\ntype 7\nframes 2\nexpect \"A/norm example mean\" == 4") == "");
    CHECK(story.play("key Tab\nkey Tab\nkey Tab\nkey Tab\nkey Tab\nkey Tab\nkey Tab\nframes 2") == "");
    CHECK(caret(2));  // once around all fields
    CHECK(story.state().token[0] == token);
    CHECK(story.app.lessons().at() == 1);
}

TEST_CASE("story: a field that opens with text has it selected, so that typing replaces it") {
    Story story;
    CHECK(story.play("click A/type\nframes 2\ntype \"the bat hit the ball .\"\nkey Enter\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == "the bat hit the ball .");
    CHECK(story.snapshot().sentences[0].error == "");
    // A click places the caret.
    CHECK(story.play("click A/type\nframes 2\nkey End\ntype \" x\"\nframes 2\nexpect A/text ~ \"the bat hit the ball . "
                     "x\"\nkey Escape") == "");
    // A text that is too long is reported, and the picture stays next to the message.
    std::string longer;
    for (int i = 0; i < 17; ++i) longer += "bat ";
    CHECK(story.play("click A/type\nframes 2\ntype \"" + longer + "\"\nkey Enter\nframes 4") == "");
    story.settle();
    CHECK(contains(story.text("A/error"), "17 tokens"));
    CHECK(story.shows("A/weight 0"));
    CHECK(story.shows("A/text"));
    CHECK(story.play("type \"a bat flew .\"\nkey Enter\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == "a bat flew .");
    CHECK_FALSE(story.shows("A/error"));
    CHECK_FALSE(story.shows("A/text"));
}

TEST_CASE("story: in a dialog for a file or folder, typing replaces the proposed name") {
    Story story({.trained = false});
    story.make_steps(4);
    for (const char* entry : {"save the model", "save the film"}) {
        CAPTURE(entry);
        REQUIRE(story.play(std::string("key Ctrl+k\nframes 2\ntype \"") + entry +
                           "\"\nframes 2\nkey Enter\nframes 3") == "");
        REQUIRE_FALSE(story.state().window.palette.query.empty());
        REQUIRE(story.play("type \"somewhere/mine\"\nframes 2") == "");
        CHECK(story.state().window.palette.query == "somewhere/mine");
        REQUIRE(story.play("key Escape\nframes 2") == "");
    }
    REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 3") == "");
    REQUIRE_FALSE(story.state().own<ExportDialog>().file.empty());
    for (const char* name : {"somewhere/mine.png", "somewhere/mine.svg"}) {  // initially, and after clicking a format
        REQUIRE(story.play(std::string("type \"") + name + "\"\nframes 2") == "");
        CHECK(story.state().own<ExportDialog>().file == name);
        REQUIRE(story.play("click export/format/PNG\nframes 3") == "");
    }
}

TEST_CASE("story: during training, the picture next to a refused sentence is updated") {
    Story story;
    story.send(command::Watch{0, "", true});
    REQUIRE(story.shows("A/error"));
    const std::shared_ptr<const Trace> before = story.snapshot().sentences[0].trace;
    story.make_steps(1);
    CHECK(story.shows("A/error"));
    CHECK(story.snapshot().sentences[0].step == 1201);
    CHECK(story.snapshot().sentences[0].trace != before);
    CHECK(story.snapshot().sentences[0].text == first_sentence);
}

TEST_CASE("story: in a small window the opened timeline is visible above the banner") {
    for (const PixelSize size : {PixelSize{1366, 768}, PixelSize{1280, 720}}) {
        Story story({.size = size});
        story.app.lessons().memory().offer = true;
        story.state().window.panels = {false, false, false};
        REQUIRE(story.play("frames 2\nexpect_item lesson/offer\nclick rail/timeline\nframes 3") == "");
        CHECK(story.shows("timeline"));
        CHECK(story.shows("lesson/offer"));
        CHECK(story.find("timeline")->max.y <= story.find("lesson/offer")->min.y);
        CHECK(story.play("key F4\nframes 2\nexpect_no_item timeline\nkey F4\nframes 2\nexpect_item timeline") == "");
    }
}

TEST_CASE("story: a clicked number opens its panel, and nothing moves under the pointer") {
    Story story({.size = {1366, 768}});
    story.state().window.panels = {false, false, false};
    story.state().compare = false;
    story.frames(4);
    for (const std::string label : {"A/weight 0", "A/weight 5"}) {
        CAPTURE(label);
        REQUIRE(story.find(label));
        const ImVec2 at = story.find(label)->centre();
        REQUIRE(story.play("click \"" + label + "\"") == "");
        const auto rest = [&] { story.frames_at(at, 4); };
        rest();
        CHECK(story.shows("explain/value"));
        CHECK(story.value("explain/value") == story.value(label));
        CHECK(story.find(label)->centre().x == at.x);
        CHECK(story.find(label)->centre().y == at.y);
        const Item* panel = story.find("explain/value");
        CHECK((panel->min.x > at.x || panel->max.x < at.x));  // it does not cover the number
        // Once the pointer has left the sentences, they make room for it.
        story.frames(4);
        CHECK(story.find("explain/value")->min.x > story.find(label)->max.x);
        CHECK(story.play("key F3\nframes 3\nexpect_no_item explain/value") == "");
    }
}

TEST_CASE("story: in the export dialog no button moves with the format, and Enter saves") {
    const TemporaryFolder home;
    const SetVariable variable("HOME", home.path().string());
    Story story;
    REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 3\nexpect_item export/save") == "");
    const ImVec2 save = story.find("export/save")->centre();
    for (const char* format : {"SVG", "CSV", "NPZ", "MP4", "PNG"}) {
        CAPTURE(format);
        REQUIRE(story.play(std::string("click export/format/") + format + "\nframes 3") == "");
        CHECK(story.find("export/save")->centre().x == save.x);
        CHECK(story.find("export/save")->centre().y == save.y);
    }
    // The last click has taken the focus from the name's field.
    REQUIRE(story.play("key Enter\nframes 2") == "");
    const std::filesystem::path file = story.state().own<ExportDialog>().file;
    CHECK(story.state().own<ExportDialog>().ask == ExportDialog::Ask::save);
    CHECK(story.until([&] {
        take_export(story.app, story.host, *story.surface);
        return story.shows("notice");
    }));
    CHECK(story.text("notice") == "The panel was saved as " + file.string() + ".");
    CHECK(std::filesystem::exists(file));
}
