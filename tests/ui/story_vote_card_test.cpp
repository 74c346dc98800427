#include <string>

#include "core/platform/atomic_file.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: before an audience every choice of a lesson's vote is in sight, with its hands and its bars") {
    // Short and long choices, three and four, with one sentence and two. Every 16:9 screen has this layout.
    Story story({.size = {1280, 720}});
    REQUIRE(story.play("key F5\nframes 3") == "");
    for (const char* asked : {"5_many_heads 9", "4_scale_mask_softmax 4", "14_heads_that_copy 4",
                              "14_heads_that_copy 7", "6_order 2", "7_layer_norm 9", "12_in_context 6"}) {
        CAPTURE(asked);
        REQUIRE(story.play("lesson " + std::string(asked) + "\nframes 3") == "");
        REQUIRE(story.app.lessons().asks());
        const std::size_t count = story.app.lessons().asked().choices.size();
        REQUIRE(story.play("key V\nframes 3") == "");
        for (const char* phase : {"hands", "bars"}) {
            CAPTURE(phase);
            for (std::size_t i = 0; i < count; ++i) {
                const Item* row = story.find(std::string("vote/") + static_cast<char>('A' + i));
                REQUIRE(row);
                CAPTURE(row->label);
                CHECK(row->in_sight);
                CHECK(row->min.y >= story.find("vote")->min.y);
                CHECK(row->max.y < story.find("vote/next")->min.y);
            }
            REQUIRE(story.play("key Enter\nframes 3") == "");
        }
        REQUIRE(story.play("key Escape\nframes 2") == "");
    }
}

TEST_CASE("story: a long choice is drawn whole in a vote, in several lines") {
    const TemporaryFolder folder;
    const std::string choice =
        "It attends most to the word that makes clear which of the two meanings of bat is meant, wherever it is";
    write_file_atomically(folder / "long.lesson",
                          "lesson: Long\n\n== One\nmodel: homonyms\nA: the bat hit the ball .\nchoice: " + choice +
                              " when {step} > 5\nchoice: No when {step} < 6\n\nWhat does it do?\n\n---\n\nText.\n");
    Story story({.size = {1280, 720}});
    story.app.open_dropped(folder / "long.lesson");
    REQUIRE(story.until([&] { return story.app.lessons().open() && story.app.lessons().on_screen(); }));
    REQUIRE(story.play("key F5\nframes 3\nkey V\nframes 3\nkey Enter\nframes 2") == "");
    story.host.ui().items->keep_texts(true);
    story.frames(1);
    int drawn = 0;
    for (const Items::DrawnText& text : story.host.items().texts()) {
        if (text.text != choice) continue;
        ++drawn;
        CHECK_FALSE(text.cut);
    }
    CHECK(drawn == 1);
}

TEST_CASE("story: the button of a vote says what it does, and the console says the same of the clicker") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story;
    REQUIRE(story.play("key F5\nframes 2\nkey K\nframes 2\nkey V\nframes 3") == "");
    for (const char* next : {"Show the bars", "Vote again", "Show the bars"}) {
        CHECK(story.text("vote/next") == next);
        CHECK(story.text("console/then") == next);
        REQUIRE(story.play("key PageDown\nframes 3") == "");
    }
    CHECK(story.text("vote/next") == "Done");  // only the class knows the answer
    CHECK(story.text("console/then") == "Done");
    CHECK(story.play("key PageDown\nframes 3\nexpect_no_item vote") == "");

    REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 3\nkey V\nframes 3") == "");
    for (const char* next : {"Show the bars", "Vote again", "Show the bars", "Show the answer", "Done"}) {
        CHECK(story.text("vote/next") == next);
        CHECK(story.text("console/then") == next);
        REQUIRE(story.play("key PageDown\nframes 3") == "");
    }
    CHECK_FALSE(story.shows("vote"));
}
