#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/presenter/vote.h"
#include "app/ui/input.h"
#include "core/platform/atomic_file.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: a class votes twice on a question, sees the bars, then the answer; the votes are saved") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat\nkey F5\nframes 3") == "");
    LessonRunner& lessons = story.app.lessons();
    for (int i = 0; lessons.open() && !lessons.asks() && i < 20; ++i) {
        REQUIRE(story.play("key PageDown\nframes 3") == "");
        story.settle();
    }
    REQUIRE(lessons.asks());
    CHECK(story.play(
              "key V\nframes 2\nkey 1\nkey 1\nkey 1\nkey 2\nkey Shift+1\nframes 1\nexpect vote/A == 2\nexpect vote/B "
              "== 1\nclick vote/B\nframes 1\nexpect vote/B == 2\nclick \"vote/B less\"\nframes 1\nexpect vote/B == "
              "1") == "");
    CHECK(lessons.asks());  // the keys counted hands and answered nothing
    CHECK(story.play(
              "key PageDown\nframes 2\nexpect vote == 1\nexpect vote/A == 2\nkey PageDown\nframes 2\nexpect vote == "
              "2\nexpect vote/A == 0\nkey 2\nkey 2\nkey Enter\nframes 2\nexpect vote == 3\nexpect vote/B == 2") == "");
    CHECK(lessons.asks());
    CHECK(story.play("click vote/next\nframes 3\nexpect vote == 4") == "");
    CHECK_FALSE(lessons.asks());
    CHECK(story.play("click vote/next\nframes 2\nexpect_no_item vote") == "");
    std::ifstream in(votes_file());
    std::string header, first, second;
    std::getline(in, header), std::getline(in, first), std::getline(in, second);
    CHECK(header == "time,lesson,question,choice,text,first,second,right");
    CHECK(contains(first, ",2,0,"));
    CHECK(contains(second, ",1,2,"));
}

TEST_CASE("story: V ends an open vote, and the count is saved") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story;
    CHECK(story.play("key F5\nframes 2\nkey V\nframes 2\nkey 1\nkey 1\nframes 2\nkey V\nframes 2\nexpect_no_item "
                     "vote") == "");
    std::ifstream in(votes_file());
    std::string header, first;
    std::getline(in, header), std::getline(in, first);
    CHECK(first.ends_with(",A,,2,0,"));
    CHECK(story.play("key V\nframes 2\nexpect vote/A == 0") == "");
}

TEST_CASE("story: a vote ends and is saved when its question is gone, the stage is left or the window closes") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    const auto rows = [] {
        std::ifstream in(votes_file());
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    };
    {
        Story story;
        REQUIRE(story.play("lesson 1_two_kinds_of_bat 5\nkey F5\nframes 3") == "");
        story.settle();
        REQUIRE(story.app.lessons().asks());
        const std::string asked = story.app.lessons().step().title;
        CHECK(story.play("key V\nframes 2\nkey 1\nframes 2\nclick lesson/next\nframes 3\nclick lesson/next\nframes 3"
                         "\nexpect_no_item vote") == "");
        REQUIRE(rows().size() > 1);
        CHECK(contains(rows()[1], asked));
        CHECK(rows()[1].ends_with(",1,0,"));  // the next step's answer is not this question's
    }
    const std::size_t before = rows().size();
    {
        Story story;
        CHECK(story.play("key F5\nframes 2\nkey V\nframes 2\nkey 1\nframes 2\nkey F5\nframes 3") == "");
        CHECK(rows().size() == before + 4);
        CHECK(story.play("key F5\nframes 2\nkey V\nframes 2\nkey 2\nframes 2") == "");
        CHECK(rows().size() == before + 4);
    }
    CHECK(rows().size() == before + 8);
}

TEST_CASE("story: behind a black or frozen screen the keys still count hands, and Esc only shows the screen again") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    for (const auto& [cover, item] : {std::pair{"B", "screen/blank"}, std::pair{"F", "screen/frozen"}}) {
        CAPTURE(item);
        Story story;
        REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 4\nkey F5\nframes 3\nkey V\nframes 2") == "");
        REQUIRE(story.app.lessons().asks());
        CHECK(story.play(std::string("key ") + cover + "\nframes 3\nexpect_item " + item +
                         "\nkey 2\nkey 2\nframes 2\nexpect vote/B == 2\nkey PageDown\nframes 2\nexpect vote == 1") ==
              "");
        CHECK(story.app.lessons().asks());  // the keys answered nothing
        CHECK(story.play(std::string("key Escape\nframes 3\nexpect_no_item ") + item +
                         "\nexpect vote == 1\nexpect vote/B == 2\nkey Escape\nframes 2\nexpect_no_item vote") == "");
    }
}

TEST_CASE("story: no vote begins before the question is on the screen") {
    const TemporaryFolder folder;
    write_file_atomically(
        folder / "slow.lesson",
        "lesson: Slow\n\n== One\nmodel: fresh homonyms\ntrain: 100000 steps\nA: the bat hit the ball .\n"
        "choice: Yes when {step} > 5\nchoice: No when {step} < 6\n\nDid it learn?\n\n---\n\nText.\n");
    Story story;
    story.app.open_dropped(folder / "slow.lesson");
    REQUIRE(story.until([&] { return story.app.lessons().open(); }));
    REQUIRE_FALSE(story.app.lessons().on_screen());  // it trains first
    REQUIRE(story.play("key F5\nframes 2\nkey V\nframes 1\nexpect_no_item vote") == "");
    CHECK(contains(story.text("notice"), "Wait until the lesson's step"));
}

TEST_CASE("story: a class that votes only in the second round is saved too") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story;
    CHECK(story.play("key F5\nframes 2\nkey V\nframes 2\nkey PageDown\nframes 2\nkey PageDown\nframes 2\nexpect vote "
                     "== 2\nkey 1\nframes 2\nkey Escape\nframes 2\nexpect_no_item vote") == "");
    std::ifstream in(votes_file());
    std::string header, first;
    std::getline(in, header), std::getline(in, first);
    CHECK(first.ends_with(",A,,0,1,"));
}

TEST_CASE("story: without a question the class votes on A to D, and an empty vote leaves no file") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story;
    CHECK(story.play("key F5\nframes 2\nkey V\nframes 2\nexpect_item vote/D\nexpect_no_item vote/E\nkey Escape\nframes "
                     "2\nexpect_no_item vote") == "");
    CHECK(story.state().presenter);
    CHECK_FALSE(std::filesystem::exists(votes_file()));
}
