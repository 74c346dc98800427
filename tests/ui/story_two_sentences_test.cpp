// Two sentences for a BERT: a second field, a line of chips for each, and the text as typed.
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const WatchedSentence& first(const Story& story) { return story.snapshot().sentences[0]; }

std::vector<float> types_of(const Story& story) {
    const Trace& trace = story.shown_trace(0);
    const std::span<const float> types = trace.values(trace.model().token_types);
    return {types.begin(), types.end()};
}

}  // namespace

TEST_CASE("story: a second sentence has its own field, and its tokens the second type") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"he hit the bat\"\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK_FALSE(story.shows("A/sentence 2"));

    REQUIRE(story.play("click A/second\nframes 2\ntype \"a foul\"\nkey Enter\nframes 3") == "");
    story.settle();
    REQUIRE(first(story).error == "");
    CHECK(first(story).text == "he hit the bat [SEP] a foul");
    CHECK(types_of(story) == std::vector<float>{0, 0, 0, 0, 0, 0, 1, 1, 1});
    story.frames(2);
    CHECK_FALSE(story.shows("A/text"));
    CHECK_FALSE(story.shows("A/second"));  // there are two already
    const auto top = [&](const char* item) { return story.find(item)->min.y; };
    CHECK(top("A/token 5") == top("A/sentence 1"));
    CHECK(top("A/token 6") == top("A/sentence 2"));
    CHECK(top("A/sentence 2") > top("A/sentence 1"));
    CHECK(story.value("A/sentence 2") == 1);

    // Reopening it splits it into its fields; × removes the second sentence.
    REQUIRE(story.play("click A/type\nframes 2") == "");
    CHECK(story.text("A/text") == "he hit the bat");
    CHECK(story.text("A/text 2") == "a foul");
    REQUIRE(story.play("click \"A/one sentence\"\nframes 2\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(first(story).text == "he hit the bat");
    CHECK(types_of(story) == std::vector<float>(6, 0));
}

TEST_CASE("story: two sentences that are too long stay in their fields with the reason; Escape reverts") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    const std::string before = first(story).text;
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"he hit the bat the bat\"\nframes 2\nclick A/second\nframes 2\n"
                       "type \"a foul the bat the bat the bat\"\nkey Enter\nframes 3") == "");
    story.settle(2);
    CHECK(contains(first(story).error, "reads at most 16"));
    CHECK(story.text("A/text") == "he hit the bat the bat");
    CHECK(story.text("A/text 2") == "a foul the bat the bat the bat");
    REQUIRE(story.play("key Escape\nframes 3") == "");
    story.settle();
    CHECK(first(story).text == before);
}

TEST_CASE("story: a model that reads one sentence has no field for a second") {
    Story story;
    CHECK_FALSE(story.shows("A/second"));
    REQUIRE(story.play("click A/type\nframes 2") == "");
    CHECK_FALSE(story.shows("A/second"));
}
