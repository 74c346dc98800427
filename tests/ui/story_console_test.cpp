#include <string>

#include "app/desktop/lecturer_window.h"
#include "app/lessons/lesson_file.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The audience's screen and the lecturer's window, drawn frame by frame as the real windows are.
struct TwoScreens {
    Story story;
    LecturerWindow lecturer{story.app, *story.surface};

    TwoScreens() { story.surface->add_second_screen(); }

    void frame(const std::function<void()>& on_stage = {}, const std::function<void()>& on_console = {}) {
        lecturer.follow();
        story.frame([&] {
            lecturer.point();
            if (on_stage) on_stage();
        });
        lecturer.draw(on_console);
    }
    /// Presses a clicker's key, then gives the worker time.
    void press(Key key) {
        frame([&] { script_key(key, true); });
        frame([&] { script_key(key, false); });
        settle();
    }
    void settle() {
        story.settle();
        for (int i = 0; i < 3; ++i) frame();
    }
    const Item* find(const std::string& label) { return lecturer.host()->items().find(label); }
    std::string text(const std::string& label) {
        const Item* item = find(label);
        return item ? std::string(item->text) : std::string();
    }
    void click(const std::string& label) {
        const ImVec2 at = find(label)->centre();
        for (const bool down : {false, true, true, false}) frame({}, [&] { script_mouse(at, down, false); });
        frame({}, [&] { script_mouse({-1e6f, -1e6f}, false, false); });
        frame();
    }
    Offscreen& window() { return dynamic_cast<Offscreen&>(*lecturer.surface()); }
    /// Types where the real windows would: in the console's context as long as it keeps the keyboard.
    void type(const std::vector<std::function<void()>>& frames) {
        const bool here = window().focused() && window().keeps_keys();
        for (const std::function<void()>& input : frames) here ? frame({}, input) : frame(input);
        settle();
    }
    void press_focused(Key key, bool ctrl = false) {
        type({[&] { script_modifiers(ctrl, false), script_key(key, true); },
              [&] { script_modifiers(false, false), script_key(key, false); }});
    }
    /// The console's pixels. A story renders a frame only for its picture.
    Image console() {
        lecturer.follow();
        story.picture();
        lecturer.draw();
        return dynamic_cast<Offscreen&>(*lecturer.surface()).read();
    }
};

/// The pixel at the centre of the console's preview of the audience's screen.
std::uint32_t seen(TwoScreens& screens, const Image& console) {
    const ImVec2 at = screens.find("console/stage")->centre();
    return pixel(console, at.x, at.y);
}

}  // namespace

TEST_CASE("lesson file: each step has its own notes, one paragraph each") {
    const Lesson lesson =
        parse_lesson("lesson: Try\n\n== One\nnotes: Say {length}.\nnotes: Wait.\n\nText.\n\n== Two\n\nMore.\n", "try");
    REQUIRE(lesson.steps[0].notes.size() == 2);
    CHECK(lesson.steps[0].notes[0].text.pieces.size() == 3);
    CHECK(lesson.steps[1].notes.empty());
}

