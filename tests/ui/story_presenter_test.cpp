#include <algorithm>

#include "app/panels/help/key_names.h"
#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string frames_of(const char* keys) { return std::string(keys) + "\nframes 3"; }

/// The panel's share of the screen.
double share(Story& story) {
    const Item* box = story.find("panel/box");
    const PixelSize size = story.surface->size();
    return box ? static_cast<double>((box->max.x - box->min.x) * (box->max.y - box->min.y)) / (size.width * size.height)
               : 0;
}

}  // namespace

TEST_CASE("story: for an audience one panel fills the screen, with text readable from the last row") {
    for (const PixelSize size :
         {PixelSize{1024, 768}, PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{3840, 2160}}) {
        CAPTURE(size.width);
        Story story({.size = size});
        for (const char* key : {"key F5", "key F11"}) {
            REQUIRE(story.play(frames_of(key)) == "");
            CHECK(story.state().presenter);
            CHECK(share(story) >= 0.8);
            const Ui& ui = story.host.ui();
            CHECK(ui.line(FontRole::small) / ui.line(FontRole::body) == doctest::Approx(13.0 / 15).epsilon(0.04));
            CHECK(ui.scale * 13 == doctest::Approx(size.height / 40.0));
            CHECK_FALSE(story.shows("train"));  // the bars are off screen
            CHECK(story.shows("A/token 0"));
            REQUIRE(story.play(frames_of(key)) == "");
            CHECK_FALSE(story.state().presenter);
            CHECK(story.shows("train"));
        }
    }
}

TEST_CASE("story: after a clicker turns the page, a resting pointer shows no tooltip of a head") {
    Story story({.size = {1280, 720}});
    REQUIRE(story.play("key F5\nframes 3\nkey 4\nframes 3\nhover \"heads/A 0 3\"\nframes 3") == "");
    CHECK(contains(story.text("head tooltip"), "3"));
    REQUIRE(story.play("key PageUp\nframes 3\nkey PageDown\nframes 3") == "");
    CHECK(story.shows("heads/A 0 3"));
    CHECK_FALSE(story.shows("head tooltip"));
    REQUIRE(story.play("hover \"heads/A 0 2\"\nframes 3") == "");
    CHECK(story.shows("head tooltip"));
}

TEST_CASE("story: on the stage a lesson leaves most of the Timeline's panel to its curves") {
    for (const PixelSize size : {PixelSize{1280, 720}, {1366, 768}, {1920, 1080}}) {
        CAPTURE(size.width);
        Story story({.size = size});
        REQUIRE(story.play("key F5\nframes 3\nlesson 1_two_kinds_of_bat 9\nframes 10") == "");
        const Item *plot = story.find("timeline"), *panel = story.find("panel/box"), *controls = story.find("one step");
        REQUIRE((plot && panel && controls));
        CHECK(plot->max.y - plot->min.y >= 0.6f * (panel->max.y - panel->min.y));
        CHECK(controls->max.x < plot->min.x);
        CHECK(plot->max.x - plot->min.x >= 0.25f * static_cast<float>(size.width));
    }
}

TEST_CASE("story: Ctrl + and Ctrl − change only the stage's text size, and the window keeps its own") {
    Story story({.size = {1280, 720}, .scale = 1.25f});
    const auto scale = [&] { return static_cast<double>(story.host.ui().scale); };
    const double fortieth = 720 / 40.0 / 13;
    CHECK(scale() == 1.25);
    REQUIRE(story.play("key F5\nframes 3") == "");
    CHECK(scale() == doctest::Approx(fortieth));
    REQUIRE(story.play("key Ctrl+=\nframes 3") == "");
    CHECK(scale() == doctest::Approx(1.25 * fortieth));
    REQUIRE(story.play("key Ctrl+=\nframes 1\nkey Ctrl+=\nframes 1\nkey Ctrl+=\nframes 3") == "");
    CHECK(scale() == doctest::Approx(1.5 * fortieth));
    REQUIRE(story.play("key Ctrl+0\nframes 2\nkey Ctrl+-\nframes 1\nkey Ctrl+-\nframes 3") == "");
    CHECK(scale() == doctest::Approx(0.75 * fortieth));
    REQUIRE(story.play("key F5\nframes 3") == "");
    CHECK(scale() == 1.25);
    REQUIRE(story.play("key Ctrl+=\nframes 2\nkey F5\nframes 3") == "");
    CHECK(scale() == doctest::Approx(0.75 * fortieth));
    // Leaving a lesson restores the view, but not the text size.
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 1\nframes 2\nkey Ctrl+=\nframes 2\nclick lesson/leave\nframes 4") ==
            "");
    CHECK(scale() == doctest::Approx(fortieth));
}

