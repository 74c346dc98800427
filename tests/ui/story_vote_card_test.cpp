#include <string>

#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

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