TEST_CASE("story: on one screen the lecturer's console is a drawer beside the panel") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3\nexpect_no_item console\nkey K\nframes 3") == "");
    const Item *console = story.find("console"), *lesson = story.find("lesson"), *panel = story.find("panel/box");
    REQUIRE(console);
    REQUIRE(lesson);
    CHECK(console->max.y <= lesson->min.y);  // the banner is not covered
    CHECK(panel->max.x <= console->min.x);
    CHECK_FALSE(story.shows("console/stage"));
    const Lesson& played = *story.app.lessons().lesson();
    CHECK(story.text("console/step") == played.steps[0].title);
    CHECK(story.value("console/notes") == 1);
    CHECK(story.text("console/then") == played.steps[1].title);

    const double before = story.value("console/clock");
    story.frames(180);
    CHECK(story.value("console/clock") == before + 3);
    CHECK(story.value("console/clock") + story.value("console/left") ==
          doctest::Approx(60 * played.minutes).epsilon(0.01));
    CHECK(story.play("click console/restart\nframes 2\nexpect console/clock == 0") == "");

    CHECK(story.play("click console/next\nframes 3") == "");
    story.settle();
    CHECK(story.app.lessons().at() == 1);
    CHECK(story.text("console/then") == "The answer");
    CHECK(story.play("click console/vote\nframes 2\nkey 2\nkey 2\nkey 1\nframes 2\nexpect console/vote/B == 2\nexpect "
                     "console/vote/A == 1\nkey Escape\nframes 2\nexpect_no_item console/vote/A") == "");
    CHECK(story.play("click console/back\nframes 3") == "");
    story.settle();
    CHECK(story.app.lessons().at() == 0);
    CHECK(story.play("click console/black\nframes 2\nexpect_item screen/blank\nkey B\nframes 2\nexpect_no_item "
                     "screen/blank\nkey K\nframes 2\nexpect_no_item console") == "");
}

TEST_CASE("story: the console's notes show the model's numbers, and another lesson restarts its clock") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 5\nkey F5\nkey K\nframes 200") == "");
    CHECK(story.value("console/clock") == 3);
    CHECK(story.text("console/note 0") == story.text("lesson/number 0"));
    CHECK(story.text("console/note 0") != "");
    REQUIRE(story.play("lesson 7_layer_norm\nframes 5") == "");
    story.settle();
    CHECK(story.value("console/clock") == 0);
    CHECK(story.value("console/notes") == 1);
    const int last = static_cast<int>(story.app.lessons().lesson()->steps.size());
    REQUIRE(story.play("lesson 7_layer_norm " + std::to_string(last) + "\nframes 5") == "");
    story.settle();
    CHECK(story.value("console/notes") == 0);  // "What to remember" has no notes
}

TEST_CASE("story: the palette's command opens the console together with the audience's screen") {
    Story story;
    CHECK(story.play("key Ctrl+k\nframes 3\ntype \"Presenter's console\"\nframes 3\nkey Enter\nframes 3\nexpect_item "
                     "console\nexpect_item panel/box") == "");
    const std::string next = story.text("console/then");
    CHECK(story.play("click console/next\nframes 3") == "");
    CHECK(story.text("panel/box") == next);  // without a lesson, Next turns to the next panel
}

TEST_CASE("story: a clicker alone plays a whole lesson, with the console on a second screen") {
    TwoScreens screens;
    Story& story = screens.story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    const LessonRunner& lessons = story.app.lessons();
    const std::shared_ptr<const Lesson> lesson = lessons.lesson();
    screens.settle();
    const Image alone = story.picture();
    screens.press(Key::k);
    REQUIRE(screens.lecturer.surface());
    CHECK_FALSE(story.shows("console"));  // none of it is on the audience's screen
    CHECK(story.picture().rgba == alone.rgba);
    const auto ends = [&] {
        return static_cast<std::size_t>(lessons.at()) + 1 == lesson->steps.size() && !lessons.asks();
    };
    for (int pressed = 0; !ends(); ++pressed) {
        REQUIRE(pressed < 40);
        CAPTURE(lessons.at());
        CHECK(screens.text("console/step") == lessons.step().title);
        const std::size_t after = static_cast<std::size_t>(lessons.at()) + 1;
        if (lessons.asks())
            CHECK(screens.text("console/then") == "The answer");
        else
            CHECK(screens.text("console/then") == lesson->steps[after].title);
        CHECK((screens.find("console/notes")->value == 1) == !lessons.step().notes.empty());
        screens.press(Key::page_down);
    }
    CHECK(screens.text("console/then") == "The end of the lesson");
    CHECK(lessons.error() == "");
    for (int i = 0; i < 3; ++i) screens.press(Key::page_down);
    CHECK(lessons.open());
    CHECK(lessons.at() + 1 == static_cast<int>(lesson->steps.size()));
    screens.press(Key::escape);
    CHECK_FALSE(lessons.open());
    CHECK(story.state().presenter);
    REQUIRE(screens.lecturer.surface());  // the console outlives the lesson
    screens.press(Key::k);
    CHECK_FALSE(screens.lecturer.surface());
    CHECK_FALSE(story.shows("console"));
}

