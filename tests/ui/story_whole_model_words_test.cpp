// The whole model in windows with little room: its words and answers can be read there, too.
#include <set>

#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Its text at that size is as wide as the item, or less.
void check_whole(Story& story, const std::string& label) {
    CAPTURE(label);
    const Item* item = story.find(label);
    REQUIRE(item);
    CHECK(draw::text_size(story.host.ui(), item->text, FontRole::small).x <= item->max.x - item->min.x);
}

}  // namespace

TEST_CASE("story: in a low window one sentence stands alone, with its words and what is said") {
    Story story({.size = {1600, 1000}, .scale = 2});
    story.state().view = view_index("Whole model");
    for (const auto& [tab, here, away] : {std::tuple{"panel/A", "A", "B"}, {"panel/B", "B", "A"}}) {
        REQUIRE(story.play(std::string("click ") + tab + "\nframes 4") == "");
        CHECK(story.shows("whole/" + std::string(here) + "/word 1"));
        CHECK(story.shows("whole/" + std::string(here) + "/said 1 0"));
        CHECK_FALSE(story.shows("whole/" + std::string(away) + "/attention 0"));
    }
}

TEST_CASE("story: both sentences of a translation and its answers are whole words in a small window") {
    Story story({.size = {1280, 720}, .model = "translation"});
    open_canvas(story);
    for (int i = 0; i < static_cast<int>(story.snapshot().sentences[0].source.size()); ++i)
        check_whole(story, "whole/A/source word " + number(i));
    std::set<float> heights;
    for (int i = 0; i < static_cast<int>(story.snapshot().sentences[0].tokens.size()); ++i) {
        check_whole(story, "whole/A/word " + number(i));
        const Item *word = story.find("whole/A/word " + number(i)),
                   *said = story.find("whole/A/said " + number(i) + " 0");
        heights.insert(word->min.y);
        REQUIRE(said);
        const LensWord top = likeliest_words(story.shown_trace(0), i, 1)[0];
        CHECK(*said->value == static_cast<double>(top.probability));
        const std::string name = story.snapshot().model->token_text(top.id);
        CAPTURE(name);
        CHECK(draw::text_size(story.host.ui(), name, FontRole::small).x <= said->max.x - said->min.x);
    }
    CHECK(heights.size() == 2);
    REQUIRE(story.play("click \"whole/zoom/block\"\nframes 4") == "");
    int named = 0;  // of rows that are lower than a word
    for (const Item& item : story.host.items().all()) named += item.label.starts_with("whole/A/row x ");
    CHECK(named > 2);
}

TEST_CASE("story: in a low window the words leave their room to the picture that names them") {
    Story story({.size = {1280, 720}, .scale = 2, .model = "translation"});
    open_canvas(story);
    CHECK_FALSE(story.shows("A/token 1"));
    const int word = story.state().token[0];
    CHECK(story.shows("whole/A/word " + number(word)));
    CHECK(story.shows("whole/A/said " + number(word) + " 0"));
    REQUIRE(story.play("click \"whole/A/word 4\"\nframes 3") == "");
    CHECK(story.state().token[0] == 4);
    story.state().view = view_index("Attention");  // it does not name them
    story.frames(3);
    CHECK(story.shows("A/token 1"));
}

TEST_CASE("story: with room for one word alone the worksheet shows that which is read most") {
    Story story({.size = {1280, 720}, .scale = 2});
    open_canvas(story);
    REQUIRE(story.play("click \"whole/zoom/head\"\nframes 4") == "");
    const int query = story.state().token[0];
    const int most = largest(pattern_row(story.shown_trace(0), story.state().layer, story.state().head, query));
    REQUIRE(most != query);
    CHECK(story.shows("whole/A/head/weight " + number(most)));
}
