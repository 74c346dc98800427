// The whole model of the shipped encoder: the sentence that it begins with, B minus A, and the ways to move its camera.
#include <algorithm>
#include <cmath>

#include "app/ui/input.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::whole_model;

TEST_CASE("story: the first frame says what the chosen word attends to most") {
    Story story;
    open_canvas(story);
    CHECK(story.text("whole/hint")
              .starts_with("“bat” attends most to “foul” (0.61 in block 1, head 2); its true meaning here is baseball, "
                           "not animal."));
    REQUIRE(story.play("click \"whole/A/word 7\"\nframes 3") == "");
    CHECK(story.text("whole/hint").starts_with("“foul” attends "));
    REQUIRE(story.play("key p\nframes 3") == "");
    CHECK(!contains(story.text("whole/hint"), "attends"));  // the quiz asks for it
    CHECK(contains(story.text("whole/hint"), "guess first, in Attention or in Flow"));
    REQUIRE(story.play("key p\nframes 3") == "");
    CHECK(story.text("whole/hint").starts_with("“foul” attends "));
}

TEST_CASE("story: the first launch shows the sentence whose word attends most clearly to another") {
    {
        Story story;
        open_canvas(story);
        story.state().slot = telling_sentence(story.state(), story.snapshot());
        story.frames(3);
        CHECK(story.text("whole/hint")
                  .starts_with(
                      "“bat” attends most to “foul” (0.61 in block 1, head 2); its true meaning here is baseball, "
                      "not animal."));
        const Item *label = story.find("whole/A/arc 1 2 3 7"), *word = story.find("whole/A/word 7");
        REQUIRE(label);
        REQUIRE(word);
        CHECK(label->min.x > word->min.x - 40);  // the arc ends at the word attended to
        CHECK(label->max.x < word->max.x + 40);
        CHECK_FALSE(story.shows("whole/B/word 0"));
        // In other heads it is the other sentence.
        const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
        const auto clear = [](std::span<const float> row, std::size_t itself) {
            const std::size_t most = std::ranges::max_element(row) - row.begin();
            return most == itself ? 0.0f : row[most];
        };
        int seconds = 0;
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 4; ++head) {
                story.state().layer = layer, story.state().head = head;
                const bool second =
                    clear(pattern_row(*b, layer, head, 1), 1) > clear(pattern_row(*a, layer, head, 3), 3);
                CHECK(telling_sentence(story.state(), story.snapshot()) == (second ? 1 : 0));
                seconds += second;
            }
        CHECK(seconds > 0);
        CHECK(seconds < 8);
    }
    {
        // The window's first sentences: "furry" gets more attention than all other words together.
        Story story;
        open_canvas(story);
        const std::vector<Sentence>& samples = reference().world().world.samples();
        for (int slot = 0; slot < 2; ++slot) {
            const Sentence& sample = samples[slot];
            story.send(command::Watch{slot, text_of(sample)});
            story.frames(3);
            story.state().token[slot] = sample.homonym_pos;
        }
        story.state().slot = telling_sentence(story.state(), story.snapshot());
        CHECK(story.state().slot == 1);
        story.frames(3);
        CHECK(story.text("whole/hint")
                  .starts_with(
                      "“bat” attends most to “furry” (0.78 in block 1, head 2); its true meaning here is animal, "
                      "not baseball."));
        CHECK(story.text("whole/B/word 4") == "bat");
        CHECK(story.text("whole/B/word 3") == "furry");
        CHECK(story.value("whole/B/arc 1 2 4 3") > 0.5);
        CHECK(samples[0].words.size() == samples[1].words.size());  // so that one can be patched into the other
    }
    Story story({.model = "induction"});  // has no homonyms
    CHECK(telling_sentence(story.state(), story.snapshot()) == 0);
}

TEST_CASE("story: B minus A is one picture, for words that both sentences have") {
    Story story;
    story.state().view = view_index("Whole model");
    story.frames(3);
    REQUIRE(story.play("click whole/difference\nframes 3") == "");
    CHECK_FALSE(story.shows("whole/A/stream 1 3"));
    CHECK(story.text("whole/difference line").starts_with("B − A"));
    const Trace &a = story.shown_trace(0), &b = story.shown_trace(1);
    const int node = b.graph().at("blocks.1.hook_resid_post");
    const SliceView of_a = a.part(node, {3, 1}), of_b = b.part(node, {1, 1});  // both are "bat"
    double most = 0;
    for (std::size_t i = 0; i < of_b.values().size(); ++i)
        if (const double d = static_cast<double>(of_b.values()[i] - of_a.values()[i]); std::abs(d) > std::abs(most))
            most = d;
    CHECK(story.value("whole/B/stream 1 1") == most);
    CHECK_FALSE(story.shows("whole/B/stream 1 2"));  // "flew" is not in A
    REQUIRE(story.play("click whole/zoom/block\nframes 3") == "");
    CHECK(story.shows("whole/A/x"));  // zoomed in, A is drawn above B
    CHECK(story.shows("whole/B/x"));
    REQUIRE(story.play("key Home\nframes 3\nclick whole/difference\nframes 3") == "");
    CHECK(story.shows("whole/A/stream 1 3"));

    story.send(command::Watch{1, "she"});
    REQUIRE(story.play("click whole/difference\nframes 3") == "");
    CHECK(contains(story.text("whole/difference line"), "no word in common"));
    CHECK(story.shows("whole/A/stream 1 3"));
    CHECK(story.shows("whole/B/stream 1 0"));
}

TEST_CASE("story: wheel, Ctrl+wheel, keys, breadcrumb and minimap move one camera") {
    Story story;
    open_canvas(story);
    const auto turn = [&](const char* item, float lines, bool ctrl) {
        const Item* at = story.find(item);
        REQUIRE(at);
        const ImVec2 mouse{(at->min.x + at->max.x) / 2, (at->min.y + at->max.y) / 2};
        for (int i = 0; i < 3; ++i)
            story.frame([&] {
                script_modifiers(ctrl, false);
                script_mouse(mouse, false, false);
                if (i == 1) script_wheel(lines);
            });
        story.frames(2);
    };
    for (const bool ctrl : {false, true}) {
        CAPTURE(ctrl);
        turn("whole/A/stream 0 3", 1, ctrl);
        CHECK(canvas(story).camera.shot().zoom > 1);
        CHECK(story.state().scale == 1);
        CHECK(story.shows("whole/minimap"));
        turn("whole/A/attention 0", 8, ctrl);
        CHECK(level(story) == CanvasLevel::block);
        REQUIRE(story.play("click whole/minimap\nframes 3") == "");
        CHECK(level(story) == CanvasLevel::model);
        CHECK(canvas(story).camera.shot().zoom == 1);
        CHECK_FALSE(story.shows("whole/minimap"));
    }
    REQUIRE(story.play("double_click \"whole/A/mlp 1 3\"\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::block);
    REQUIRE(story.play("double_click \"whole/A/pattern 2\"\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::head);
    CHECK(story.state().head == 2);
    REQUIRE(story.play("click \"whole/crumb 0\"\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::model);
    REQUIRE(story.play("key +\nframes 2\nkey +\nframes 2\nkey -\nframes 2\nkey Home\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::model);
}