TEST_CASE("story: the console shows what the audience sees, and its buttons match the clicker's keys") {
    TwoScreens screens;
    Story& story = screens.story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    screens.press(Key::k);
    REQUIRE(screens.find("console/stage"));
    CHECK(seen(screens, screens.console()) != 0);
    screens.press(Key::period);
    CHECK(story.shows("screen/blank"));
    CHECK(contains(screens.text("console/covered"), "black"));
    CHECK(seen(screens, screens.console()) != 0);  // the lecturer prepares the next step
    screens.click("console/black");
    CHECK_FALSE(screens.find("console/covered"));
    CHECK_FALSE(story.shows("screen/blank"));
    CHECK(seen(screens, screens.console()) != 0);

    screens.click("console/freeze");
    CHECK(story.shows("screen/frozen"));
    const Image still = story.picture();
    screens.click("console/next");
    screens.settle();
    CHECK(story.app.lessons().at() == 1);
    CHECK(screens.text("console/step") == story.app.lessons().step().title);
    CHECK(story.picture().rgba == still.rgba);  // the audience still sees the first step
    screens.press(Key::f);
    CHECK_FALSE(story.shows("screen/frozen"));
    CHECK(story.picture().rgba != still.rgba);

    screens.press(Key::f5);
    CHECK_FALSE(screens.lecturer.surface());  // the lecturer's screen closes with the audience's
    screens.press(Key::f5);
    CHECK(screens.lecturer.surface());
}

TEST_CASE("story: while the audience's picture is frozen, the next one is prepared on the console") {
    TwoScreens screens;
    Story& story = screens.story;
    REQUIRE(story.play("key F5\nkey " + std::to_string(view_index("Attention") + 1) + "\nframes 3") == "");
    screens.press(Key::k);
    screens.settle();
    const ImVec2 word = story.find("A/token 1")->centre();
    const auto in_picture = [&](ImVec2 at) {
        const Item* picture = screens.find("console/stage");
        const float times = (picture->max.x - picture->min.x) / static_cast<float>(story.surface->size().width);
        return ImVec2(picture->min.x + at.x * times, picture->min.y + at.y * times);
    };
    const auto click = [&](ImVec2 on_stage) {
        const ImVec2 at = in_picture(on_stage);
        for (const bool down : {false, true, true, false}) screens.frame({}, [&] { script_mouse(at, down, false); });
        screens.frame({}, [&] { script_mouse({-1e6f, -1e6f}, false, false); });
        screens.settle();
    };
    REQUIRE(story.state().token[0] != 1);
    click(word);
    CHECK(story.state().token[0] != 1);  // not frozen: clicks on the preview do nothing

    const Image still = story.picture();
    screens.press(Key::f);
    REQUIRE(story.shows("screen/frozen"));
    CHECK_FALSE(story.shows("screen/prepared"));
    CHECK(contains(screens.text("console/covered"), "frozen"));
    CHECK(story.picture().rgba == still.rgba);
    CHECK(story.picture().rgba == still.rgba);
    CHECK(seen(screens, screens.console()) != 0);

    click(word);  // a word, then a sentence, a panel, and a page of a lesson
    CHECK(story.state().token[0] == 1);
    CHECK(story.picture().rgba == still.rgba);
    const Image before = screens.console();
    story.session.send(command::Watch{0, "she saw the bat ."});
    screens.settle();
    screens.press(Key::d4);
    CHECK(story.value("panel/box") == 3);
    CHECK(story.picture().rgba == still.rgba);
    CHECK(screens.console().rgba != before.rgba);
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nframes 3") == "");
    screens.settle();
    screens.press(Key::page_down);
    CHECK(story.app.lessons().at() == 1);
    CHECK(story.picture().rgba == still.rgba);

    screens.press(Key::f);
    CHECK_FALSE(screens.find("console/covered"));
    CHECK(story.picture().rgba != still.rgba);
    CHECK(story.app.lessons().at() == 1);
}

