// The whole model by keyboard alone: every tile of every level can be reached and explained.
#include <map>

#include "app/ui/input.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int bat = 3, more_than_enough = 260;

/// A control, and the node of the value that Enter explains there.
using Wanted = std::map<std::string, std::string>;

void press_key(Story& story, const std::string& key) { REQUIRE(story.play("key " + key + "\nframes 2") == ""); }

/// Cycles with F6; Enter on each wanted control must explain a value of its node.
void walk(Story& story, Wanted wanted) {
    const Trace& trace = story.shown_trace(0);
    for (int i = 0; i < more_than_enough && !wanted.empty(); ++i) {
        press_key(story, "F6");
        const auto found = wanted.find(story.text("whole/focus"));
        if (found == wanted.end()) continue;
        CAPTURE(found->first);
        press_key(story, "Enter");
        const TracedCell at = story.state().trail.back();
        CHECK(trace.graph()[at.cell.node].name == found->second);
        CHECK(story.shows("whole/number line"));
        CHECK(story.value("whole/number line") == static_cast<double>(trace.at(at.cell)));
        wanted.erase(found);
    }
    for (const auto& left : wanted) FAIL_CHECK("not reached by F6: " << left.first);
}

/// Presses F6 until the control has keyboard focus.
void reach(Story& story, const std::string& label) {
    for (int i = 0; i < more_than_enough && story.text("whole/focus") != label; ++i) press_key(story, "F6");
    REQUIRE(story.text("whole/focus") == label);
}

Cell explained(Story& story) { return story.state().trail.back().cell; }

}  // namespace

TEST_CASE("story: by keyboard alone, every tile of the model can be reached and explained") {
    Story story;
    open_canvas(story);
    Wanted wanted{{"whole/A/embedding 3", "blocks.0.hook_resid_pre"}};
    for (int layer = 0; layer < 2; ++layer) {
        const std::string at = number(layer) + " " + number(bat);
        wanted["whole/A/stream " + at] = block(layer, "hook_resid_post");
        wanted["whole/A/mlp " + at] = block(layer, "mlp.hook_post");
        wanted["whole/A/attention " + number(layer)] = block(layer, "attn.hook_pattern");
        for (int head = 0; head < 4; ++head)
            wanted["whole/A/z " + number(layer) + " " + number(head) + " " + number(bat)] = block(layer, "attn.hook_z");
    }
    walk(story, wanted);
    reach(story, "whole/A/stream 1 3");
    press_key(story, "Enter");
    const Cell first = explained(story);
    const bool last = first.offset % 64 == 63;
    const int head = story.state().head;
    press_key(story, last ? "Left" : "Right");
    CHECK(explained(story).node == first.node);
    CHECK(explained(story).offset == first.offset + (last ? -1 : 1));
    CHECK(story.state().head == head);  // the arrow keys act on the tile
    press_key(story, "Tab");
    CHECK(story.state().token[0] == bat);  // as do all keys except those that zoom
    press_key(story, "+");
    CHECK(level(story) == CanvasLevel::block);
    press_key(story, "-");
    CHECK(level(story) == CanvasLevel::model);

    // The arcs: first the strongest, then the next weaker one.
    reach(story, "whole/A/attention 1");
    press_key(story, "Enter");
    const float strongest = story.shown_trace(0).at(explained(story));
    press_key(story, "Down");
    CHECK(story.shown_trace(0).at(explained(story)) < strongest);
}

