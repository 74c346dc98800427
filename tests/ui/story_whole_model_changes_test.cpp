// The whole model of families other than the shipped encoder during a what-if: what is crossed out, and the difference
// from before or from the other sentence.
#include <cmath>

#include "app/common/model_colours.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The largest difference by magnitude between two rows, with its sign.
double largest_change(const Trace& now, const Trace& before, const std::string& node, int word, int word_before) {
    const SliceView a = now.part(now.graph().at(node), {word, 1}),
                    b = before.part(before.graph().at(node), {word_before, 1});
    REQUIRE(a.values().size() == b.values().size());
    double most = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        if (const auto d = static_cast<double>(a.values()[i] - b.values()[i]); std::abs(d) > std::abs(most)) most = d;
    return most;
}

/// The number of pixels near the lower end of an arc that have its head's colour.
int coloured(Story& story, const std::string& arc, int head) {
    const Item* item = story.find(arc);
    REQUIRE(item);
    const ImVec2 at = item->centre();
    const Image picture = story.picture();
    const ImU32 colour = head_colour(theme(ThemeKind::light), head);
    const auto is_coloured = [&](int x, int y) {
        const std::uint8_t* pixel = &picture.rgba[4 * static_cast<std::size_t>(y * picture.width + x)];
        int apart = 0;
        for (int c = 0; c < 3; ++c) apart += std::abs(pixel[c] - static_cast<int>(colour >> (8 * c) & 255));
        return apart < 60;
    };
    int found = 0;
    for (int y = static_cast<int>(at.y) - 14; y <= static_cast<int>(at.y) + 14; ++y)
        for (int x = static_cast<int>(at.x) - 50; x <= static_cast<int>(at.x) + 50; ++x) found += is_coloured(x, y);
    return found;
}

}  // namespace

TEST_CASE("story: in the whole model a head that is off has no arcs in its colour") {
    Story story;
    open_canvas(story);
    story.frames(3);
    int head = 0;  // the head where "bat" attends to "foul"
    const auto arc_of = [](int h) { return "whole/A/arc 1 " + number(h) + " 3 7"; };
    while (head < 4 && !(story.shows(arc_of(head)) && story.value(arc_of(head)) > 0.3)) ++head;
    REQUIRE(head < 4);
    const std::string arc = arc_of(head);
    CHECK(coloured(story, arc, head) > 40);
    story.send(command::SetWhatIf{{what_if::AttentionOff{1}}});
    story.frames(3);
    CHECK(coloured(story, arc, head) == 0);
    story.send(command::SetWhatIf{{}});
    story.frames(3);
    CHECK(coloured(story, arc, head) > 40);
}

TEST_CASE("story: a head is switched off in the whole model of three other kinds of models") {
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
        story.settle(2);
        CHECK(story.snapshot().what_if.empty());
        CHECK_FALSE(story.shows("whole/difference"));
    }
}

TEST_CASE("story: B minus A is one picture for a causal model, a model of numbers and a translation") {
    for (const char* model : {"induction", "regression", "translation"}) {
        CAPTURE(model);
        Story story({.model = model});
        open_canvas(story);
        story.state().compare = true;
        story.frames(3);
        REQUIRE(story.shows("whole/A/stream 0 0"));
        REQUIRE(story.shows("whole/B/stream 0 0"));
        const Trace &a = story.shown_trace(0), &b = story.shown_trace(1);
        REQUIRE(a.positions() == b.positions());  // so that words are paired by position
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
