#include <algorithm>

#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

bool inside(const Item& item, ImVec2 size) {
    const ImVec2 c = item.centre();
    return c.x >= 0 && c.y >= 0 && c.x < size.x && c.y < size.y;
}

/// Scrolls at many places, so that every scrolling area gets its turn, and notes which items come into view.
void look_everywhere(Story& story, std::vector<std::string>& seen, float lines) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    for (const float x : {0.25f, 0.75f})
        for (const float y : {0.35f, 0.5f, 0.6f, 0.67f, 0.74f, 0.81f, 0.88f, 0.95f})
            for (int turn = 0; turn < 12; ++turn) {
                const ImVec2 mouse{size.x * x, size.y * y};
                story.frame([&] {
                    script_mouse(mouse, false, false);
                    script_wheel(lines);
                });
                for (const Item& item : story.host.items().all())
                    if (inside(item, size) && std::ranges::find(seen, item.label) == seen.end())
                        seen.emplace_back(item.label);
            }
}

/// Checks that each item of the panel is in the window or can be scrolled to, and that none extends beyond its sides.
void check_reachable(Story& story) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    std::vector<std::string> seen;
    look_everywhere(story, seen, 30);
    look_everywhere(story, seen, -0.5f);
    look_everywhere(story, seen, -30);
    Differences differences;
    for (const Item& item : story.host.items().all()) {
        const std::string label(item.label);
        if (item.min.x < -1 || item.max.x > size.x + 1) differences.add(label + " is beyond a side");
        if (std::ranges::find(seen, label) == seen.end()) differences.add(label + " never comes into view");
    }
    CHECK(differences.report() == "");
}

void every_panel(const StoryOptions& options, const std::vector<std::pair<std::string, std::string>>& shows) {
    Story story(options);
    for (const auto& [panel, item] : shows) {
        CAPTURE(panel);
        CHECK(story.play("click \"panel/" + panel + "\"\nframes 2\nexpect_item \"" + item + "\"") == "");
        check_reachable(story);
        CHECK_FALSE(story.picture().rgba.empty());
    }
    CHECK(story.play("click help\nframes 2\nexpect_item help/close\nclick help/close\nframes 2\nclick train\nwait step "
                     ">= 1 timeout 60\nclick train\nwait train == 0 timeout 60") == "");
}

const std::vector<std::pair<std::string, std::string>> panels = {
    {"Map", "map"},          {"A", "A/q 0"}, {"B", "B/q 0"}, {"Number", "explain/value"}, {"Meaning", "meaning map"},
    {"Timeline", "timeline"}};

}  // namespace

TEST_CASE("story: at 640 × 400 everything can be reached, one panel at a time") {
    every_panel({.size = {640, 400}, .trained = false}, panels);
}

TEST_CASE("story: at 640 × 400 and 200 % everything can be reached except the worksheets") {
    // Half of the smallest real window: there is no room for a worksheet under a sentence's tokens.
    std::vector<std::pair<std::string, std::string>> others = panels;
    std::erase_if(others, [](const auto& panel) { return panel.first == "A" || panel.first == "B"; });
    every_panel({.size = {640, 400}, .scale = 2, .trained = false}, others);
    Story story({.size = {640, 400}, .scale = 2});
    CHECK(story.play(
              "click panel/A\nframes 2\nclick \"A/token 1\"\nclick panel/B\nframes 2\nexpect_item \"B/token 0\"") ==
          "");
    CHECK_FALSE(story.picture().rgba.empty());
}

TEST_CASE("story: in the smallest real window, at 200 %, everything can be reached") {
    every_panel({.size = {960, 600}, .scale = 2, .trained = false}, panels);
}

TEST_CASE("story: with large text and a lesson below, a card scrolls from its words to its view, and back") {
    Story story({.size = {1280, 720}, .scale = 2});
    REQUIRE(story.play("lesson 5_many_heads 8\nframes 12") == "");
    const Item *pointed_at = story.find("A/z joined"), *lesson = story.find("lesson");
    REQUIRE(pointed_at);
    REQUIRE(lesson);
    CHECK(pointed_at->in_sight);
    CHECK(pointed_at->max.y <= lesson->min.y);
    CHECK(story.shows("lesson/light"));
    const auto turn = [&](const char* over, float lines) {
        const ImVec2 mouse = story.find(over)->centre();
        for (int i = 0; i < 30; ++i)
            story.frame([&] {
                script_mouse(mouse, false, false);
                script_wheel(lines);
            });
        story.frames(2);
    };
    turn("A/z joined", 3);  // over the view, which scrolls, too
    CHECK(story.find("A/token 3")->in_sight);
    turn("A/token 3", -3);
    CHECK_FALSE(story.find("A/token 3")->in_sight);
}

