#include "app/cli/startup.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string number(int n) { return std::to_string(n); }

/// Nothing on screen tells what the chosen word of A looks at: no item of its row has a value.
void check_hidden(const Story& story, int query, int keys) {
    for (int key = 0; key < keys; ++key) {
        CAPTURE(key);
        for (const std::string& label :
             {"A/weight " + number(key), "A/score " + number(key), "A/pattern " + number(query) + " " + number(key)}) {
            REQUIRE(story.shows(label));
            CHECK_FALSE(story.find(label)->value);
        }
    }
    CHECK_FALSE(story.find("explain/value")->value);
    CHECK_FALSE(story.shows("explain/recomputed"));
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("A/guess ")) CHECK_FALSE(item.value);
}

}  // namespace

TEST_CASE("story: predict first hides a word's row until it was guessed, and counts") {
    Story story;
    const auto trace = reference().trace(first_sentence);
    CHECK(story.play("click \"map/head 0 3\"\nkey a") == "");
    const int bat = story.state().token[0], n = trace->positions();
    const auto row = pattern_row(*trace, 0, 3, bat);
    const int looked = largest(row), other = looked == 0 ? 1 : 0;
    const Item before = *story.find("A/weight 0");
    CHECK(story.play("key p\nexpect predict == 1") == "");
    check_hidden(story, bat, n);
    CHECK(story.find("A/weight 0")->min.x == before.min.x);  // nothing moved
    CHECK(story.find("A/weight 0")->max.y == before.max.y);
    CHECK(story.text("explain/value").find("0.") == std::string::npos);
    CHECK(story.value("A/pattern " + number(bat + 1) + " 0") ==
          static_cast<double>(pattern_row(*trace, 0, 3, bat + 1)[0]));  // other rows are told
    // A wrong guess: everything shows, with what it should have been.
    CHECK(story.play("click \"A/weight " + number(other) + "\"") == "");
    Differences differences;
    for (int key = 0; key < n; ++key) {
        differences.expect(story, "A/weight " + number(key), static_cast<double>(row[static_cast<std::size_t>(key)]));
        differences.expect(story, "A/pattern " + number(bat) + " " + number(key),
                           static_cast<double>(row[static_cast<std::size_t>(key)]));
    }
    differences.expect(story, "explain/value", static_cast<double>(row[static_cast<std::size_t>(looked)]));
    CHECK(differences.report() == "");
    CHECK(story.value("predict/verdict") == 0);
    const auto& words = story.snapshot().sentences[0].tokens;
    const std::string verdict = story.text("predict/verdict");
    CHECK(verdict.find("you said " + words[static_cast<std::size_t>(other)].text) != std::string::npos);
    CHECK(verdict.find("looked at " + words[static_cast<std::size_t>(looked)].text) != std::string::npos);
    CHECK(story.text("predict/score") == "0 of 1 right");
    // The next word is hidden again; a right guess, by the pattern's row this time.
    CHECK(story.play("key Tab") == "");
    check_hidden(story, bat + 1, n);
    const int next = largest(pattern_row(*trace, 0, 3, bat + 1));
    CHECK(story.play("click \"A/pattern " + number(bat + 1) + " " + number(next) + "\"") == "");
    CHECK(story.value("predict/verdict") == 1);
    CHECK(story.text("predict/score") == "1 of 2 right");
    // A word that was guessed stays told; another head asks anew; P shows everything.
    CHECK(story.play("click \"A/token " + number(bat) + "\"") == "");
    CHECK(story.value("A/weight 0") == static_cast<double>(row[0]));
    CHECK(story.play("key Left") == "");
    check_hidden(story, bat, n);
    CHECK(story.play("key p\nexpect predict == 0\nexpect_no_item predict/score") == "");
    CHECK(story.value("A/weight 0") == static_cast<double>(pattern_row(*trace, 0, 2, bat)[0]));
}

TEST_CASE("story: what the model says is hidden with the row, and lessons ask their own questions") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a\nclick \"view/Logit lens\"\nkey p") == "");
    const int bat = story.state().token[0];
    for (const std::string& label : {"A/lens 2 " + number(bat), std::string("A/top 0")}) {
        REQUIRE(story.shows(label));
        CHECK_FALSE(story.find(label)->value);
        CHECK(story.text(label) == "?");
    }
    CHECK(story.find("A/lens 2 " + number(bat + 1))->value.has_value());
    CHECK(story.play("click view/Flow") == "");
    CHECK_FALSE(story.find("flow/A key 0")->value);
    CHECK_FALSE(story.shows("flow/A ribbon " + number(bat) + " 0"));
    CHECK(story.play("lesson \"Two kinds of bat\" 1") == "");
    story.frame();
    CHECK_FALSE(story.shows("predict/question"));
}
