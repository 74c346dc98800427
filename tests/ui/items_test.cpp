#include "app/ui/items.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/input.h"

using namespace glassformer::app;

TEST_CASE("items are found by label; the last one with a label wins; a new frame forgets all") {
    Items items;
    items.begin_frame();
    items.add("a", {{0, 0}, {10, 20}}, 1.5, "one");
    items.addf({{0, 0}, {1, 1}}, 7.0, "cell %d,%d", 3, 4);
    items.add("a", {{100, 0}, {110, 20}});
    items.add("", {{0, 0}, {1, 1}});
    REQUIRE(items.all().size() == 3);
    REQUIRE(items.find("a"));
    CHECK(items.find("a")->centre().x == 105);
    CHECK(*items.find("cell 3,4")->value == 7.0);
    CHECK(items.find("b") == nullptr);
    items.begin_frame();
    CHECK(items.find("a") == nullptr);
}

TEST_CASE("labels stay valid while thousands are added, and long ones are not truncated") {
    Items items;
    for (int frame = 0; frame < 3; ++frame) {
        items.begin_frame();
        const std::string_view first = items.format("label %d", 1);
        const std::string long_text(200'000, 'x');
        items.add("long", {}, {}, long_text);
        CHECK(items.format("%s", long_text.c_str()).size() == long_text.size());
        for (int i = 0; i < 20'000; ++i) items.addf({}, i, "item number %d", i);
        CHECK(first == "label 1");
        CHECK(*items.find("item number 0")->value == 0);
        CHECK(*items.find("item number 19999")->value == 19999);
        CHECK(items.find("long")->text == long_text);
    }
}

TEST_CASE("labels are joined from parts, and a label of several items is split") {
    Items items;
    const std::string_view label = items.join({"export/format", "/", "PNG"});
    CHECK(label == "export/format/PNG");
    CHECK(std::string(label.data()) == label);  // also as a C string
    CHECK(items.join({}).empty());
    CHECK(joined_labels("A/pattern + A/token 3") == std::vector<std::string_view>{"A/pattern", "A/token 3"});
    CHECK(joined_labels("map") == std::vector<std::string_view>{"map"});
    CHECK(joined_labels("").empty());
}

TEST_CASE("the overlap of two boxes that do not meet is empty") {
    const Box box{{0, 0}, {10, 10}};
    const Box both = box.overlap({{4, 6}, {20, 8}});
    CHECK((both.min.x == 4 && both.min.y == 6 && both.max.x == 10 && both.max.y == 8));
    CHECK(!both.empty());
    CHECK(box.overlap({{10, 0}, {20, 10}}).empty());
}

TEST_CASE("keys have the names that scripts use, and GLFW's codes") {
    const auto is = [](const char* name, int glfw, Key key) {
        CAPTURE(name);
        CHECK(key_from_name(name) == key);
        CHECK(key_from_glfw(glfw) == key);
    };
    is("Tab", 258, Key::tab), is("PageDown", 267, Key::page_down), is("/", 47, Key::slash);
    is("0", 48, Key::d0), is("9", 57, Key::d9), is("a", 65, Key::a), is("Z", 90, Key::z);
    is("F1", 290, Key::f1), is("f12", 301, Key::f12), is("LeftCtrl", 341, Key::left_ctrl);
    is("LeftAlt", 342, Key::left_alt);
    CHECK(key_from_name("+") == Key::equal);
    CHECK(key_from_name("return") == Key::enter);
    CHECK(!key_from_name("F13"));
    CHECK(!key_from_glfw(0));
}

TEST_CASE("format writes NaN and ∞ for numbers, and leaves such words in strings alone") {
    Items items;
    const double nan = std::nan("");
    CHECK(items.format("%s %.2f %d", "nan", -nan, 7) == "nan NaN 7");
    CHECK(items.format("%.2f and %.0f %%", nan, std::numeric_limits<double>::infinity()) == "NaN and ∞ %");
    CHECK(items.format("%+.1f inf %s", -std::numeric_limits<double>::infinity(), "-inf") == "−∞ inf -inf");
    CHECK(items.format("%.*f finance", 1, 0.25) == "0.2 finance");
}

TEST_CASE("scrolled items know their innermost area, and each area its outer one") {
    Items items;
    items.begin_frame();
    items.add("outside", {{0, 0}, {1, 1}});
    const std::size_t outer = items.all().size();
    items.add("above", {{0, 0}, {1, 1}});
    const std::size_t inner = items.all().size();
    items.add("row", {{0, 0}, {1, 1}}, 0.5);
    items.scroll_in(inner, {{2, 2}, {3, 3}});
    items.add("below", {{0, 0}, {1, 1}}, item_state(1));
    items.scroll_in(outer, {{1, 1}, {4, 4}});
    CHECK(items.find("outside")->area == -1);
    CHECK(items.find("row")->area == 0);
    CHECK(items.areas()[0].outer == 1);
    CHECK(items.areas()[1].outer == -1);
    CHECK(items.find("above")->area == 1);
    CHECK(items.find("below")->area == 1);
    CHECK(items.find("below")->value_is_state);
    CHECK_FALSE(items.find("row")->value_is_state);
}

TEST_CASE("a tap hits a clickable item near the finger, but none under a card") {
    Items items;
    items.begin_frame();
    const auto control = [&](const char* label, const Box& box) {
        items.add(label, box);
        items.make_clickable();
    };
    const auto meant = [&](float x, float y) {
        const ImVec2 at = items.click_target({x, y}, 20);
        return std::pair(at.x, at.y);
    };
    using Place = std::pair<float, float>;
    control("left", {{0, 0}, {50, 20}});
    control("right", {{60, 0}, {110, 20}});
    items.add("number", {{0, 22}, {110, 30}});
    CHECK(meant(49, 10) == Place(49, 10));  // on one item, though near another
    CHECK(meant(54, 10) == Place(49, 10));  // between two: the nearer one
    CHECK(meant(57, 12) == Place(60, 12));
    CHECK(meant(80, 29) == Place(80, 19));    // on a number, which is not clickable
    CHECK(meant(80, 45) == Place(80, 45));    // too far away
    CHECK(meant(120, 30) == Place(109, 19));  // at a corner

    const std::size_t first = items.all().size();
    control("close", {{30, 40}, {50, 50}});
    items.cover(first, {{25, 15}, {90, 60}});
    CHECK(meant(70, 18) == Place(70, 18));  // on the card, over "right"
    CHECK(meant(55, 45) == Place(49, 45));
    CHECK(meant(30, 10) == Place(30, 10));
    CHECK(meant(20, 45) == Place(20, 45));  // next to the card
    CHECK(meant(115, 10) == Place(109, 10));
    items.begin_frame();
    CHECK(meant(54, 10) == Place(54, 10));
}

TEST_CASE("a dragging finger scrolls the innermost area under it, unless it starts on something draggable") {
    Items items;
    int outer_window = 0, inner_window = 0, popup = 0;
    const auto draw = [&] {
        items.begin_frame();
        items.add("heading", {{0, 0}, {100, 10}});
        const std::size_t outer = items.all().size();
        items.add("slider", {{0, 10}, {100, 20}});
        items.make_clickable();
        items.make_draggable();
        const std::size_t inner = items.all().size();
        items.add("row", {{0, 20}, {100, 40}});
        items.make_clickable();
        items.scroll_bar({{90, 20}, {100, 40}});
        items.scroll_in(inner, {{0, 20}, {100, 40}}, &inner_window);
        const std::size_t all_seen = items.all().size();
        items.add("short list", {{0, 40}, {100, 60}});
        items.scroll_in(all_seen, {{0, 40}, {100, 60}});
        items.scroll_in(outer, {{0, 10}, {100, 80}}, &outer_window);
    };
    draw();
    CHECK(items.scrolled_from({50, 5}) == nullptr);
    CHECK(items.scrolled_from({50, 15}) == nullptr);
    CHECK(items.scrolled_from({50, 30}) == &inner_window);
    CHECK(items.scrolled_from({50, 50}) == &outer_window);
    CHECK(items.scrolled_from({50, 70}) == &outer_window);
    CHECK(items.scrolled_from({95, 30}) == nullptr);
    CHECK(items.click_target({95, 30}, 20).x == 95);

    items.scroll(&inner_window, {0, 3});
    items.scroll(&inner_window, {1, 4});
    CHECK(items.asked_scroll(&inner_window).y == 0);  // from the next frame on
    draw();
    CHECK(items.asked_scroll(&inner_window).y == 7);
    CHECK(items.asked_scroll(&inner_window).x == 1);
    CHECK(items.asked_scroll(&outer_window).y == 0);
    const std::size_t card = items.all().size();
    items.add("choice", {{20, 30}, {60, 40}});
    items.cover(card, {{20, 15}, {60, 60}}, &popup);
    CHECK(items.scrolled_from({30, 50}) == &popup);
    CHECK(items.scrolled_from({80, 30}) == &inner_window);
    draw();
    CHECK(items.asked_scroll(&inner_window).y == 0);
}