TEST_CASE("story: with large text and a lesson below a number still shows its formula") {
    Story story({.size = {1280, 720}, .scale = 2});
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 4\nframes 3\nclick panel/Number\nframes 4") == "");
    const auto in_sight = [&](const char* label) {
        const Item* item = story.find(label);
        return item && item->in_sight;
    };
    CHECK(in_sight("explain/value"));
    CHECK(in_sight("explain/softmax"));
    REQUIRE(story.play("click explain/vector\nframes 4") == "");
    CHECK(story.shows("explain/number 0"));
    REQUIRE(story.play("click explain/vector\nframes 4\nscroll explain/softmax -40\nframes 20") == "");
    CHECK(in_sight("explain/recomputed"));
}

TEST_CASE("story: in a card that scrolls, the wheel over the whole model only zooms") {
    Story story({.size = {1366, 800}, .scale = 2, .model = "translation"});
    story.state().view = view_index("Whole model");
    REQUIRE(story.play("click panel/A\nframes 6\nscroll A/type -5\nframes 4") == "");
    REQUIRE(story.shows("whole/A/attention 0"));
    const auto top_of_words = [&] { return story.find("A/type")->min.y; };
    const float top = top_of_words(), narrow = story.find("whole/A/attention 0")->width();
    REQUIRE(top < story.find("view")->min.y);  // the card is scrolled to its view
    REQUIRE(story.play("scroll \"whole/A/attention 0\" 1\nframes 20") == "");
    const Item* zoomed = story.find("whole/A/attention 0");
    CHECK((!zoomed || zoomed->width() > narrow));  // wider, or by now outside the picture
    CHECK(top_of_words() == top);
}

TEST_CASE("story: where the panel of the runs scrolls, the buttons beside its first heading are whole") {
    Story story({.size = {1366, 768}, .scale = 2});
    REQUIRE(story.play("click panel/Timeline\nframes 3\nclick runs\nframes 4") == "");
    for (const char* label : {"runs/close", "runs/experiment"}) {
        CAPTURE(label);
        const Item* button = story.find(label);
        REQUIRE(button);
        REQUIRE(button->area >= 0);
        CHECK(button->min.y >= story.host.items().areas()[static_cast<std::size_t>(button->area)].min.y);
    }
}

TEST_CASE("story: in a low card the names beside the whole model do not overlap") {
    Story story({.size = {1280, 720}, .scale = 2});
    story.host.ui().items->keep_texts(true);
    story.state().narrow_panel = Panel::sentence_a;
    story.state().view = view_index("Whole model");
    std::vector<float> names;
    for (int i = 0; i < 4; ++i) {  // the picture is cached once it is drawn
        story.frames(1);
        for (const Items::DrawnText& drawn : story.host.items().texts())
            for (const char* name : {"prediction", "block 1", "block 0", "embedding", "words"})
                if (drawn.text == name && drawn.at.x < 200) names.push_back(drawn.at.y);
    }
    std::ranges::sort(names);
    CHECK(names.size() >= 4);
    for (std::size_t i = 1; i < names.size(); ++i) {
        const float apart = names[i] - names[i - 1];  // 0: the same name in another frame
        CHECK((apart < 1 || apart >= 0.85f * story.host.ui().line(FontRole::small)));
    }
}

TEST_CASE("story: in a low card, too, the forward pass has its caption and its controls while it plays") {
    Story story({.size = {1280, 720}, .scale = 2});
    story.state().view = view_index("Whole model");
    REQUIRE(story.play("click panel/A\nframes 4\nexpect_no_item whole/story/caption\nkey Space\nframes 4") == "");
    for (const char* label : {"whole/story/caption", "whole/story/play", "whole/story/close"}) {
        CAPTURE(label);
        const Item* part = story.find(label);
        REQUIRE(part);
        CHECK(part->in_sight);
        CHECK(part->max.y <= 720);
    }
    CHECK(story.play("click whole/story/close\nframes 3\nexpect_no_item whole/story/caption") == "");
}

TEST_CASE("story: the window is resized from wide to narrow and back") {
    Story story({.size = {1280, 800}});
    for (const PixelSize size : {PixelSize{640, 400}, PixelSize{1240, 640}, PixelSize{300, 200}, PixelSize{64, 48},
                                 PixelSize{2560, 500}, PixelSize{1280, 800}}) {
        CAPTURE(size.width);
        story.surface->resize(size);
        story.frames(3);
        story.picture();
        if (size.width >= 300) CHECK(story.shows("train"));
    }
    CHECK(story.play("expect_item \"A/q 0\"\nexpect_item timeline") == "");
}