TEST_CASE("story: the offer of the first lesson is hidden from an audience") {
    Story story;
    story.app.lessons().memory().offer = true;
    CHECK(story.play("frames 4\nexpect_item lesson/offer\nkey F5\nframes 6\nexpect_no_item lesson/offer\n"
                     "key F5\nframes 6\nexpect_item lesson/offer") == "");
}

TEST_CASE("story: number keys and a clicker choose the panel for an audience") {
    Story story;
    REQUIRE(story.play(frames_of("key F5")) == "");
    CHECK(story.value("panel/box") == 1);  // the view that was on screen
    CHECK(story.play(frames_of("key 3")) == "");
    CHECK(story.value("panel/box") == 2);
    const std::string third = story.text("panel/box");
    CHECK(chosen_view(story.state()).name == third);
    CHECK(story.play(frames_of("key PageDown")) == "");
    CHECK(story.value("panel/box") == 3);
    CHECK(story.play(frames_of("key PageUp\nkey PageUp")) == "");
    CHECK(story.value("panel/box") == 1);
    CHECK(story.play(frames_of("key 1\nkey PageUp")) == "");  // wraps around
    CHECK(story.text("panel/box") == "Model map");
    CHECK(story.play(frames_of("key PageUp")) == "");
    CHECK(story.shows("timeline log"));
    CHECK(story.play("click panel\nframes 2\nclick \"panel/2  " + std::string(all_views()[1].name) + "\"\nframes 3") ==
          "");
    CHECK(story.value("panel/box") == 1);
    CHECK(story.play(frames_of("key F5")) == "");
    CHECK(story.state().view == 1);  // the view stays chosen
}

TEST_CASE("story: on the stage bars slide in from the screen's edges, and out again") {
    Story story({.size = {1920, 1080}});
    REQUIRE(story.play(frames_of("key F5")) == "");
    for (const auto& [edge, item] :
         {std::pair{"edge/top", "train"}, std::pair{"edge/left", "map/attention 0"},
          std::pair{"edge/bottom", "timeline log"}, std::pair{"edge/right", "explain/value"}}) {
        CAPTURE(edge);
        CHECK_FALSE(story.shows(item));
        const Item* at = story.find(edge);
        REQUIRE(at);
        story.frames_at(at->centre(), 3);
        CHECK(story.value(edge) == 1);
        if (std::string(edge) != "edge/left") CHECK(story.shows(item));
        story.frames_at({960, 500}, 3);
        CHECK(story.value(edge) == 0);
        CHECK_FALSE(story.shows(item));
    }
}

TEST_CASE("story: on the stage a clicked number slides in its explanation, and Escape closes it") {
    Story story({.size = {1920, 1080}});
    REQUIRE(story.play("key F5\nkey " + std::to_string(view_index("Attention") + 1) +
                       "\nframes 3\nclick \"B/weight 2\"\nframes 3") == "");
    CHECK(story.shows("explain/value"));
    CHECK(story.shows("B/weight 2"));
    CHECK(story.play(frames_of("key Escape")) == "");
    CHECK_FALSE(story.shows("explain/value"));
    CHECK(story.state().presenter);
    CHECK(story.play(frames_of("key Escape")) == "");
    CHECK_FALSE(story.state().presenter);
}

TEST_CASE("story: a clicker alone plays a lesson, and Home restores its step") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    const LessonRunner& lessons = story.app.lessons();
    const int steps = static_cast<int>(lessons.lesson()->steps.size());
    const int view = story.state().view;
    REQUIRE(story.play("key 5\nframes 3") == "");
    if (!lessons.asks()) CHECK(story.state().view != view);
    REQUIRE(story.play("key Home\nframes 3") == "");
    story.settle();
    CHECK(story.state().view == view);
    story.state().reduce_motion = true;
    int explained = 0;
    for (int i = 0; lessons.open() && i < 3 * steps; ++i) {
        REQUIRE(story.play("key PageDown\nframes 3") == "");
        story.settle(2);
        if (!lessons.open()) break;
        CAPTURE(lessons.step().title);
        // A step's explanation is next to its panel, goes with the step, and does not cover what the step points at.
        const Item* number = story.find("explain/value");
        if (!number) continue;
        ++explained;
        CHECK(lessons.scene().explain.has_value());
        for (const std::string& light : lessons.lights())
            if (const Item* lit = story.find(light); lit && !light.starts_with("explain"))
                CHECK(lit->max.x < number->min.x);
    }
    CHECK(explained >= 2);
    CHECK(lessons.at() + 1 == steps);
    CHECK(lessons.open());  // it does not end by paging
    CHECK(lessons.error() == "");
    CHECK(story.state().presenter);
}

