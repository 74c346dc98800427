// What a lecturer holds over the stage: black screen, freeze, spotlight, magnifier and pen.
#include <cmath>

#include "app/ui/input.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void press_at(Story& story, ImVec2 at, Key key) {
    for (const bool down : {true, true, false, false})
        story.frame([&] {
            script_mouse(at, false, false);
            script_key(key, down);
        });
}

/// What is drawn while the mouse rests there.
Image picture_at(Story& story, ImVec2 at) {
    for (int i = 0; i < 2; ++i) {
        story.host.begin_frame([&] { script_mouse(at, false, false); });
        story.app.draw(story.host);
        story.host.end_frame_and_draw();
        story.surface->present();
    }
    return story.surface->read();
}

int brightness(std::uint32_t colour) {
    return static_cast<int>((colour >> 16) + (colour >> 8 & 0xff) + (colour & 0xff));
}

}  // namespace

TEST_CASE("story: the lecturer's tools: black screen, freeze, spotlight, magnifier, pen") {
    Story story;
    REQUIRE(story.play("key F5\nframes 3") == "");
    const auto middle = [&] { return pixel(story.picture(), 800, 500); };
    const std::uint32_t before = pixel(story.picture(), 3, 3);
    for (const char* key : {"key B", "key ."}) {
        CAPTURE(key);
        CHECK(story.play(std::string(key) + "\nframes 3") == "");
        CHECK(middle() == 0);
        CHECK(story.state().slot == 0);  // B blacks out the screen; it does not choose the sentence
        CHECK(story.play(std::string(key) + "\nframes 3") == "");
        CHECK(pixel(story.picture(), 3, 3) == before);
    }
    SUBCASE("frozen: another panel can be chosen, and appears when the screen is unfrozen") {
        CHECK(story.play("key F\nframes 2") == "");
        const Image still = story.picture();  // takes the frozen picture
        CHECK(story.play("key 3\nframes 3\nexpect_item screen/frozen\nkey F\nframes 2\nexpect_no_item screen/frozen") ==
              "");
        CHECK(story.value("panel/box") == 2);
        CHECK(story.picture().rgba != still.rgba);
    }
    SUBCASE("frozen: a corner preview shows the next picture; a click there unfreezes, clicks elsewhere do nothing") {
        const ImVec2 token = story.find("A/token 1")->centre();
        const Image live = story.picture();
        CHECK(story.play("key F\nframes 2") == "");
        REQUIRE(story.shows("screen/prepared"));
        const Item small = *story.find("screen/prepared");
        const ImVec2 corner = small.centre();
        story.picture();
        const Image first = story.picture();
        CHECK(story.play("key 3\nframes 3") == "");
        const Image second = story.picture();
        const auto outside = [&](int x, int y) {
            const auto fx = static_cast<float>(x), fy = static_cast<float>(y);
            return fx < small.min.x - 4 || fx > small.max.x + 4 || fy < small.min.y - 4 || fy > small.max.y + 4;
        };
        int changed_outside = 0, changed_inside = 0, not_live = 0;
        for (int y = 0; y < first.height; y += 3)
            for (int x = 0; x < first.width; x += 3) {
                const auto fx = static_cast<float>(x), fy = static_cast<float>(y);
                const bool differs = pixel(first, fx, fy) != pixel(second, fx, fy);
                (outside(x, y) ? changed_outside : changed_inside) += differs;
                not_live += outside(x, y) && pixel(first, fx, fy) != pixel(live, fx, fy);
            }
        CHECK(changed_outside == 0);
        CHECK(changed_inside > 100);
        CHECK(not_live == 0);
        CHECK(story.play("key 2\nframes 3") == "");
        const int word = story.state().token[0];
        for (const bool down : {false, true, true, false}) story.frame([&] { script_mouse(token, down, false); });
        CHECK(story.state().token[0] == word);
        for (const bool down : {false, true, true, false}) story.frame([&] { script_mouse(corner, down, false); });
        story.frames(2);
        CHECK_FALSE(story.shows("screen/frozen"));
        for (const bool down : {false, true, true, false}) story.frame([&] { script_mouse(token, down, false); });
        CHECK(story.state().token[0] == 1);
    }
    SUBCASE("the spotlight darkens what is far from the pointer") {
        const ImVec2 at = story.find("A/token 3")->centre();
        story.frames_at(at, 3);
        press_at(story, at, Key::s);
        CHECK(story.shows("screen/spotlight"));
        const Image lit = picture_at(story, at);
        press_at(story, at, Key::s);
        CHECK_FALSE(story.shows("screen/spotlight"));
        const Image plain = picture_at(story, at);
        int changed_near = 0, bright_far = 0;
        for (float y = 0; y < 1000; y += 20)
            for (float x = 0; x < 1600; x += 20) {
                const std::uint32_t unlit = pixel(plain, x, y), now = pixel(lit, x, y);
                const float away = std::hypot(x - at.x, y - at.y);
                if (away < 150) changed_near += now != unlit;
                if (away > 260) bright_far += 2 * brightness(now) > brightness(unlit) + 6;
            }
        CHECK(changed_near == 0);
        CHECK(bright_far == 0);
    }
    SUBCASE("the magnifier enlarges what is under the pointer, and Escape switches it off") {
        const ImVec2 at = story.find("A/token 3")->centre();
        story.frames_at(at, 3);
        press_at(story, at, Key::z);
        CHECK(story.shows("screen/magnifier"));
        const Image magnified = picture_at(story, at);
        press_at(story, at, Key::escape);
        CHECK_FALSE(story.shows("screen/magnifier"));
        CHECK(story.state().presenter);
        const Image plain = picture_at(story, at);
        int from_half_as_far = 0, from_same_place = 0;
        for (float dy = -90; dy <= 180; dy += 3)
            for (float dx = -160; dx <= 160; dx += 3) {
                if (at.x + dx < 0 || at.y + dy < 0) continue;
                const int now = brightness(pixel(magnified, at.x + dx, at.y + dy));
                from_half_as_far += std::abs(now - brightness(pixel(plain, at.x + dx / 2, at.y + dy / 2)));
                from_same_place += std::abs(now - brightness(pixel(plain, at.x + dx, at.y + dy)));
            }
        CHECK(2 * from_half_as_far < from_same_place);
    }
    SUBCASE("the pen draws instead of clicking, and its strokes stay with their panel until cleared") {
        CHECK(story.play("key D\nframes 2\ndrag \"B/token 2\" 60 40\nframes 2") == "");
        CHECK(story.value("pen") == 1);
        CHECK(story.state().slot == 0);  // the word beneath was not clicked
        CHECK(story.play("key 3\nframes 3\nexpect pen == 0\nkey D\nframes 2\nexpect_no_item pen\nkey 2\nframes "
                         "3\nexpect pen == 1\nkey C\nframes 2\nexpect_no_item pen") == "");
    }
}
