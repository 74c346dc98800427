// The words of the whole model: not clipped in windows with little room, and the words of the story.
#include <set>

#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Checks that the item is wide enough for its text at that font size.
void check_whole(Story& story, const std::string& label) {
    CAPTURE(label);
    const Item* item = story.find(label);
    REQUIRE(item);
    CHECK(draw::text_size(story.host.ui(), item->text, FontRole::small).x <= item->max.x - item->min.x);
}

}  // namespace

TEST_CASE("story: in a low window one sentence is shown, with its words and predictions") {
    Story story({.size = {1600, 1000}, .scale = 2});
    story.state().view = view_index("Whole model");
    for (const auto& [tab, here, away] : {std::tuple{"panel/A", "A", "B"}, {"panel/B", "B", "A"}}) {
        REQUIRE(story.play(std::string("click ") + tab + "\nframes 4") == "");
        CHECK(story.shows("whole/" + std::string(here) + "/word 1"));
        CHECK(story.shows("whole/" + std::string(here) + "/said 1 0"));
        CHECK_FALSE(story.shows("whole/" + std::string(away) + "/attention 0"));
    }
}

TEST_CASE("story: in a small window all words of a translation and its predictions are shown in full") {
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
    int named = 0;  // rows that are lower than a word
    for (const Item& item : story.host.items().all()) named += item.label.starts_with("whole/A/row x ");
    CHECK(named > 2);
}

TEST_CASE("story: in a low window the words' chips give their space to a picture that names them") {
    Story story({.size = {1280, 720}, .scale = 2, .model = "translation"});
    open_canvas(story);
    CHECK_FALSE(story.shows("A/token 1"));
    const int word = story.state().token[0];
    CHECK(story.shows("whole/A/word " + number(word)));
    CHECK(story.shows("whole/A/said " + number(word) + " 0"));
    REQUIRE(story.play("click \"whole/A/word 4\"\nframes 3") == "");
    CHECK(story.state().token[0] == 4);
    story.state().view = view_index("Attention");  // this view does not name them
    story.frames(3);
    CHECK(story.shows("A/token 1"));
}

TEST_CASE("story: with little room, the worksheet shows the word with the largest weight") {
    Story story({.size = {1280, 720}, .scale = 2});
    open_canvas(story);
    REQUIRE(story.play("click \"whole/zoom/head\"\nframes 4") == "");
    const int query = story.state().token[0];
    const int most = largest(pattern_row(story.shown_trace(0), story.state().layer, story.state().head, query));
    REQUIRE(most != query);
    CHECK(story.shows("whole/A/head/weight " + number(most)));
}

TEST_CASE("story: the captions use the model's name for tokens: words, syllables, letters, positions") {
    for (const auto& [model, one, many] : {std::tuple{"next_word", "word", "words"},
                                           {"induction", "syllable", "syllables"},
                                           {"sorting", "letter", "letters"}}) {
        CAPTURE(model);
        Story story({.model = model});
        open_canvas(story);
        const std::vector<std::string> told = captions(story);
        REQUIRE(told.size() > 5);
        CHECK(told.front() == "These are the " + std::string(many) + " that the model is given.");
        CHECK(told[1].starts_with("Each " + std::string(one) + " becomes "));
        CHECK(contains(told[2], "every " + std::string(one) + " attends to those before it; “"));
        CHECK(told.back().starts_with("Each " + std::string(one) + "’s vector is compared"));
        const std::string word = "“" + story.text("whole/A/word " + number(story.state().token[0])) + "”";
        CHECK(contains(told.back(), "after " + word + " the model predicts"));
        for (const std::string& caption : told)
            if (std::string(one) != "word") CHECK(!contains(caption, "word"));
        CHECK(story.text("whole/A/lanes") == many);
    }
    Story story({.model = "regression"});
    open_canvas(story);
    const std::vector<std::string> told = captions(story);
    REQUIRE(told.size() > 5);
    CHECK(told.front() == "The model is given these numbers, one after the other.");
    CHECK(told[1].starts_with("A learned matrix turns each of them into "));
    CHECK(contains(told[2], "every position attends to those before it; “"));
    CHECK(told.back() == "The last vector at each position becomes the prediction.");
    for (const std::string& caption : told) CHECK(!contains(caption, "word"));
    // In order, with the trace's numbers.
    check_captions(story, {"The model is given", "A learned matrix turns",
                           "Block 0, attention: every position attends to those before", "The output of the 4 heads is",
                           "Block 0, MLP", "It is added to the residual stream: this is each position after block 0.",
                           "Block 1, attention: every position attends to those before", "The output of the 4 heads is",
                           "Block 1, MLP", "It is added to the residual stream: this is each position after block 1.",
                           "Block 2, attention: every position attends to those before", "The output of the 4 heads is",
                           "Block 2, MLP", "It is added to the residual stream: this is each position after block 2.",
                           "The last vector at each position"});
}

TEST_CASE("story: the captions of a causal model are in order, with its own numbers") {
    Story story({.model = "induction"});
    open_canvas(story);
    check_captions(story, {"These are the syllables", "Each syllable becomes 64 numbers",
                           "Block 0, attention: every syllable attends to those before it; “",
                           "The output of the 4 heads is written and added",
                           "It is added to the residual stream: this is each syllable after block 0; after “",
                           "Block 1, attention: every syllable", "The output of the 4 heads is written and added",
                           "It is added to the residual stream: this is each syllable after block 1; after “",
                           "Each syllable’s vector"});
    const Trace& trace = story.shown_trace(0);
    const int word = story.state().token[0];
    const std::vector<std::string> told = captions(story);
    for (const int layer : {0, 1}) {
        // The largest weight of any head on an earlier syllable.
        float most = 0;
        int key = 0;
        for (int head = 0; head < 4; ++head)
            for (int at = 0; at < word; ++at)
                if (const float weight = pattern_row(trace, layer, head, word)[at]; weight > most)
                    most = weight, key = at;
        const std::string& caption = told[2 + 3 * layer];
        const std::string before = "attends most to “" + story.text("whole/A/word " + number(key)) + "” (";
        const std::size_t at = caption.find(before);
        REQUIRE_MESSAGE(at != std::string::npos, caption);
        CHECK(std::abs(std::stof(caption.substr(at + before.size())) - most) <= 0.005f);
    }
}