TEST_CASE("story: with focus on the console, palette, help, setup and export open there, not on the stage") {
    TwoScreens screens;
    Story& story = screens.story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    screens.press(Key::k);
    REQUIRE(screens.lecturer.surface());
    const std::int64_t trained = story.snapshot().live_step;
    const Image before = story.picture();
    screens.window().set_focused(true);
    screens.frame();

    screens.press_focused(Key::k, true);
    CHECK(screens.find("palette"));
    CHECK_FALSE(story.shows("palette"));
    screens.type({[] { script_text("one sentence"); }});
    CHECK(screens.text("palette") == "one sentence");
    screens.press_focused(Key::escape);
    CHECK_FALSE(screens.find("palette"));
    CHECK(story.picture().rgba == before.rgba);
    screens.press_focused(Key::k, true);
    screens.type({[] { script_text("dark"); }});
    screens.press_focused(Key::enter);
    CHECK(story.state().theme == ThemeKind::dark);
    CHECK_FALSE(screens.find("palette"));

    // Help, the run's setup and the export are on the lecturer's screen too; what is open stays open.
    screens.press_focused(Key::f1);
    CHECK(screens.find("help/card"));
    CHECK_FALSE(story.shows("help/card"));
    screens.window().set_focused(false);
    screens.settle();
    CHECK(screens.find("help/card"));
    CHECK_FALSE(story.shows("help/card"));
    screens.window().set_focused(true);
    screens.frame();
    screens.press_focused(Key::escape);
    CHECK_FALSE(screens.find("help/card"));
    screens.press_focused(Key::n, true);
    CHECK(screens.find("setup/title"));
    CHECK_FALSE(story.shows("setup/title"));
    CHECK(story.shows("panel/box"));
    screens.press_focused(Key::escape);
    CHECK_FALSE(screens.find("setup/title"));
    screens.press_focused(Key::e, true);
    CHECK(screens.find("export/card"));
    CHECK_FALSE(story.shows("export/card"));
    screens.press_focused(Key::escape);
    CHECK_FALSE(screens.find("export/card"));
    CHECK(story.app.lessons().open());

    // The clicker works in either window; with focus on the stage, Ctrl+K opens the palette there.
    screens.press_focused(Key::page_down);
    CHECK(story.app.lessons().at() == 1);
    CHECK(story.snapshot().live_step == trained);
    screens.window().set_focused(false);
    screens.frame();
    screens.press_focused(Key::k, true);
    CHECK(story.shows("palette"));
    CHECK_FALSE(screens.find("palette"));
}

TEST_CASE("story: a click in the console unfocuses the stage's text field, so the clicker works again") {
    TwoScreens screens;
    Story& story = screens.story;
    REQUIRE(story.play("key F5\nframes 3\nclick A/type\nframes 2") == "");
    const double panel = story.value("panel/box");
    screens.press(Key::page_down);
    CHECK(story.value("panel/box") == panel);  // the field has keyboard focus
    REQUIRE(story.play("key Escape\nframes 2\nkey k\nframes 2\nclick A/type\nframes 2") == "");
    screens.settle();
    REQUIRE(screens.lecturer.surface());
    screens.press(Key::page_down);
    CHECK(story.value("panel/box") == panel);
    screens.click("console/then");
    screens.press(Key::page_down);
    CHECK(story.value("panel/box") == panel + 1);
}
