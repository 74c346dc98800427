// The whole model of other families than the shipped encoder while something is changed: what is struck out, and the
// difference to what it was or to the other sentence.
#include <cmath>

#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The number of largest size of what a row has more than another.
double largest_change(const Trace& now, const Trace& before, const std::string& node, int word, int word_before) {
    const TracePart a = now.part(now.graph().at(node), {word, 1}),
                    b = before.part(before.graph().at(node), {word_before, 1});
    REQUIRE(a.values().size() == b.values().size());
    double most = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        if (const auto d = static_cast<double>(a.values()[i] - b.values()[i]); std::abs(d) > std::abs(most)) most = d;
    return most;
}

}  // namespace

TEST_CASE("story: in a causal model, a model of numbers and a translation a head is struck out in the picture") {
    for (const char* model : {"induction", "regression", "translation"}) {
        CAPTURE(model);
        Story story({.model = model});
        open_canvas(story);
        const int word = story.state().token[0], last = story.snapshot().model->config.n_layers - 1;
        const std::string at = number(last) + " 0 " + number(word);
        REQUIRE(story.play("right_click \"whole/A/z " + at + "\"\nframes 4") == "");
        story.settle();
        CHECK(story.snapshot().what_if == std::vector<WhatIf>{what_if::HeadOff{last, 0}});
        REQUIRE(story.play("click whole/difference\nframes 3") == "");
        const WatchedSentence& sentence = story.snapshot().sentences[0];
        REQUIRE(sentence.original);
        for (int layer = 0; layer <= last; ++layer) {
            const std::string stream = block(layer, "hook_resid_post");
            const double change = largest_change(*sentence.trace, *sentence.original, stream, word, word);
            CHECK((change != 0) == (layer == last));
            CHECK(story.value("whole/A/stream " + number(layer) + " " + number(word)) == change);
        }
        REQUIRE(story.play("key r\nframes 3") == "");
        story.settle();
        story.frames(2);
        CHECK(story.snapshot().what_if.empty());
        CHECK_FALSE(story.shows("whole/difference"));
    }
}

TEST_CASE("story: B minus A stands in one picture of a causal model, a model of numbers and a translation") {
    for (const char* model : {"induction", "regression", "translation"}) {
        CAPTURE(model);
        Story story({.model = model});
        open_canvas(story);
        story.state().compare = true;
        story.frames(3);
        REQUIRE(story.shows("whole/A/stream 0 0"));
        REQUIRE(story.shows("whole/B/stream 0 0"));
        const Trace &a = story.shown_trace(0), &b = story.shown_trace(1);
        REQUIRE(a.positions() == b.positions());  // so that they belong together by place
        REQUIRE(story.play("click whole/difference\nframes 3") == "");
        CHECK_FALSE(story.shows("whole/A/stream 0 0"));
        CHECK(story.text("whole/difference line").starts_with("B − A"));
        int compared = 0;
        for (int layer = 0; layer < story.snapshot().model->config.n_layers; ++layer)
            for (int word = 0; word < b.positions(); ++word, ++compared)
                CHECK(story.value("whole/B/stream " + number(layer) + " " + number(word)) ==
                      largest_change(b, a, block(layer, "hook_resid_post"), word, word));
        CHECK(compared > 5);
        const int source_words = static_cast<int>(b.source_tokens().size());
        for (int word = 0; word < source_words && a.source_tokens().size() == b.source_tokens().size(); ++word)
            CHECK(story.value("whole/B/source stream 0 " + number(word)) ==
                  largest_change(b, a, "encoder." + block(0, "hook_resid_post"), word, word));
        REQUIRE(story.play("click whole/difference\nframes 3") == "");
        CHECK(story.shows("whole/A/stream 0 0"));
    }
}
