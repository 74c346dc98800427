#include <algorithm>

#include "app/common/glossary.h"
#include "app/lessons/lesson_search.h"
#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: the course page lists all lessons with their progress, and a click starts one") {
    Story story;
    CHECK(story.play("lesson 1_two_kinds_of_bat 4\nframes 4\nclick lesson/leave\nframes 4\nclick lessons\n"
                     "click \"lessons/All lessons…\"\nframes 3\nexpect course == 15\nexpect course/1 == 3\n"
                     "expect course/2 == 0\nexpect_text course/2 \"Attention is a weighted average\"\n"
                     "expect_text course/14 \"Heads that copy\"\nexpect_text course/15 \"Is it luck?\"") == "");
    for (int i = 1; i <= 15; ++i) {
        const Item *row = story.find("course/" + std::to_string(i)), *card = story.find("course");
        REQUIRE(row);
        CHECK(row->max.y <= card->max.y);
    }
    CHECK(story.play("key Escape\nframes 3\nexpect_no_item course\nclick lessons\nclick \"lessons/All lessons…\"\n"
                     "frames 3\nclick course/1\nwait lesson/scene == 1\nexpect lesson == 4\nexpect_no_item course") ==
          "");
}

TEST_CASE("story: at its end a lesson offers the next one, and a finished lesson starts over") {
    Story story;
    CHECK(story.play("lesson 1_two_kinds_of_bat 12\nframes 4\n"
                     "click \"lesson/next lesson\"\nwait lesson == 1\nwait lesson/scene == 1\nframes 4") == "");
    CHECK(story.app.lessons().lesson()->title == "Attention is a weighted average");
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    story.settle();
    story.settle();
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.play("click lessons\nclick \"lessons/All lessons…\"\nframes 3\nexpect course/1 == 12\nclick course/1\n"
                     "wait lesson/scene == 1\nexpect lesson == 1") == "");
}

TEST_CASE("story: a lesson is found by its topics, and by the view on screen") {
    Story story;
    const std::string open = "click lessons\nclick \"lessons/All lessons…\"\nframes 3\n";
    REQUIRE(story.play("key a\nclick \"view/Q K V\"\nframes 2\n" + open) == "");
    CHECK(story.shows("course/view 3"));  // Query, key, value
    CHECK_FALSE(story.shows("course/view 7"));
    REQUIRE(story.play("click course/search\ntype Temperature\nframes 3") == "");
    CHECK(story.shows("course/9"));  // From text to tokens and back
    CHECK_FALSE(story.shows("course/2"));
    // It starts at the step that is about it.
    REQUIRE(story.play("click course/9\nwait lesson/scene == 1 timeout 60\nframes 2") == "");
    CHECK(story.value("lesson") == 9);
    REQUIRE(story.play(open + "click course/search\nkey Ctrl+a\ntype xylophone\nframes 3") == "");
    for (int i = 1; i <= 15; ++i) CHECK_FALSE(story.shows("course/" + std::to_string(i)));
}

TEST_CASE("story: the palette opens the page of all lessons") {
    Story story;
    CHECK(story.play(
              "key Ctrl+K\nframes 2\ntype \"all lessons\"\nframes 2\nkey Enter\nframes 3\nexpect_item course/1") == "");
}

TEST_CASE("story: on the course page neither the search nor the mark of the current view covers a text") {
    Story story({.size = {1280, 720}, .scale = 2});
    REQUIRE(story.play("click view/LayerNorm\nframes 3") == "");
    story.state().window.lessons.course = true;
    story.host.ui().items->keep_texts(true);
    story.frames(3);
    CHECK(story.find("course/about")->max.x <= story.find("course/search")->min.x);
    int marked = 0;
    for (int i = 1; i <= 15; ++i) {
        const Item* mark = story.find("course/view " + std::to_string(i));
        if (!mark) continue;
        const std::string& about = story.app.lessons().folder().lessons()[static_cast<std::size_t>(i - 1)]->about;
        for (const Items::DrawnText& drawn : story.host.items().texts()) {
            if (drawn.text != about) continue;
            ++marked;
            const float width = draw::text_size(story.host.ui(), about, FontRole::small).x;
            CHECK((drawn.cut || drawn.at.x + width <= mark->min.x));
        }
    }
    CHECK(marked > 0);
}

