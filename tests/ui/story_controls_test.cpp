#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::uint32_t rgb(ImU32 colour) { return (colour & 0xff) << 16 | (colour & 0xff00) | (colour >> 16 & 0xff); }

}  // namespace

TEST_CASE("story: light and dark") {
    Story story;
    const auto corner = [&] { return pixel(story.picture(), 3, 3); };
    CHECK(corner() == rgb(theme(ThemeKind::light).card));
    CHECK(story.play("expect theme == 0\nclick theme\nframes 2\nexpect theme == 1\nexpect_text theme Dark") == "");
    CHECK(corner() == rgb(theme(ThemeKind::dark).card));
    CHECK(story.play("click theme\nframes 2\nexpect theme == 0") == "");
    CHECK(corner() == rgb(theme(ThemeKind::light).card));
}

TEST_CASE("story: both sentences side by side, or one at a time") {
    Story story;
    CHECK(story.play("expect compare == 1\nexpect_item A/headline\nexpect_item B/headline\nkey b\nclick "
                     "compare\nframes 2\nclick compare/off\n"
                     "frames 2\nexpect compare == 0\nexpect_no_item A/headline\nexpect_item B/headline\nexpect_no_item "
                     "\"A/near 0\"\nkey a\nframes 2\nexpect_item A/headline\nexpect_no_item B/headline\nclick "
                     "compare\nframes 2\nclick \"compare/two sentences\"\n"
                     "frames 2\nexpect_item B/headline") == "");
}

TEST_CASE("story: text size by button and by key, and back") {
    Story story;
    const float line = story.host.ui().line(FontRole::body);
    CHECK(story.play("click larger\nframes 2") == "");
    CHECK(story.state().scale == 1.25f);
    CHECK(story.host.ui().line(FontRole::body) > 1.15f * line);
    CHECK(story.play("key Ctrl+0\nframes 2\nclick smaller\nframes 2") == "");
    CHECK(story.state().scale == 0.75f);
    CHECK(story.play("click smaller\nkey Ctrl+-\nframes 2") == "");  // not below the minimum
    CHECK(story.state().scale == 0.75f);
    for (int i = 0; i < 7; ++i) CHECK(story.play("key Ctrl++\nframes 1") == "");
    CHECK(story.state().scale == 2.0f);
    CHECK(story.play("key Ctrl+0\nframes 2\nexpect_item explain/value") == "");
    CHECK(story.host.ui().line(FontRole::body) == line);
}

TEST_CASE("story: presenter mode by button and by F5") {
    Story story;
    const float line = story.host.ui().line(FontRole::body);
    CHECK(story.play("click presenter\nframes 2") == "");
    CHECK(story.host.ui().line(FontRole::body) > 1.15f * line);
    CHECK(story.play("key F5\nframes 2") == "");
    CHECK(story.host.ui().line(FontRole::body) == line);
    CHECK(story.play("key F5\nkey PageDown\nkey PageUp\nframes 2\nexpect_no_item train\nexpect_item \"A/token 0\"") ==
          "");
    CHECK(story.state().presenter);
}

TEST_CASE("story: the help covers the window, catches clicks, and closes in four ways") {
    Story story;
    CHECK(story.play("click help\nframes 1\nexpect_item help/card\nclick \"A/token 0\"\nframes 2") == "");
    CHECK(story.state().token[0] == 3);  // the click hit the help, or the exit next to it
    if (story.shows("help/card")) CHECK(story.play("key Escape\nframes 1") == "");
    for (const char* close : {"click help/close", "key F1", "key Escape"}) {
        CAPTURE(close);
        CHECK(story.play("key F1\nframes 2\nexpect_item help/card\n" + std::string(close) +
                         "\nframes 2\nexpect_no_item help/card") == "");
    }
    CHECK(story.play("key F1\nframes 2\nclick name\nframes 2\nexpect_no_item help/card") == "");
}

TEST_CASE("story: Escape closes what is on top, one thing at a time") {
    Story story;
    CHECK(story.play("key F5\nclick \"B/weight 2\"\nclick explain/deeper\nkey F6\nkey F1\nframes 2") == "");
    const auto& state = story.state();
    REQUIRE(state.presenter);
    REQUIRE(state.window.help);
    REQUIRE(state.trail.size() == 2);
    REQUIRE(story.host.ui().focus->any());
    CHECK(story.play("key Escape") == "");
    CHECK_FALSE(state.window.help);
    CHECK(story.host.ui().focus->any());
    CHECK(story.play("key Escape") == "");
    CHECK_FALSE(story.host.ui().focus->any());
    CHECK(state.trail.size() == 2);
    CHECK(story.play("key Escape") == "");
    CHECK(state.trail.size() == 1);
    CHECK(state.presenter);
    CHECK(story.play("key Escape") == "");  // closes the explanation that had slid in
    CHECK(state.presenter);
    CHECK(story.play("key Escape") == "");
    CHECK_FALSE(state.presenter);
    CHECK(story.play("key Escape\nframes 2\nexpect_item explain/value") == "");
}

TEST_CASE("story: Escape in a text field or a list closes only that") {
    Story story;
    CHECK(
        story.play("key F5\nclick A/type\ntype xyz\nkey Escape\nframes 2\nexpect_no_item A/text\nclick B/samples\nkey "
                   "Escape\nframes 2") == "");
    CHECK(story.state().presenter);
    CHECK(story.text("A/headline") == "A · baseball");
    // Letters typed into a field are not commands.
    CHECK(story.play("key F5\nkey a\nclick B/type\ntype \"a b\"\nkey b\nkey Right\nkey Space\nkey Escape\nframes 2\n"
                     "expect train == 0") == "");
}

TEST_CASE("story: F6 and Shift+F6 move the focus, Enter presses the control, and Escape clears the focus") {
    Story story;
    // The first controls are Train, Reset and the list of worlds. Escape closes what Enter has opened.
    CHECK(story.play("key F6\nkey F6\nkey Enter\nframes 2\nexpect_item reset/confirm\nkey Escape\nframes 2\n"
                     "expect_no_item reset/confirm\nkey F6\nkey Enter\nframes 2\nexpect_item \"world/new run…\"\n"
                     "key Escape\nframes 2\nexpect_no_item \"world/new run…\"\nkey Shift+F6\nkey Enter\nframes 2\n"
                     "expect_item reset/confirm\nkey Escape\nframes 2\nexpect_no_item reset/confirm") == "");
    for (int i = 0; i < 90; ++i) REQUIRE(story.play("key F6") == "");
    for (int i = 0; i < 5; ++i) REQUIRE(story.play("key Shift+F6") == "");
    CHECK(story.host.ui().focus->any());
    CHECK(story.play("key Escape\nframes 1") == "");
    CHECK_FALSE(story.host.ui().focus->any());
}