TEST_CASE("story: a clicker goes back through a lesson's answers and questions in reverse order") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    const LessonRunner& lessons = story.app.lessons();
    using Page = std::pair<int, bool>;  // step, and whether it asks
    const auto page = [&] { return Page{lessons.at(), lessons.asks()}; };
    const auto walk = [&](const char* key) {
        std::vector<Page> pages{page()};
        for (;;) {
            REQUIRE(story.play(std::string("key ") + key + "\nwait lesson/scene == 1\nframes 2") == "");
            if (page() == pages.back()) return pages;
            pages.push_back(page());
        }
    };
    const std::vector<Page> there = walk("PageDown");
    std::vector<Page> back = walk("PageUp");
    std::ranges::reverse(back);
    CHECK(there == back);
    CHECK(there.size() > lessons.lesson()->steps.size());
    CHECK(walk("PageDown") == there);
    CHECK(lessons.error() == "");
}

TEST_CASE("story: a clicker starts a lesson that needs another model, without turning panels meanwhile") {
    Story story;
    REQUIRE(story.play("key F5\nframes 3") == "");
    const double panel = story.value("panel");
    LessonMenu& menu = story.state().window.lessons;
    menu.ask = LessonMenu::Ask::start;
    menu.named = "10_learning";
    REQUIRE(story.play("frames 3\nexpect_item lesson/wanted\nkey PageUp\nframes 2\nexpect_item lesson/wanted") == "");
    CHECK(story.value("panel") == panel);
    REQUIRE(story.play("key PageDown\nwait lesson/scene == 1 timeout 120\nexpect lesson == 1") == "");
    CHECK(story.play("key PageDown\nframes 2\nwait lesson == 2") == "");
}

TEST_CASE("story: a clicker pressed while a lesson trains skips no answer, and the lesson reaches its end") {
    Story story;
    REQUIRE(story.play("key F5\nframes 3") == "");
    LessonMenu& menu = story.state().window.lessons;
    menu.ask = LessonMenu::Ask::start;
    menu.named = "10_learning";
    REQUIRE(story.play("frames 3\nkey PageDown\nwait lesson/scene == 1 timeout 120") == "");
    LessonRunner& lessons = story.app.lessons();
    const auto last = static_cast<int>(lessons.lesson()->steps.size()) - 1;
    int answers = 0;
    bool waited = false;
    CHECK(story.until([&] {
        const bool waits = lessons.waits(story.snapshot());
        const int at = lessons.at();
        const bool asked = lessons.asks();
        REQUIRE(story.play("key PageDown\nframes 2") == "");
        waited = waited || waits;
        if (waits && lessons.waits(story.snapshot())) CHECK(lessons.at() == at);
        answers += asked && !lessons.asks() && lessons.at() == at ? 1 : 0;
        return lessons.at() == last;
    }));
    CHECK(waited);
    CHECK(answers ==
          std::ranges::count_if(lessons.lesson()->steps, [](const auto& s) { return s.question.has_value(); }));
    CHECK(lessons.error() == "");
}

TEST_CASE("story: an audience can read the name of every operand, at each screen size") {
    for (const PixelSize size :
         {PixelSize{1024, 768}, PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{2560, 1440}}) {
        CAPTURE(size.width);
        Story story({.size = size});
        REQUIRE(
            story.play("key F5\nframes 3\nclick panel\nframes 2\nclick \"panel/    Where a number comes from\"\nframes "
                       "3") == "");
        story.host.ui().items->keep_texts(true);
        story.frames(2);
        int names = 0;
        for (const Items::DrawnText& text : story.host.items().texts()) {
            if (!text.text.starts_with("q[") && !text.text.starts_with("k[")) continue;
            CAPTURE(text.text);
            CHECK_FALSE(text.cut);
            ++names;
        }
        CHECK(names > 0);
    }
}