TEST_CASE("each lesson has 8 to 12 steps, three questions and something to try, and ends with what to remember") {
    Story story;
    const auto& lessons = story.app.lessons().folder().lessons();
    REQUIRE(lessons.size() == 15);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const Lesson& lesson = *lessons[i];
        CAPTURE(lesson.name);
        CHECK(lesson.steps.size() >= 8);
        CHECK(lesson.steps.size() <= 12);
        CHECK(std::ranges::count_if(lesson.steps, [](const LessonStep& s) { return s.question.has_value(); }) >= 3);
        CHECK(std::ranges::count(lesson.steps, "Your turn", &LessonStep::title) == 1);
        CHECK(lesson.steps.back().title == "What to remember");
        CHECK(lesson.about.ends_with("?"));
        CHECK(lesson.minutes > 0);
        CHECK_FALSE(lesson.goes_wrong.empty());
        CHECK_FALSE(lesson.exercises.empty());
        CHECK(lesson.next == (i + 1 < lessons.size() ? lessons[i + 1]->name : ""));
    }
}

TEST_CASE("every view has a lesson that shows it") {
    Story story;
    for (const glassformer::app::View& view : all_views()) {
        CAPTURE(view.name);
        CHECK(first_with_view(story.app.lessons().folder().lessons(), view.name) >= 0);
    }
    CHECK(first_with_view(story.app.lessons().folder().lessons(), "no such view") < 0);
}

TEST_CASE("story: the menu of lessons starts the lesson about the current view at the step that shows it") {
    Story story;
    for (const char* view : {"MLP", "Logit lens"}) {
        story.state().view = view_index(view);
        story.frames(2);
        REQUIRE(story.play("click lessons\nclick \"lessons/A lesson about the view " + std::string(view) +
                           "\"\nwait lesson/scene == 1 timeout 60\nframes 3") == "");
        CHECK(chosen_view(story.state()).name == view);
        CHECK(story.value("lesson") == 1 + step_with_view(*story.app.lessons().lesson(), view));
        REQUIRE(story.play("click lesson/leave\nframes 4") == "");
        story.settle();  // the previous model and view are back
    }
    story.state().view = view_index("MLP");
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"A lesson about this view\"\nframes 2\nkey Enter\n"
                       "wait lesson/scene == 1 timeout 60\nframes 3") == "");
    CHECK(chosen_view(story.state()).name == "MLP");
}

TEST_CASE("story: a term's card opens the lesson about it, and the view that shows it") {
    Story story;
    const std::string card =
        "key Ctrl+k\nframes 2\ntype \"What does “logit lens” mean\"\nframes 2\nkey Enter\nframes 3\n";
    REQUIRE(story.play(
                "click lessons\nframes 3\nclick \"lessons/All lessons…\"\nframes 3\nexpect_item course/search") == "");
    REQUIRE(story.play(card +
                       "expect_no_item course/search\nexpect_item \"term card\"\nclick \"term card/show\"\nframes 3\n"
                       "expect_no_item \"term card\"") == "");
    CHECK(chosen_view(story.state()).name == "Logit lens");
    REQUIRE(story.play(card + "click \"term card/lesson\"\nwait lesson/scene == 1 timeout 60\nframes 3") == "");
    CHECK(story.app.lessons().lesson()->name == "9_tokens");
    CHECK(story.value("lesson") == 1 + step_about(*story.app.lessons().lesson(), "logit lens"));
    CHECK(story.value("lesson") > 1);
}

TEST_CASE("every term of the glossary names a lesson about it, and an existing view") {
    Story story;
    for (const GlossaryTerm& term : glossary()) {
        CAPTURE(term.name);
        const int lesson = story.app.lessons().folder().find(term.lesson);
        REQUIRE(lesson >= 0);
        CHECK(step_about(*story.app.lessons().folder().lessons()[lesson], std::string(term.name)) >= 0);
        const bool has_view =
            std::ranges::find(all_views(), term.view, &glassformer::app::View::name) != all_views().end();
        CHECK((term.view.empty() || has_view));
    }
}