TEST_CASE("story: by keyboard alone, every matrix of a block and number of a head can be reached and explained") {
    Story story;
    open_canvas(story);
    choose_head(story.state(), story.snapshot(), 1, 0);
    story.frames(2);
    press_key(story, "+");
    REQUIRE(level(story) == CanvasLevel::block);
    Wanted wanted{{"whole/A/x", block(0, "hook_resid_post")}};  // the block reads what the previous one wrote
    for (const auto& [key, node] : {std::pair{"ln1", "ln1.hook_out"},
                                    {"out", "hook_attn_out"},
                                    {"add 0", "hook_resid_mid"},
                                    {"ln2", "ln2.hook_out"},
                                    {"pre", "mlp.hook_pre"},
                                    {"post", "mlp.hook_post"},
                                    {"mlp_out", "hook_mlp_out"},
                                    {"add 1", "hook_resid_post"}})
        wanted[std::string("whole/A/") + key] = block(1, node);
    for (int head = 0; head < 4; ++head) {
        wanted["whole/A/pattern " + number(head)] = block(1, "attn.hook_pattern");
        for (const char* of : {"q", "k", "v", "z"})
            wanted[std::string("whole/A/") + of + " head " + number(head)] = block(1, std::string("attn.hook_") + of);
    }
    walk(story, wanted);
    reach(story, "whole/A/pre");
    press_key(story, "Enter");
    const Cell first = explained(story);
    CHECK(first.offset / 256 == bat);
    press_key(story, "Down");
    CHECK(explained(story).offset == first.offset + 256);

    choose_head(story.state(), story.snapshot(), 1, 0);
    press_key(story, "+");
    REQUIRE(level(story) == CanvasLevel::head);
    Wanted of_head{{"whole/A/head/q", block(1, "attn.hook_q")}, {"whole/A/head/z", block(1, "attn.hook_z")}};
    for (int key = 0; key < 9; ++key) {
        of_head["whole/A/head/k " + number(key)] = block(1, "attn.hook_k");
        of_head["whole/A/head/v " + number(key)] = block(1, "attn.hook_v");
        of_head["whole/A/head/weight " + number(key)] = block(1, "attn.hook_pattern");
        of_head["whole/A/head/step 0 " + number(key)] = block(1, "attn.hook_attn_scores_raw");
    }
    walk(story, of_head);
    reach(story, "whole/A/head/weight 7");
    press_key(story, "Enter");
    press_key(story, "+");
    REQUIRE(level(story) == CanvasLevel::number);
    CHECK(story.value("whole/A/number") == static_cast<double>(pattern_row(story.shown_trace(0), 1, 0, bat)[7]));
    const Cell weight = explained(story);
    reach(story, "whole/A/term 0");
    press_key(story, "Enter");
    CHECK_FALSE(explained(story) == weight);
    press_key(story, "Backspace");
    CHECK(explained(story) == weight);
    press_key(story, "Home");
    CHECK(level(story) == CanvasLevel::model);
}

TEST_CASE("story: by keyboard alone, a translation's encoder, cross-attention and self-attention can be reached") {
    Story story({.model = "translation"});
    open_canvas(story);
    REQUIRE(story.state().layer == 0);
    press_key(story, "Up");
    CHECK(canvas(story).source);
    press_key(story, "Tab");
    CHECK(canvas(story).source_word == 1);
    press_key(story, "+");
    CHECK(level(story) == CanvasLevel::block);
    CHECK(story.shows("whole/A/x"));
    press_key(story, "+");
    press_key(story, "Right");
    CHECK(level(story) == CanvasLevel::head);
    CHECK(canvas(story).source_head == 1);
    CHECK_FALSE(story.shows("whole/attends"));
    press_key(story, "-");
    press_key(story, "Down");
    CHECK_FALSE(canvas(story).source);
    press_key(story, "+");
    REQUIRE(story.state().cross_attention);
    const Trace& trace = story.shown_trace(0);
    const auto shown = [&](const char* attention) {
        const int node = trace.graph().at(block(0, std::string(attention) + ".hook_pattern"));
        const Shape shape = trace.shape(node);
        const std::int64_t at = offset_of(shape, {story.state().head, story.state().token[0], 0});
        return story.value("whole/A/head/weight 0") == static_cast<double>(trace.at({node, at}));
    };
    CHECK(shown("cross_attn"));
    // "to itself" and "Play" come before the picture's first tile.
    for (int i = 0; i < more_than_enough && story.text("whole/focus").empty(); ++i) press_key(story, "F6");
    REQUIRE(story.text("whole/focus") != "");
    press_key(story, "Shift+F6");
    press_key(story, "Shift+F6");
    press_key(story, "Enter");
    CHECK_FALSE(story.state().cross_attention);
    CHECK(shown("attn"));
}
